import type { EngineState } from '../../src/engine/engine-state.ts';
import type { FuturesAccount } from '../../src/engine/futures/accounts/futures-account.ts';
import { perpToken } from '../../src/engine/futures/accounts/perp-cells.ts';
import { postingCodes } from '../../src/engine/ledger/postings.ts';

/** Brings money from outside straight into a perp wallet, for tests of a part of the engine. */
export function fillWallet(state: EngineState, account: FuturesAccount, amount: bigint): void {
  const external = state.ledger.external(state.openToken(perpToken));
  state.futures.postToWallet(account, external, amount, postingCodes.credit);
}
