import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FakeClient } from '../../../../test/support/fake-connection.ts';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { ManualExchange, testAddress } from '../../../../test/support/manual-exchange.ts';
import { ManualBalanceFeed } from '../../../../test/support/stream-server.ts';
import type { BalanceChange } from '../../../application/ports/balance-feed.ts';
import type { AppliedCommand } from '../../../application/ports/exchange.ts';
import { formatAmount } from '../../../domain/amount.ts';
import type { AccountId, MarketId } from '../../../domain/identifiers.ts';
import { formatOrderId } from '../../../domain/order-id.ts';
import { Hub } from '../hub.ts';
import { Outbox } from '../outbox.ts';
import type { StreamBalance, StreamOrder } from '../protocol/stream-schemas.ts';
import { SpotFeed } from '../spot-feed.ts';
import { defaultStreamLimits } from '../stream-limits.ts';
import { noStreamMetrics } from '../stream-metrics.ts';
import { BalancesChannel } from './balances-channel.ts';
import type { PrivateChannel, PrivateStream } from './channel.ts';
import { OrdersChannel } from './orders-channel.ts';
import { WholeTopics } from './whole-topics.ts';

// A client that knows nothing but the messages ends with the engine's own orders and balances,
// whenever it subscribes, whatever waits for the disk and however far the database lags behind.

