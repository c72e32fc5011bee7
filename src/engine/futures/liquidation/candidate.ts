import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';

/** An account whose position can be deleveraged. */
export interface Candidate {
  readonly account: FuturesAccount;
  readonly position: Position;
  readonly score: bigint;
}
