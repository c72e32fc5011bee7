import { toAmount } from '../../src/domain/amount.ts';
import { assert } from '../../src/domain/assert.ts';
import type { FuturesMarketId } from '../../src/domain/futures-market.ts';
import type { CallbackBps } from '../../src/domain/futures-order.ts';
import type {
  AccountId,
  OrderNumber,
  Sequence,
  TimestampMs,
} from '../../src/domain/identifiers.ts';
import type { Ticks } from '../../src/domain/spot-market.ts';
import type { Side } from '../../src/domain/spot-order.ts';
import type { Command } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import type { EngineEvent } from '../../src/engine/events.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { stopResult, timeStop } from '../stop-time.ts';
import { futuresCommand, perpetualFunding, perpetualTerms } from '../workload/futures-commands.ts';
import { Random } from '../workload/random.ts';

// Prices move under many trailing stops of one symbol: half of them sales, half of them watching
// the mark price. What is measured is the longest command, as long as an order may have to wait:
// while all begin at once, while each tick is a better price for half of them, while the price
// swings and stops come and go, and while a slump fires all sales.
//
// The same commands run in several rounds. The longest command of the best round contains garbage
// collection, of what was placed before too, and the compiler; the least that each command took in
// any round is its own work.

const counts = [25_000, 100_000];
/** So many in a first round that is not counted. */
const warmUpCount = 4_000;
/** The maximum that one account may have in a symbol. */
const stopsPerAccount = 200;
const ticks = 300;
const rounds = 5;
/** Trades that leave no young object from before for the garbage collector. */
const settlingQuotes = 3_000;
const startTime = 1_750_000_000_000;
const marketId = 0 as FuturesMarketId;
const { symbol } = perpetualTerms(0);
/** Prices in ticks of 0.01 USDT; 10^-8 USDT that one is worth. */
const middle = 100_000;
const tickWorth = 1_000_000n;
const quoteLots = 100_000;
const noFlow = { commands: 0, seed: 0 };

interface Phase {
  readonly name: string;
  readonly fired: number;
  /** Microseconds of the processor that each command took. */
  readonly times: readonly number[];
}

/** A symbol with two makers around the price, and accounts with trailing stops. */
class Floor {
  private readonly engine = engineFactory.create();
  private readonly random = new Random(11);
  private readonly accounts: number;
  private readonly stops: { readonly accountId: AccountId; readonly orderNumber: OrderNumber }[] =
    [];
  private times: number[] = [];
  private fired = 0;
  private now = startTime;
  private sequence = 0;

  constructor(count: number) {
    this.accounts = Math.ceil(count / stopsPerAccount);
    const funding = perpetualFunding({ accounts: this.accounts + 3, markets: 1, ...noFlow });
    for (const command of funding) this.apply(command);
    this.quote(middle);
    for (let at = 0; at < count; at += 1) this.placeStop(at, middle);
  }

  measure(name: string, work: () => void): Phase {
    this.times = [];
    this.fired = 0;
    work();
    return { name, fired: this.fired, times: this.times };
  }

  /** Leaves the stops to the old objects, which garbage collection looks at seldom. */
  settle(): void {
    for (let at = 0; at < settlingQuotes; at += 1) this.quote(middle);
  }

  /** Both prices go there, and what that brings is done. */
  move(price: number): void {
    this.now += 1_000;
    const index = toAmount(BigInt(price) * tickWorth);
    this.timed({ type: 'setIndexPrice', symbol, price: index });
    this.finish();
    this.quote(price);
    this.finish();
  }

  /** One stop is canceled and another one placed. */
  exchange(price: number): void {
    const at = this.random.nextBelow(this.stops.length);
    const stop = this.stops[at];
    assert(stop !== undefined, 'there are stops');
    this.timed({ type: 'cancelFuturesOrder', ...stop });
    this.placeStop(at, price);
  }

  private placeStop(at: number, price: number): void {
    const side: Side = at % 2 === 0 ? 'sell' : 'buy';
    const distance = 1 + this.random.nextBelow(1_500);
    const accountId = (1 + (at % this.accounts)) as AccountId;
    const step = { account: accountId, market: 0, price, quantity: 1, canceled: 0 };
    const order = futuresCommand({ ...step, isBuy: side === 'buy', isTaking: true }, 1, 0);
    assert(order.type === 'placeFuturesOrder', 'the step places an order');
    const events = this.timed({
      ...order,
      orderType: 'trailing_stop_market',
      price: null,
      triggerPriceKind: at % 4 < 2 ? 'mark' : 'contract',
      activationPrice: (side === 'sell' ? price + distance : price - distance) as Ticks,
      callback: (500 + this.random.nextBelow(300)) as CallbackBps,
    });
    const [placed] = events;
    assert(placed?.type === 'futuresOrderUpdated', 'a stop is taken');
    this.stops[at] = { accountId, orderNumber: placed.order.orderNumber };
  }

