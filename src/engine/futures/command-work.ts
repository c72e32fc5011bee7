import { makersMax } from '../book/makers-max.ts';
import { canceledMax } from '../commands.ts';
import type { FuturesOrderCause, FuturesOrderEnd } from '../futures-events.ts';
import type { LiveOrder } from './orders/live-order.ts';
import { endedMax } from './risk-limits.ts';

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
const works = Object.keys(mostWork) as readonly Work[];

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

/** What the running command has done, as far as `command-rules.ts` needs it. */
export class CommandWork {
  private makers = 0;
  private counts = noWork();
  private isAnyCounted = false;
  private isAnyExcessive = false;
  /** Accounts whose positions were closed for others; they may still wait to be judged. */
  private readonly deleveraged = new Set<number>();
  /** Of the current run: its kind, its order or settled market, and how many trades it has. */
  private kind: Run = 'book';
  private runOf = -1;
  private count = 0;

  /** Forgets what the command before has done. */
  begin(): void {
    if (this.isAnyCounted) this.counts = noWork();
    this.isAnyCounted = false;
    this.isAnyExcessive = false;
    this.makers = 0;
    if (this.deleveraged.size > 0) this.deleveraged.clear();
    this.runOf = -1;
  }

  /** How many resting orders the orders of the running command have met. */
  get makersMet(): number {
    return this.makers;
  }

  /** What kind of trades was counted last. */
  get run(): Run {
    return this.kind;
  }

  /** The number of trades of the current run. */
  get trades(): number {
    return this.count;
  }

  /** Counts a resting order that an order has met, whether or not it trades. */
  countMaker(): void {
    this.makers += 1;
  }

  /** Records that a position of the account was closed for another account's. */
  addDeleveraged(accountId: number): void {
    this.deleveraged.add(accountId);
  }

  /** Whether the command has closed a position of the account for others. */
  wasDeleveraged(accountId: number): boolean {
    return this.deleveraged.has(accountId);
  }

  /** Counts an order that was canceled, expired or triggered, by its work; others count nothing. */
  countOrder(cause: FuturesOrderCause, end: FuturesOrderEnd | null): void {
    const work = workOf(cause, end);
    if (work === null) return;
    this.isAnyCounted = true;
    this.counts[work] += 1;
    if (this.counts[work] > mostWork[work]) this.isAnyExcessive = true;
  }

  /**
   * Counts a trade; those of a run follow one another.
   *
   * @returns whether it is the first beyond the run's maximum.
   */
  countTrade(maker: LiveOrder, taker: LiveOrder): boolean {
    const run = runOfTrade(maker, taker);
    const of = run === 'settled' ? taker.marketId : taker.orderNumber;
    if (of !== this.runOf || run !== this.kind) {
      this.kind = run;
      this.runOf = of;
      this.count = 0;
    }
    this.count += 1;
    return this.count === mostTrades[run] + 1;
  }

  /** The kinds of work of which the command has done more than it may. */
  excess(): readonly { readonly work: Work; readonly count: number }[] {
    if (!this.isAnyExcessive) return none;
    return works
      .map((work) => ({ work, count: this.counts[work] }))
      .filter(({ work, count }) => count > mostWork[work]);
  }
}

const none: readonly never[] = [];

function noWork(): Record<Work, number> {
  return {
    canceled: 0,
    triggered: 0,
    countdown: 0,
    good_till_date: 0,
    liquidation: 0,
    delisting: 0,
  };
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
