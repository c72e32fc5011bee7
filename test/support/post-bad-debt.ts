import type { Engine } from '../../src/engine/engine.ts';
import { postingCodes } from '../../src/engine/ledger/postings.ts';

interface Insides {
  readonly state: {
    readonly ledger: {
      find(accountId: number, tokenId: number): number;
      feeRevenue(tokenId: number): number;
      post(from: number, to: number, amount: bigint, code: number): void;
      report(outcome: { isObserved: boolean }): void;
    };
    readonly futures: {
      readonly cells: {
        badDebt(): number;
        insurance(): number;
        wallet(account: unknown): number;
      };
      openAccount(accountId: number): unknown;
    };
  };
}

/** Money of the insurance fund that nobody has paid in, as a loss without a payer leaves it. */
export function postBadDebt(engine: Engine, amount: bigint): void {
  const { ledger, futures } = (engine as unknown as Insides).state;
  const { cells } = futures;
  ledger.post(cells.badDebt(), cells.insurance(), amount, postingCodes.unpaidLoss);
  ledger.report({ isObserved: false });
}

/** Takes enough out of a wallet to leave it below zero without a position: no rule allows that. */
export function overdraw(engine: Engine, accountId: number, amount: bigint): void {
  const { ledger, futures } = (engine as unknown as Insides).state;
  const wallet = futures.cells.wallet(futures.openAccount(accountId));
  ledger.post(wallet, futures.cells.insurance(), amount, postingCodes.liquidationFee);
  ledger.report({ isObserved: false });
}

/** Takes enough of the token out of a spot balance to leave it below zero. */
export function overdrawSpot(
  engine: Engine,
  { accountId, tokenId, amount }: { accountId: number; tokenId: number; amount: bigint },
): void {
  const { ledger } = (engine as unknown as Insides).state;
  const cell = ledger.find(accountId, tokenId);
  ledger.post(cell, ledger.feeRevenue(tokenId), amount, postingCodes.spotFee);
  ledger.report({ isObserved: false });
}
