import type { FuturesState } from '../futures-state.ts';
import { workOnCloseOut } from './liquidate-account.ts';
import { continueRankings } from './ranking.ts';
import { scanRisk } from './scan-risk.ts';

/** Close-outs that one command goes on with at most. */
const closeOutsMax = 8;

/** What follows from prices that have moved: close-outs go on, and accounts are judged. */
export function settleRisk(state: FuturesState): void {
  continueRankings(state);
  let count = 0;
  for (const closeOut of [...state.closeOuts.values()]) {
    if (count >= closeOutsMax) break;
    workOnCloseOut(state, closeOut);
    count += 1;
  }
  scanRisk(state);
  if (state.closeOuts.size > 0) state.hasWorkLeft = true;
}