type Channel = 'orders' | 'balances';
const address = testAddress(1);

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('place' as const),
      trader: fc.nat(1),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      price: fc.integer({ min: 98, max: 102 }),
      quantity: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'cancelAll' as const }) },
  { weight: 4, arbitrary: fc.constant({ type: 'durable' as const }) },
  { weight: 4, arbitrary: fc.constant({ type: 'project' as const }) },
  { weight: 4, arbitrary: fc.constant({ type: 'turn' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('open' as const, 'close' as const),
      channel: fc.constantFrom<Channel>('orders', 'balances'),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Scene {
  readonly exchange = new ManualExchange();
  readonly clock = new ManualClock();
  readonly client = new FakeClient(defaultStreamLimits);
  readonly orders = new Map<string, StreamOrder>();
  readonly balances = new Map<string, StreamBalance>();
  readonly #feed: SpotFeed;
  readonly #balanceFeed = new ManualBalanceFeed();
  readonly #channels: Readonly<Record<Channel, PrivateChannel>>;
  readonly #streams = new Map<Channel, PrivateStream>();
  readonly #seqs = new Map<Channel, number>();
  readonly #traders: readonly AccountId[];
  #unprojected: AppliedCommand[] = [];
  #openedAt = 0;

  constructor() {
    const { exchange, clock, client } = this;
    clock.holdTurns();
    exchange.addMarket('BTCUSDT');
    this.#traders = [exchange.addTrader(1), exchange.addTrader(2)];
    const parts = { clock, limits: defaultStreamLimits, metrics: noStreamMetrics };
    const outbox = new Outbox(parts);
    const hub = new Hub(parts);
    const { markets, tickers } = new WholeTopics(hub, clock);
    this.#feed = new SpotFeed({
      ...parts,
      exchange,
      hub,
      markets,
      tickers: tickers.spot,
      history: null,
      log: { warn: () => {}, error: () => {} },
      onFailure: () => {
        throw new Error('the feed broke');
      },
    });
    this.#channels = {
      orders: new OrdersChannel({ exchange, feed: this.#feed, outbox, clock }),
      balances: new BalancesChannel({
        exchange,
        balanceFeed: this.#balanceFeed,
        outbox,
        clock,
      }),
    };
    client.connection.account = { address, expiresAt: null, isEnded: () => false };
    exchange.subscribe((batch) => this.#unprojected.push(...batch));
    exchange.isDurableAtOnce = false;
  }

  async start(): Promise<void> {
    await this.#feed.start();
  }

  run(each: Step): void {
    this.exchange.time += 1;
    switch (each.type) {
      case 'place': {
        const { side, price, quantity } = each;
        const accountId = this.#traders[each.trader] ?? (0 as AccountId);
        this.exchange.place({ accountId, side, price, quantity });
        return;
      }
      case 'cancelAll': {
        const [accountId = 0 as AccountId] = this.#traders;
        this.exchange.apply({ type: 'cancelAllSpotOrders', accountId, marketId: 0 as MarketId });
        return;
      }
      case 'durable':
        return this.exchange.makeDurable();
      case 'project':
        return this.#project();
      case 'turn':
        return this.clock.endTurn();
      case 'open':
        return this.open(each.channel);
      case 'close':
        return this.#close(each.channel);
    }
  }

  open(channel: Channel): void {
    this.#close(channel);
    if (channel === 'orders') this.#openedAt = this.exchange.time;
    this.#streams.set(channel, this.#channels[channel].open(this.client.connection, address));
  }

  openWhatIsClosed(): void {
    for (const channel of ['orders', 'balances'] as const) {
      if (!this.#streams.has(channel)) this.open(channel);
    }
  }

  #close(channel: Channel): void {
    this.#streams.get(channel)?.end();
    // What was in transit may still arrive.
    this.clock.endTurn();
    this.take();
    this.#streams.delete(channel);
    this.#seqs.delete(channel);
  }

  #project(): void {
    const { engine } = this.exchange;
    const latest = new Map<string, BalanceChange>();
    for (const { events, sequence } of this.#unprojected.splice(0)) {
      for (const event of events) {
        if (event.type !== 'balanceChanged') continue;
        const owner = engine.getAddress(event.accountId);
        const token = engine.getTokenSymbol(event.tokenId);
        const available = formatAmount(event.available);
        const locked = formatAmount(event.locked);
        const change = { address: owner, token, available, locked, sequence };
        latest.set(`${owner} ${token}`, { market: 'spot', ...change });
      }
    }
    this.#balanceFeed.notify([...latest.values()].sort((a, b) => a.sequence - b.sequence));
  }

  /** Takes the messages that have come, each of which must follow the one before it. */
  take(): void {
    for (const { type, channel, seq, data } of this.client.take()) {
      const name = channel as Channel;
      expect(this.#streams.has(name), 'an ended stream is silent').toBe(true);
      const before = this.#seqs.get(name);
      expect(seq).toBe(type === 'snapshot' ? 1 : Number(before) + 1);
      this.#seqs.set(name, Number(seq));
      if (name === 'orders') this.#takeOrders(type, data as StreamOrder[]);
      else this.#takeBalances(type, data as StreamBalance[]);
    }
  }

  #takeOrders(type: string, orders: readonly StreamOrder[]): void {
    if (type === 'snapshot') this.orders.clear();
    for (const order of orders) {
      const isNews = type === 'snapshot' || order.updated_at > this.#openedAt;
      expect(isNews, 'an update is later than the snapshot').toBe(true);
      const isLive = order.status === 'new' || order.status === 'partially_filled';
      if (isLive) this.orders.set(order.order_id, order);
      else this.orders.delete(order.order_id);
    }
  }

  #takeBalances(type: string, balances: readonly StreamBalance[]): void {
    if (type === 'snapshot') this.balances.clear();
    for (const balance of balances) this.balances.set(balance.token, balance);
  }

  /** What the account really has, by the engine. */
  truth() {
    const { engine } = this.exchange;
    const [accountId = 0 as AccountId] = this.#traders;
    const orders = engine
      .listOpenOrders(accountId, null)
      .map((order) => [formatOrderId(order), order.filledQuantity / 1_000]);
    const balances = engine.listBalances(accountId).map((balance) => ({
      market: 'spot',
      token: engine.getTokenSymbol(balance.tokenId),
      available: formatAmount(balance.available),
      locked: formatAmount(balance.locked),
    }));
    return {
      orders: new Map(orders as [string, number][]),
      balances: new Map(balances.map((balance) => [balance.token, balance])),
    };
  }
}

test('private channels: a client ends with the engine’s own orders and balances', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 150, size: 'max' }), async (steps) => {
      const scene = new Scene();
      await scene.start();
      scene.open('orders');
      scene.open('balances');
      for (const [index, each] of steps.entries()) {
        if (index % 5 === 0) for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
        scene.run(each);
        scene.take();
      }
      scene.openWhatIsClosed();
      scene.run({ type: 'place', trader: 0, side: 'buy', price: 90, quantity: 1 });
      scene.run({ type: 'durable' });
      for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
      scene.run({ type: 'project' });
      scene.run({ type: 'turn' });
      scene.take();
      const truth = scene.truth();
      const filled = [...scene.orders].map(
        ([id, order]) => [id, Number(order.filled_quantity)] as const,
      );
      expect(new Map(filled)).toEqual(truth.orders);
      expect(scene.balances).toEqual(truth.balances);
    }),
    { numRuns: 100 },
  );
});
