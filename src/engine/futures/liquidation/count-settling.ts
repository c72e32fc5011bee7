import type { FuturesState } from '../futures-state.ts';
import type { CloseOut } from './close-out.ts';

// Each market counts the close-outs that keep it settling, so that an order reads a single number
// however many accounts are being closed. The count is updated whenever the close-out's stage, its
// legs or its account's positions change.

/** Must be called after each such change. */
export function countSettling(state: FuturesState, closeOut: CloseOut): void {
  countNowhere(state, closeOut);
  closeOut.settlesIn = settlingMarkets(state, closeOut);
  for (const marketId of closeOut.settlesIn) state.getMarket(marketId).closeOutCount += 1;
}

/** Removes a finished close-out from the counts. */
export function countNowhere(state: FuturesState, closeOut: CloseOut): void {
  for (const marketId of closeOut.settlesIn) state.getMarket(marketId).closeOutCount -= 1;
  closeOut.settlesIn = [];
}

/** The markets in which it still has to close a position; its book stage blocks none. */
function settlingMarkets(state: FuturesState, { accountId, stage, legs }: CloseOut): number[] {
  const found: number[] = [];
  if (stage === 'book') return found;
  for (const position of state.openAccount(accountId).positions) {
    if (position === undefined || position.quantity === 0) continue;
    if (stage !== 'final' || legs.has(position.marketId)) found.push(position.marketId);
  }
  return found;
}
