import { pino } from 'pino';
import { toAmount } from '../../../src/domain/amount.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import { defaultGuards, futuresPriceMax, type Rate } from '../../../src/domain/futures-market.ts';
import type { AccountId, MarketId, TimestampMs } from '../../../src/domain/identifiers.ts';
import { type Lots, spotOrdersMax, type Ticks } from '../../../src/domain/spot-market.ts';
import { ExchangeClock } from '../../../src/sequencer/exchange-clock.ts';
import { btcTerms } from '../../support/futures-fixture.ts';
import { expectSame, expectThat, type Scheme, takeOut } from './scheme.ts';
import { unit, type World } from './world.ts';

// What groups try at the limits of time, of amounts of work, of money that pays, and of numbers.

const price = 30_000;
const second = 1_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The exchange's clock, on a machine whose wall clock says what the scheme wants. */
class WrongClock {
  wallAhead = 0;
  private readonly world: World;
  private readonly begin: number;
  private passed = 0;
  private seen: number;
  private clock: ExchangeClock;

  constructor(world: World) {
    this.world = world;
    this.begin = world.time;
    this.seen = world.time;
    this.clock = this.start();
  }

  /** True time passes; the next stamp of the exchange follows its clock. @returns by how much. */
  pass(ms: number): number {
    const { world } = this;
    // What has passed for the others since the last reading.
    this.passed += world.time - this.seen;
    const before = this.clock.now(world.time);
    this.passed += ms;
    world.time = this.clock.now(before);
    this.seen = world.time;
    return world.time - before;
  }

  /** The process ends, and another one continues from its last stamp. */
  restart(): void {
    this.world.restore();
    this.clock = this.start();
    void this.clock.begin(this.world.time as TimestampMs);
  }

  private start(): ExchangeClock {
    return new ExchangeClock({
      time: {
        wallMs: () => this.begin + this.passed + this.wallAhead,
        monotonicMs: () => this.passed,
        after: () => () => undefined,
      },
      readSecondClock: () => Promise.resolve(null),
      logger: pino({ enabled: false }),
    });
  }
}

/** One reading of the wall clock a day ahead, then an hour behind, with a restart in between. */
const wrongClock: Scheme = function* (world) {
  const market = world.open(price);
  const [long, short] = world.colluders(3_000, 3_000);
  if (long === undefined || short === undefined) return;
  world.cross(market, [long, short], price, 100);
  world.silent.add(market.symbol);
  const clock = new WrongClock(world);
  const pushedAt = world.time;
  world.push(market.symbol);
  const stateOf = () => world.engine.futures.getFuturesPrices(market.marketId).priceState;
  for (let passed = 0; world.time - pushedAt <= 61 * second; passed += second) {
    clock.wallAhead = passed === 5 * second ? dayMs : 0;
    const moved = clock.pass(second);
    expectThat(moved >= 950 && moved <= 1_050, `a second moves time by ${moved} ms`);
    world.tick(0);
    const age = world.time - pushedAt;
    expectSame(`an index ${age} ms old`, stateOf(), age > 60 * second ? 'stale' : 'fresh');
    if (passed === 30 * second) yield;
  }
  world.silent.delete(market.symbol);
  const [firstHour, begin] = [Math.floor(world.time / hourMs) + 1, world.time];
  for (const [wallAhead, least] of [
    [0 - hourMs, 499],
    [dayMs, 950],
    [0, 499],
  ] as const) {
    clock.wallAhead = wallAhead;
    for (let each = 0; each < 12; each += 1) {
      const moved = clock.pass(300 * second);
      // An hour behind, the exchange's time goes at half speed: on, and never back.
      const isWithin = moved >= least * 300 && moved <= 1_050 * 300;
      expectThat(isWithin, `five minutes move time by ${moved} ms at ${wallAhead}`);
      world.tick(0);
    }
    world.pass(0);
    yield;
    clock.restart();
  }
  world.pass(0);
  expectThat(world.time - begin > hourMs, 'more than an hour has passed');
  for (let hour = firstHour; hour <= Math.floor(world.time / hourMs); hour += 1) {
    const what = `hour ${hour * hourMs} of ${market.marketId}`;
    // Where others let hours pass at once, the market settles them as one.
    const isPassed = !world.isAlone && world.counts.get(what) === undefined;
    if (!isPassed) expectSame(what, world.counts.get(what), 1);
  }
  world.flatten(long, market);
};

function orderInSpot(accountId: AccountId, marketId: MarketId, at: number) {
  return {
    type: 'placeSpotOrder',
    accountId,
    marketId,
    side: 'buy',
    clientOrderId: null,
    orderType: 'limit',
    timeInForce: 'gtc',
    price: (1 + (at % 50)) as Ticks,
    quantity: 1 as Lots,
    quoteQuantity: null,
  } as const;
}