  /** The first maker stands around the price, and the second one trades there. */
  private quote(price: number): void {
    const [maker, taker] = [this.accounts + 1, this.accounts + 2];
    const accountId = maker as AccountId;
    this.timed({ type: 'cancelAllFuturesOrders', accountId, marketId, kind: 'all' });
    const order = { market: 0, canceled: 0, isTaking: false, quantity: quoteLots };
    const bid = { ...order, account: maker, price: price - 1, isBuy: true };
    const ask = { ...order, account: maker, price: price + 1, isBuy: false };
    const hit = { ...order, account: taker, price, isBuy: false, quantity: 1, isTaking: true };
    for (const step of [bid, ask, { ...bid, price, quantity: 1 }, hit]) {
      this.timed(futuresCommand(step, 1, 0));
    }
  }

  private finish(): void {
    while (this.timed({ type: 'advanceTime' }).some(({ type }) => type === 'timedWorkDue'));
  }

  private timed(command: Command): readonly EngineEvent[] {
    const { result: events, microseconds } = timeStop(() => this.apply(command));
    this.times.push(microseconds);
    for (const event of events) {
      if (event.type === 'futuresOrderUpdated' && event.cause === 'triggered') this.fired += 1;
    }
    return events;
  }

  private apply(command: Command): readonly EngineEvent[] {
    this.sequence += 1;
    const stamp = { sequence: this.sequence as Sequence, timestamp: this.now as TimestampMs };
    const { rejection, events } = this.engine.apply(command, stamp);
    assert(rejection === null, `${command.type}: ${rejection?.reason}`);
    return events;
  }
}

function runPhases(count: number): readonly Phase[] {
  const floor = new Floor(count);
  floor.settle();
  const begin = floor.measure('all begin', () => {
    floor.move(middle + 1_501);
    floor.move(middle - 1_501);
  });
  const better = floor.measure('a better price each tick', () => {
    for (let at = 0; at < ticks; at += 1) floor.move(middle + 1_501 + at);
    for (let at = 0; at < ticks; at += 1) floor.move(middle - 1_501 - at);
  });
  const swings = floor.measure('swings, and stops come and go', () => {
    for (let at = 0; at < ticks; at += 1) {
      const price = middle + (at % 2 === 0 ? 1_801 - at : 0);
      floor.move(price);
      for (let each = 0; each < 10; each += 1) floor.exchange(price);
    }
    floor.move(middle + 1_900);
    floor.move(middle - 1_900);
  });
  const slump = floor.measure('a slump fires all sales', () => {
    floor.move(middle - 10_000);
  });
  return [begin, better, swings, slump];
}

/** Prints what each phase took. @returns the longest command of the best round, in microseconds. */
function runRounds(count: number): number {
  const all = Array.from({ length: rounds }, () => runPhases(count));
  const [first] = all;
  assert(first !== undefined, 'there is a round');
  let longest = 0;
  for (const [at, { name, fired, times }] of first.entries()) {
    const each = all.flatMap((phases) => phases[at] ?? []);
    const own = times.map((_time, command) =>
      Math.min(...each.map((phase) => phase.times[command] ?? 0)),
    );
    const best = Math.min(...each.map((phase) => Math.max(...phase.times)));
    const usual = [...own].sort((a, b) => a - b)[Math.floor(own.length / 2)] ?? 0;
    const costs = [usual, Math.max(...own), best].map((cost) => (cost / 1e3).toFixed(3));
    const [usualMs, ownMs, bestMs] = costs;
    const text = `usual ${usualMs} ms, longest ${ownMs} ms, with all else ${bestMs} ms`;
    console.log(`${count} stops, ${name}: ${times.length} commands, ${fired} fired, ${text}`);
    longest = Math.max(longest, best);
  }
  return longest;
}

function run(options: readonly string[]): Promise<BenchmarkResult> {
  const chosen = options.length > 0 ? options.map(Number) : counts;
  runPhases(warmUpCount);
  const longest = Math.max(...chosen.map((count) => runRounds(count)));
  return Promise.resolve(stopResult('trailing-stops', longest));
}

export const benchmark: Benchmark = {
  name: 'trailing-stops',
  summary:
    'prices move under 25,000 and 100,000 trailing stops: the longest stop of order flow (less is better)',
  run,
};
