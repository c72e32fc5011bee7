import { rateOne } from '../../domain/futures-market.ts';
import { canceledMax } from '../commands.ts';
import type { FuturesOrderCause, FuturesOrderEnd } from '../futures-events.ts';
import type { ByRules } from '../rules.ts';
import type { RunningRule } from '../running-rules.ts';
import type { FuturesAccount } from './accounts/futures-account.ts';
import type { FuturesState } from './futures-state.ts';
import { hasEquity } from './margin/account-margin.ts';
import type { FuturesMarketState } from './markets/futures-market-state.ts';
import type { LiveOrder } from './orders/live-order.ts';
import { endedMax, makersMax } from './risk-limits.ts';

// The rules of single commands that the running engine checks where the command does its work. They
// are stated apart from the code that keeps them, so that a fault in that code is found.

/** Rules 11 replays as it was applied. */
const isChecked: ByRules<boolean> = { 11: false, 12: true, 13: true };

type Work = 'canceled' | 'triggered' | 'countdown' | 'good_till_date' | 'liquidation' | 'delisting';

/** The maximum that one command does of each kind of work that it does in pieces. */
const mostWork: Readonly<Record<Work, number>> = {
  canceled: canceledMax,
  triggered: 64,
  // The last order can take two attached ones with it.
  countdown: 202,
  good_till_date: 202,
  liquidation: endedMax,
  delisting: endedMax,
};

/** Trades of one run: of an order on the book, of a close-out's order, of a settled market. */
type Run = 'book' | 'fok' | 'forced' | 'settled';

/**
 * The most trades of one run. A fill-or-kill order can meet a resting order twice, and a close-out
 * takes up to 128 positions of the other side at two prices.
 */
const mostTrades: Readonly<Record<Run, number>> = {
  book: makersMax,
  fok: 2 * makersMax,
  forced: 256,
  settled: 1_000,
};

/** Whether trades are counted. */
const areTradesCounted: ByRules<boolean> = { 11: false, 12: false, 13: true };

/** Reports a rule that the running command has broken. */
export function reportRule(state: FuturesState, rule: RunningRule, detail: string): void {
  if (isChecked[state.rules]) state.engine.broken.report(rule, detail);
}

/** What the running command has done, as far as its rules need it. */
export class CommandRules {
  private readonly counts = new Map<Work, number>();
  /** Accounts whose positions were closed for others; they may still wait to be judged. */
  private readonly deleveraged = new Set<number>();
  private run: Run = 'book';
  /** The order, or the market if it is settled. */
  private runOf = -1;
  private trades = 0;

  begin(): void {
    if (this.counts.size > 0) this.counts.clear();
    if (this.deleveraged.size > 0) this.deleveraged.clear();
    this.runOf = -1;
  }

  addDeleveraged(accountId: number): void {
    this.deleveraged.add(accountId);
  }

  countOrder(cause: FuturesOrderCause, end: FuturesOrderEnd | null): void {
    const work = workOf(cause, end);
    if (work !== null) this.counts.set(work, (this.counts.get(work) ?? 0) + 1);
  }

  /** Counts a trade; those of a run follow one another. */
  countTrade(state: FuturesState, maker: LiveOrder, taker: LiveOrder): void {
    const run = runOfTrade(maker, taker);
    const of = run === 'settled' ? taker.marketId : taker.orderNumber;
    if (of !== this.runOf || run !== this.run) {
      this.run = run;
      this.runOf = of;
      this.trades = 0;
    }
    this.trades += 1;
    if (this.trades !== mostTrades[run] + 1 || !areTradesCounted[state.rules]) return;
    reportRule(state, 'work-bounded', `${this.trades} trades of one order: ${run}`);
  }

  /** Ends the command. */
  checkWork(state: FuturesState): void {
    for (const [work, count] of this.counts) {
      if (count <= mostWork[work]) continue;
      reportRule(state, 'work-bounded', `${count} orders in one command: ${work}`);
    }
  }

  /** A party of a fill ends the command with equity, or is being closed. */
  checkParty(state: FuturesState, account: FuturesAccount): void {
    if (hasEquity(state, account)) return;
    const { accountId } = account;
    if (state.closeOuts.has(accountId) || this.deleveraged.has(accountId)) return;
    reportRule(state, 'no-unjudged-fill', `account ${accountId} traded and has no equity`);
  }
}

/**
 * A position is closed for another one at a price between the value price and the settled price,
 * that is, for no less than it was worth before the move. Up to an hour's funding, which is less
 * than the maintenance rate, and a tick may lie between.
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

function runOfTrade(maker: LiveOrder, taker: LiveOrder): Run {
  if (taker.origin === 'auto_deleveraging') return 'settled';
  if (maker.origin === 'auto_deleveraging') return 'forced';
  return taker.timeInForce === 'fok' ? 'fok' : 'book';
}

function workOf(cause: FuturesOrderCause, end: FuturesOrderEnd | null): Work | null {
  if (cause === 'triggered') return 'triggered';
  if (cause === 'canceled' && end === null) return 'canceled';
  if (cause !== 'canceled' && cause !== 'expired') return null;
  if (end === 'market_delisted') return 'delisting';
  return end === 'countdown' || end === 'good_till_date' || end === 'liquidation' ? end : null;
}