/** As many spot orders of one account as are allowed, in many markets, all ended at once. */
const manyOrders: Scheme = function* (world) {
  const markets = world.isAlone ? 8 : 1;
  const owner = world.fund(1);
  const amount = toAmount(1_000n * unit);
  const address = world.engine.getAddress(owner);
  const rest = { actor: 'test', reason: null, reference: null };
  world.do({ type: 'creditBalance', address, token: 'USDT', amount, ...rest });
  const marketIds = Array.from({ length: markets }, () => world.openSpot());
  for (const marketId of marketIds) {
    for (let at = 0; at < spotOrdersMax; at += 1) {
      expectSame('an order', world.do(orderInSpot(owner, marketId, at)), null);
    }
    expectSame('one more', world.do(orderInSpot(owner, marketId, 0)), 'too_many_orders');
    yield;
  }
  const open = new Set(world.engine.listOpenOrders(owner, null).map((each) => each.orderNumber));
  expectSame('open orders', open.size, markets * spotOrdersMax);
  for (let piece = 0; open.size > 0; piece += 1) {
    world.do({ type: 'cancelAllSpotOrders', accountId: owner, marketId: null });
    const before = open.size;
    for (const event of world.events) {
      if (event.type === 'spotOrderUpdated') open.delete(event.order.orderNumber);
    }
    expectSame(`orders ended by piece ${piece}`, before - open.size, Math.min(256, before));
    const isDue = world.events.some(({ type }) => type === 'workDue');
    expectSame('more is due', isDue, open.size > 0);
    if (!world.isAlone) yield;
  }
  const tokenId = world.engine.findToken('USDT');
  const balance = world.engine.listBalances(owner).find((each) => each.tokenId === tokenId);
  expectSame('what is free again', balance?.available, amount);
  expectSame('what is locked', balance?.locked, 0n);
};

/** The only counterparty is itself being closed: nobody can pay but the exchange. */
const nobodyPays: Scheme = function* (world) {
  const market = world.open(price);
  const { futures } = world.engine;
  const pot = Number((futures.insuranceFund + futures.futuresFees) / unit);
  // In coins: enough that a fall by a third is more than the exchange has.
  const size = 10 + 10 * Math.ceil(pot / 60_000);
  const [long, short] = world.colluders(1_500 * size, 306 * size);
  if (long === undefined || short === undefined) return;
  for (const each of [long, short]) world.leverage(each, market, 100);
  expectSame('opening', world.cross(market, [long, short], price, 1_000 * size), null);
  const stageOf = (each: AccountId) => world.engine.futures.findCloseOut(each)?.stage;
  // The short is closed slice by slice, as far as anyone sells: nobody does.
  for (let index = price; stageOf(short) !== 'book'; index += 10) {
    expectThat(index < price + 1_000, 'the short is closed in slices');
    world.push(market.symbol, index);
    // Close-outs of others come first.
    world.passSilently(0);
  }
  expectSame('the short', world.lotsOf(short, market), -1_000 * size);
  const had = {
    fund: world.engine.futures.insuranceFund + world.engine.futures.insuranceHeld,
    fees: world.engine.futures.futuresFees,
    wallet: world.engine.futures.getPerpAccount(long).walletBalance,
  };
  world.push(market.symbol, 20_000);
  world.pass(0);
  const after = world.engine.futures;
  expectSame('the long', world.lotsOf(long, market), 0);
  expectSame('the short, at the mark', world.lotsOf(short, market), 0);
  expectSame('its wallet', after.getPerpAccount(long).walletBalance, 0n);
  const missing = BigInt(10_000 * size) * unit - had.wallet;
  if (world.isAlone) {
    expectSame('fees that are left', after.futuresFees, 0n);
    expectSame('fund that is left', after.insuranceFund, 0n);
    expectSame('bad debt', after.badDebt, 0n - (missing - had.fees - had.fund));
    // Wallet 3,000 less the fee of the maker, and the whole fall from 30,000.
    const gain = BigInt(306 * size + 10_000 * size) * unit - 6n * BigInt(size) * unit;
    expectSame('what the short has', after.getPerpAccount(short).walletBalance, gain);
  }
  expectThat(after.badDebt < 0n && after.isWithdrawalGateShut, 'the gate is shut');
  expectSame('what leaves', takeOut(world, short, long), 0n - BigInt(1_806 * size) * unit);
  yield;
  world.pass(120_000);
  expectThat(world.engine.futures.isWithdrawalGateShut, 'the gate stays shut');
  const owed = 0n - world.engine.futures.badDebt;
  const [source, reason, reference] = ['treasury', null, null] as const;
  const amount = toAmount(owed + had.fund);
  world.do({ type: 'moveHouseFunds', amount, source, reason, reference });
  expectSame('bad debt', world.engine.futures.badDebt, 0n);
  world.pass(60_000);
  if (world.isAlone) {
    expectThat(!world.engine.futures.isWithdrawalGateShut, 'a top-up opens the gate');
    const { withdrawable } = world.engine.futures.getPerpAccount(short);
    expectSame('what the short takes out', world.withdraw(short), withdrawable);
    expectSame('all of it', world.engine.futures.getPerpAccount(short).walletBalance, 0n);
  }
  takeOut(world, short, long);
};

