import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FakeClient } from '../../../test/support/fake-connection.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { ManualExchange } from '../../../test/support/manual-exchange.ts';
import type { StreamMessage } from '../../../test/support/stream-server.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import type { AccountId, MarketId, OrderNumber } from '../../domain/identifiers.ts';
import { decimalFromLots, decimalFromTicks } from '../../domain/spot-market.ts';
import { WholeTopics } from './channels/whole-topics.ts';
import { Hub } from './hub.ts';
import { SpotFeed } from './spot-feed.ts';
import { defaultStreamLimits } from './stream-limits.ts';
import { noStreamMetrics } from './stream-metrics.ts';

// A client that knows nothing but the messages rebuilds the book: whatever is traded, whenever it
// subscribes, drops or falls behind, its book is the engine's best 30 levels at that update.

const limits = {
  ...defaultStreamLimits,
  flushIntervalMs: 0,
  // So small that a client that does not read falls behind at once.
  backlogResyncBytes: 300,
};
const marketId = 0 as MarketId;
const clientCount = 3;

type Pair = readonly [price: string, quantity: string];
interface Levels {
  readonly bids: readonly Pair[];
  readonly asks: readonly Pair[];
}

/** The book as a client holds it. */
class ClientBook {
  seq: number | null = null;
  updateId = 0;
  readonly #bids = new Map<string, string>();
  readonly #asks = new Map<string, string>();

  take(message: StreamMessage): void {
    const data = message['data'] as Levels;
    if (message.type === 'resync') {
      this.seq = null;
      return;
    }
    if (message.type === 'snapshot') {
      this.#bids.clear();
      this.#asks.clear();
    } else {
      expect(this.seq, 'a snapshot comes before any update').not.toBeNull();
      expect(message['prev_seq']).toBe(this.seq);
      expect(message['seq']).toBe(Number(this.seq) + 1);
    }
    this.seq = Number(message['seq']);
    this.updateId = Number(message['last_update_id']);
    apply(this.#bids, data.bids);
    apply(this.#asks, data.asks);
  }

  levels(): Levels {
    const sorted = (side: ReadonlyMap<string, string>, direction: 1 | -1): readonly Pair[] =>
      [...side].sort(([a], [b]) => (Number(a) - Number(b)) * direction);
    return { bids: sorted(this.#bids, -1), asks: sorted(this.#asks, 1) };
  }
}

function apply(side: Map<string, string>, pairs: readonly Pair[]): void {
  for (const [price, quantity] of pairs) {
    if (quantity !== '0') side.set(price, quantity);
    else expect(side.delete(price), `${price} leaves a book that holds it`).toBe(true);
  }
}

function engineLevels(exchange: ManualExchange): Levels {
  const { engine } = exchange;
  const market = engine.getSpotMarket(marketId);
  const { bids, asks } = engine.getDepth(marketId, 30);
  const pairs = (levels: typeof bids): readonly Pair[] =>
    levels.map(({ price, quantity }) => [
      formatDecimal(decimalFromTicks(market, price)),
      formatDecimal(decimalFromLots(market, quantity)),
    ]);
  return { bids: pairs(bids), asks: pairs(asks) };
}

const clientNumber = fc.nat({ max: clientCount - 1 });
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('place' as const),
      trader: fc.constantFrom(0, 1),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      // Bids and asks overlap in the middle, and each side has room for more than 30 levels.
      offset: fc.integer({ min: -3, max: 45 }),
      quantity: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('cancel' as const), pick: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('cancelAll' as const), trader: fc.nat(1) }),
  },
  { weight: 6, arbitrary: fc.constant({ type: 'durable' as const }) },
  { weight: 6, arbitrary: fc.constant({ type: 'turn' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('join' as const), client: clientNumber }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('leave' as const), client: clientNumber }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('stall' as const), client: clientNumber }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('readOn' as const), client: clientNumber }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function failTest(): void {
  throw new Error('the feed broke');
}

class Scene {
  readonly exchange = new ManualExchange();
  readonly clock = new ManualClock();
  readonly hub: Hub;
  readonly feed: SpotFeed;
  readonly clients = Array.from({ length: clientCount }, () => new FakeClient(limits));
  readonly books = this.clients.map(() => new ClientBook());
  readonly traders: readonly [AccountId, AccountId];
  readonly depths = new Map<number, Levels>();
  resyncCount = 0;

  constructor() {
    this.clock.holdTurns();
    this.exchange.addMarket('BTCUSDT');
    this.traders = [this.exchange.addTrader(1), this.exchange.addTrader(2)];
    this.exchange.isDurableAtOnce = false;
    this.hub = new Hub({ clock: this.clock, limits, metrics: noStreamMetrics });
    const log = { warn: () => {}, error: () => {} };
    const { exchange, hub, clock } = this;
    const { markets, tickers } = new WholeTopics(hub, clock);
    this.feed = new SpotFeed({
      exchange,
      hub,
      clock,
      history: null,
      log,
      onFailure: failTest,
      markets,
      tickers: tickers.spot,
    });
    this.note();
  }

