import type { Engine } from '../../src/engine/engine.ts';
import { postingCodes } from '../../src/engine/ledger/postings.ts';

interface Insides {
  readonly state: {
    readonly ledger: {
      post(from: number, to: number, amount: bigint, code: number): void;
      report(outcome: { isHeard: boolean }): void;
    };
    readonly futures: { readonly cells: { badDebt(): number; insurance(): number } };
  };
}

/** Money of the insurance fund that nobody has paid in, as a loss without a payer leaves it. */
export function postBadDebt(engine: Engine, amount: bigint): void {
  const { ledger, futures } = (engine as unknown as Insides).state;
  const { cells } = futures;
  ledger.post(cells.badDebt(), cells.insurance(), amount, postingCodes.unpaidLoss);
  ledger.report({ isHeard: false });
}
