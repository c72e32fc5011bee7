import type { Rejection } from '../../../domain/rejection.ts';
import type { SetCountdownCancel } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';

/** Sets, replaces or (null) stops the countdown of an account's orders in a market. */
export function setCountdown(
  state: FuturesState,
  { accountId, marketId, cancelAt, kind }: SetCountdownCancel,
): Rejection | null {
  if (state.markets[marketId] === undefined) return { reason: 'market_not_found' };
  if (cancelAt === null) state.countdowns.delete(accountId, marketId);
  else state.countdowns.set({ accountId, marketId, cancelAt, kind });
  return null;
}