  note(): void {
    const { lastUpdateId } = this.exchange.engine.getDepth(marketId, 1);
    this.depths.set(lastUpdateId, engineLevels(this.exchange));
  }

  run(each: Step): void {
    switch (each.type) {
      case 'place': {
        const price = each.side === 'buy' ? 1_000 - each.offset : 1_000 + each.offset;
        const accountId = this.traders[each.trader] ?? this.traders[0];
        this.exchange.place({ ...each, type: 'placeSpotOrder', accountId, price });
        return this.note();
      }
      case 'cancel': {
        const open = this.traders.flatMap((id) => this.exchange.engine.listOpenOrders(id, null));
        const order = open[each.pick % Math.max(open.length, 1)];
        if (order === undefined) return;
        const { accountId, orderNumber } = order;
        this.exchange.apply({ type: 'cancelSpotOrder', accountId, orderNumber });
        return this.note();
      }
      case 'cancelAll': {
        const accountId = this.traders[each.trader] ?? this.traders[0];
        this.exchange.apply({ type: 'cancelAllSpotOrders', accountId, marketId });
        return this.note();
      }
      case 'durable':
        return this.exchange.makeDurable();
      case 'turn':
        return this.clock.endTurn();
      case 'join':
      case 'leave':
      case 'stall':
      case 'readOn':
        return this.#move(each.type, each.client);
    }
  }

  #move(type: 'join' | 'leave' | 'stall' | 'readOn', number: number): void {
    const client = this.clients[number];
    const topic = this.feed.findMarket('BTCUSDT')?.orderbook;
    if (client === undefined || topic === undefined) return;
    if (type === 'join') this.hub.join(client.connection, topic);
    else if (type === 'leave') this.hub.leave(client.connection, topic);
    else if (type === 'stall') client.stopReading();
    else client.readOn();
  }

  /** Every message that has come is true to the engine at its own update. */
  check(): void {
    for (const [number, client] of this.clients.entries()) {
      const book = this.books[number];
      if (book === undefined) continue;
      for (const message of client.take()) {
        book.take(message);
        if (message.type === 'resync') this.resyncCount += 1;
        else expect(book.levels()).toEqual(this.depths.get(book.updateId));
      }
    }
  }
}

test('orderbook: a client that rebuilds the book holds the engine’s best 30 levels at each seq', async () => {
  let resyncCount = 0;
  let messageCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 30, maxLength: 300, size: 'max' }),
      // Always a step that exists.
      fc.nat(29),
      async (steps, startAt) => {
        const scene = new Scene();
        for (const [index, each] of steps.entries()) {
          // The feed may begin while commands are on their way to the disk.
          if (index === startAt) void scene.feed.start();
          if (index % 7 === 0) await Promise.resolve();
          scene.run(each);
          scene.check();
        }
        scene.exchange.makeDurable();
        for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
        for (let client = 0; client < clientCount; client += 1) {
          scene.run({ type: 'join', client });
          scene.run({ type: 'readOn', client });
        }
        scene.run({ type: 'turn' });
        scene.check();
        for (const book of scene.books) expect(book.levels()).toEqual(engineLevels(scene.exchange));
        resyncCount += scene.resyncCount;
        messageCount += scene.depths.size;
        scene.feed.stop();
      },
    ),
    { numRuns: 100 },
  );
  // The generator does reach what the property is about.
  expect(resyncCount).toBeGreaterThan(20);
  expect(messageCount).toBeGreaterThan(1_000);
});

test('orderbook: the 31st level is sent when one above it leaves', async () => {
  const scene = new Scene();
  await scene.feed.start();
  const [accountId] = scene.traders;
  const numbers: OrderNumber[] = [];
  for (let level = 0; level < 31; level += 1) {
    const { events } = scene.exchange.place({
      accountId,
      side: 'buy',
      price: 1_000 - level,
      quantity: 1,
    });
    for (const event of events) {
      if (event.type === 'spotOrderUpdated') numbers.push(event.order.orderNumber);
    }
  }
  scene.exchange.makeDurable();
  scene.run({ type: 'join', client: 0 });
  const [snapshot] = scene.clients[0]?.take() ?? [];
  const { bids } = snapshot?.['data'] as Levels;
  expect(bids).toHaveLength(30);
  expect(bids.at(-1)).toEqual(['9.71', '0.001']);
  const [best] = numbers;
  if (best === undefined) throw new Error('no order was placed');
  scene.exchange.apply({ type: 'cancelSpotOrder', accountId, orderNumber: best });
  scene.exchange.makeDurable();
  scene.run({ type: 'turn' });
  const [update] = scene.clients[0]?.take() ?? [];
  expect(update?.['data']).toEqual({
    bids: [
      ['10', '0'],
      ['9.7', '0.001'],
    ],
    asks: [],
  });
});
