import type { FuturesState } from '../futures-state.ts';
import type { CloseOut } from './close-out.ts';
import { continueRankings } from './find-candidates.ts';
import { workOnCloseOut } from './liquidate-account.ts';
import { scanRisk } from './scan-risk.ts';

/** The maximum number of close-outs that one command continues. */
const closeOutsMax = 4;
/**
 * The approximate maximum number of positions of other accounts that one command examines for them.
 */
const visitedMax = 1_000;

/**
 * Handles the consequences of price moves: continues close-outs and judges accounts.
 *
 * @returns whether no account is left to be judged, and no close-out to be continued now.
 */
export function settleRisk(state: FuturesState): boolean {
  const areRanked = continueRankings(state);
  let count = 0;
  let visited = 0;
  for (const closeOut of dueCloseOuts(state)) {
    if (count >= closeOutsMax || visited >= visitedMax) break;
    visited += workOnCloseOut(state, closeOut);
    count += 1;
  }
  // Close-outs in progress are finished before others begin; until then their markets settle.
  const isScanned = visited < visitedMax && scanRisk(state);
  return areRanked && isScanned && dueCloseOuts(state).length === 0;
}

/** The close-outs that can continue now: those that close whole accounts first, then slices. */
function dueCloseOuts({ closeOuts, now }: FuturesState): readonly CloseOut[] {
  const all = [...closeOuts.values()];
  return [
    ...all.filter(({ stage }) => stage !== 'book'),
    ...all.filter(({ stage, sliceAt }) => stage === 'book' && sliceAt <= now),
  ];
}
