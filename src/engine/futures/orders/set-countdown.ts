import type { Rejection } from '../../../domain/rejection.ts';
import type { SetCountdownCancel } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';

/** Sets, replaces or (null) ends the countdown of an account's orders in a market. */
export function setCountdown(
  state: FuturesState,
  { accountId, marketId, cancelAt }: SetCountdownCancel,
): Rejection | null {
  if (state.markets[marketId] === undefined) return { reason: 'market_not_found' };
  const key = `${accountId}:${marketId}`;
  if (cancelAt === null) state.countdowns.delete(key);
  else state.countdowns.set(key, { accountId, marketId, cancelAt });
  return null;
}
