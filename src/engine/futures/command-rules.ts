import { rateOne } from '../../domain/futures-market.ts';
import type { ByRules } from '../rules.ts';
import type { RunningRule } from '../running-rules.ts';
import type { FuturesAccount } from './accounts/futures-account.ts';
import type { FuturesState } from './futures-state.ts';
import { hasEquity } from './margin/account-margin.ts';
import type { FuturesMarketState } from './markets/futures-market-state.ts';
import type { LiveOrder } from './orders/live-order.ts';

// The rules of single commands that the running engine checks as the command does its work. They
// are stated apart from the code that keeps them, so that a fault in that code is found.

/** Rules 11 replays as it was applied. */
const isChecked: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** Whether trades are counted. */
const areTradesCounted: ByRules<boolean> = { 11: false, 12: false, 13: true };

/** Reports a rule that the running command has broken. */
export function reportRule(state: FuturesState, rule: RunningRule, detail: string): void {
  if (isChecked[state.rules]) state.engine.broken.report(rule, detail);
}

/** Counts a trade of two orders, and reports the rule that one order has too many trades. */
export function countTrade(state: FuturesState, maker: LiveOrder, taker: LiveOrder): void {
  const { commandWork } = state;
  if (!commandWork.countTrade(maker, taker) || !areTradesCounted[state.rules]) return;
  const { trades, run } = commandWork;
  reportRule(state, 'work-bounded', `${trades} trades of one order: ${run}`);
}

/** Checks at the end of a command how much it has done. */
export function checkWork(state: FuturesState): void {
  for (const { work, count } of state.commandWork.excess()) {
    reportRule(state, 'work-bounded', `${count} orders in one command: ${work}`);
  }
}

/** A party of a fill ends the command with equity, or is being closed. */
export function checkParty(state: FuturesState, account: FuturesAccount): void {
  if (hasEquity(state, account)) return;
  const { accountId } = account;
  if (state.closeOuts.has(accountId) || state.commandWork.wasDeleveraged(accountId)) return;
  reportRule(state, 'no-unjudged-fill', `account ${accountId} traded and has no equity`);
}

/**
 * A position is closed for another one at a price between the valuation price and the settled
 * price, that is, for no less than it was worth before the move. Up to an hour's funding, which is
 * less than the maintenance rate, and a tick may lie between.
 */
export function checkDeleveraging(
  state: FuturesState,
  market: FuturesMarketState,
  side: 'buy' | 'sell',
  price: number,
): void {
  const { settledPrice, terms, markTicksAbove, markTicksBelow } = market;
  if (settledPrice === null) return;
  const give = (settledPrice * terms.maintenanceMarginRate) / rateOne;
  const isWithin =
    side === 'sell'
      ? price >= markTicksAbove &&
        price <= Math.max(markTicksAbove, market.ticksAbove(settledPrice + give) + 1)
      : price <= Math.max(1, markTicksBelow) &&
        price >= Math.min(markTicksBelow, market.ticksBelow(settledPrice - give) - 1);
  if (isWithin) return;
  const detail = `${terms.symbol} closes positions of others at ${price} ticks`;
  reportRule(state, 'deleveraging-bounded', detail);
}
