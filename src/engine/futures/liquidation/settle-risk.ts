import type { FuturesState } from '../futures-state.ts';
import type { CloseOut } from './close-out.ts';
import { workOnCloseOut } from './liquidate-account.ts';
import { continueRankings } from './ranking.ts';
import { scanRisk } from './scan-risk.ts';

/** Close-outs that one command goes on with at most. */
const closeOutsMax = 4;
/** Positions of other accounts that one command looks at for them, about. */
const visitedMax = 1_000;

/** What follows from prices that have moved: close-outs go on, and accounts are judged. */
export function settleRisk(state: FuturesState): void {
  continueRankings(state);
  let count = 0;
  let visited = 0;
  for (const closeOut of dueCloseOuts(state)) {
    if (count >= closeOutsMax || visited >= visitedMax) break;
    visited += workOnCloseOut(state, closeOut);
    count += 1;
  }
  // What goes on is ended before more begins; until then its markets settle.
  if (visited < visitedMax) scanRisk(state);
  if (visited >= visitedMax || dueCloseOuts(state).length > 0) state.hasWorkLeft = true;
}

/** Those that wait for no time: first what closes whole accounts, then slices. */
function dueCloseOuts({ closeOuts, now }: FuturesState): readonly CloseOut[] {
  const all = [...closeOuts.values()];
  return [
    ...all.filter(({ stage }) => stage !== 'book'),
    ...all.filter(({ stage, sliceAt }) => stage === 'book' && sliceAt <= now),
  ];
}
