import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import type { AccountMargin } from '../margin/account-margin.ts';
import { finalNotional } from '../risk-limits.ts';
import { notionalOfAll } from './close-out-stage.ts';
import type { Slack } from './watch-account.ts';

// How far an account is from what happens to it next: a margin call, the end of one, a close-out,
// or its final stage.

/** What decides about an account, in 10^-8 USDT. */
export type JudgedMargin = Pick<AccountMargin, 'equity' | 'maintenance'>;

/** Maintenance margin over equity, in percent, from which an account gets a margin call. */
export const warnedFrom = 80n;
export const hundred = 100n;

/**
 * Whether a margin call is over: equity is at least 3/2 of the maintenance margin. It is more than
 * what ends a call's cause, so that a mark that goes back and forth does not raise one each time.
 */
export function isClear({ equity, maintenance }: JudgedMargin): boolean {
  return 2n * equity >= 3n * maintenance;
}

/** What the account can lose before its next margin call, in 10^-8 USDT. */
export function slackOfWarning({ equity, maintenance }: JudgedMargin): bigint {
  return (equity * warnedFrom) / hundred - maintenance;
}

/** The slack of an account with positions that is not to be closed now. */
export function slackOf(state: FuturesState, account: FuturesAccount, margin: JudgedMargin): Slack {
  const { equity, maintenance } = margin;
  if (state.closeOuts.has(account.accountId)) return slackInBook(state, account, margin);
  if (!account.isWarned) return { loss: slackOfWarning(margin), gain: null };
  return { loss: equity - maintenance, gain: (3n * maintenance - 2n * equity) / 2n };
}

/**
 * In the book stage: until the account is closed entirely for its little equity or size. One that
 * only waits for a fresh price has until its equity is negative.
 */
function slackInBook(
  state: FuturesState,
  account: FuturesAccount,
  { equity, maintenance }: JudgedMargin,
): Slack {
  const large = notionalOfAll(state, account) - finalNotional;
  const enough = equity - (2n * maintenance) / 3n;
  if (large <= 0n || enough <= 0n) return { loss: equity, gain: null };
  return { loss: large < enough ? large : enough, gain: large };
}