/** Terms under which no account could be closed in time, and numbers at the end of their range. */
const limits: Scheme = function* (world) {
  const symbol = 'ODDUSDT';
  const [one, two] = world.colluders(5_000_000, 5_000_000);
  if (one === undefined || two === undefined) return;
  const create = (change: object): string | null =>
    world.do({
      type: 'createFuturesMarket',
      terms: { ...btcTerms, symbol, baseAsset: 'ODD', ...change },
    });
  const steep = { maintenanceMarginRate: 100_000_000n as Rate };
  expectSame('terms that carry nobody', create(steep), 'market_terms_invalid');
  const huge = toAmount((2n ** 63n - 1n) / 100n + 1n);
  const unbounded = { maxNotional: huge, ...defaultGuards(huge) };
  expectSame('a notional beyond all', create(unbounded), 'market_terms_invalid');
  const fine = { tickSize: 1_000_000_000n as Decimal };
  expectSame('a tick below a unit', create(fine), 'market_units_too_fine');
  yield;
  // A tick is a unit, and a lot a coin: 2^52 ticks are 45,035,996.27370496 USDT.
  const terms = {
    tickSize: 10_000_000_000n as Decimal,
    lotSize: (10n ** 18n) as Decimal,
    maxNotional: toAmount(1n << 52n),
    maxOpenInterest: toAmount(10n << 52n),
  };
  const market = world.open(45_035_996, terms);
  for (const each of [one, two]) world.leverage(each, market, 15);
  const orderAt = (each: number) => ({ price: each / 10, lots: 1 });
  const [highest, second_] = [futuresPriceMax, futuresPriceMax - 1];
  expectSame('2^52 - 1', highest, 4_503_599_627_370_495);
  for (const beyond of [2 ** 52, 2 ** 52 + 1, 2 ** 53 - 1]) {
    const refusal = world.place(one, market, 'sell', orderAt(beyond));
    expectSame(`a price of ${beyond} ticks`, refusal, 'price_off_tick');
  }
  expectSame('an ask', world.place(one, market, 'sell', orderAt(highest)), null);
  expectSame('a bid', world.place(two, market, 'buy', orderAt(second_)), null);
  world.restore();
  const depth = world.engine.futures.getFuturesDepth(market.marketId, 5);
  const book = [depth.bids, depth.asks].map((side) =>
    side.map((level) => `${level.quantity} at ${level.price}`).join(),
  );
  expectSame('the book', book.join(' and '), `1 at ${second_} and 1 at ${highest}`);
  yield;
  world.do({ type: 'cancelAllFuturesOrders', accountId: two, marketId: null, kind: 'all' });
  expectSame('a trade', world.place(two, market, 'buy', orderAt(highest)), null);
  const { quantity, entryNotional } = world.engine.futures.getPosition(two, market.marketId);
  expectSame('lots', quantity, 1);
  expectSame('what they cost', entryNotional, toAmount(BigInt(highest)));
  world.place(one, market, 'buy', orderAt(highest));
  world.place(two, market, 'sell', { ...orderAt(highest), isReduceOnly: true });
  expectSame('closed', world.lotsOf(two, market), 0);
  yield;
  const cheap = world.open(1, terms);
  const most = { price: 10_000_000, lots: 45_035_996 };
  const refusals = [most, { ...most, lots: 45_035_997 }, { ...most, lots: 2 ** 53 - 1 }].map(
    (order) => world.place(one, cheap, 'buy', order),
  );
  const tooLarge = 'notional_too_large';
  expectSame('notionals', refusals.join(), ['position_too_large', tooLarge, tooLarge].join());
  takeOut(world, one, two);
};

export const limitSchemes: Readonly<Record<string, Scheme>> = {
  'a clock a day ahead': wrongClock,
  'as many orders as there may be': manyOrders,
  'a loss that nobody can pay': nobodyPays,
  'terms and prices at their limits': limits,
};
