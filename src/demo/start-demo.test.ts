import { afterEach, expect, test, vi } from 'vitest';
import { ManualExchange } from '../../test/support/manual-exchange.ts';
import { seedDevelopmentMarkets } from '../application/admin/seed-development-markets.ts';
import { seedFuturesMarkets } from '../application/derivatives/seed-futures-markets.ts';
import type { EngineEvent, ProfileStore } from '../application/ports.ts';
import { demoAddress, demoAddresses } from '../domain/demo-accounts.ts';
import type { Address } from '../domain/identifiers.ts';
import { type Demo, type DemoPorts, startDemo } from './start-demo.ts';

let demo: Demo | null = null;
let warnings: string[] = [];
afterEach(async () => {
  await demo?.stop();
  demo = null;
  warnings = [];
});

const unranked = { isRanked: false };
const usernames = new Map<Address, string>();
const profiles: ProfileStore = {
  find: async (address) => ({
    address,
    username: usernames.get(address) ?? null,
    createdAt: new Date(0),
  }),
  setUsername: async (address, username) => {
    usernames.set(address, username);
    return 'changed';
  },
};

async function startedPorts(exchange: ManualExchange): Promise<DemoPorts> {
  await seedDevelopmentMarkets(exchange);
  await seedFuturesMarkets(exchange, 'book');
  exchange.addMarket('OTHERUSDT');
  let seed = 1;
  return {
    exchange,
    isSpotTradingEnabled: true,
    barrier: { waitFor: async () => undefined },
    database: { isReachable: async () => true },
    isReady: async () => true,
    profiles,
    log: { warn: (_details, message) => void warnings.push(message) },
    random: () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    },
  };
}

test('startDemo: every development market has quotes on both sides, and trades', async () => {
  const exchange = new ManualExchange();
  const ports = await startedPorts(exchange);
  const events: EngineEvent[] = [];
  exchange.subscribe((batch) => events.push(...batch.flatMap((applied) => applied.events)));
  demo = startDemo(ports, unranked, 1);
  const traded = (): Set<number> =>
    new Set(
      events.flatMap((event) =>
        event.type === 'spotTradeExecuted' ? [event.trade.marketId as number] : [],
      ),
    );
  await vi.waitFor(() => expect([...traded()].sort()).toEqual([0, 1, 2]));
  await vi.waitFor(() => {
    for (const market of exchange.engine.listSpotMarkets().slice(0, 3)) {
      const depth = exchange.engine.getDepth(market.marketId, 20);
      expect(depth.bids.length).toBeGreaterThanOrEqual(6);
      expect(depth.asks.length).toBeGreaterThanOrEqual(6);
    }
  });
  const other = exchange.engine.findSpotMarket('OTHERUSDT');
  expect(other).not.toBeNull();
  expect(traded().has(other?.marketId ?? -1)).toBe(false);
  expect(warnings).toEqual([]);
});

test('startDemo: the perpetuals have quotes on both sides, and are traded', async () => {
  const exchange = new ManualExchange();
  const events: EngineEvent[] = [];
  const ports = await startedPorts(exchange);
  exchange.subscribe((batch) => events.push(...batch.flatMap((applied) => applied.events)));
  demo = startDemo(ports, unranked, 1);
  const { futures } = exchange.engine;
  await vi.waitFor(() => {
    for (const { marketId, symbol } of futures.listFuturesMarkets()) {
      const depth = futures.getFuturesDepth(marketId, 20);
      expect(depth.bids.length, symbol).toBeGreaterThanOrEqual(6);
      expect(depth.asks.length, symbol).toBeGreaterThanOrEqual(6);
      expect(futures.getOpenInterest(marketId), symbol).toBeGreaterThan(0);
    }
  });
  expect(events.some(({ type }) => type === 'futuresTradeExecuted')).toBe(true);
  expect(warnings).toEqual([]);
});

test('startDemo: stopping leaves no order in any book', async () => {
  const exchange = new ManualExchange();
  demo = startDemo(await startedPorts(exchange), unranked, 1);
  await vi.waitFor(() => expect(exchange.durableSequence).toBeGreaterThan(100));
  await demo.stop();
  const stoppedAt = exchange.durableSequence;
  for (const market of exchange.engine.listSpotMarkets()) {
    const { bids, asks } = exchange.engine.getDepth(market.marketId, 10);
    expect({ bids, asks }).toEqual({ bids: [], asks: [] });
  }
  for (const { marketId } of exchange.engine.futures.listFuturesMarkets()) {
    const { bids, asks } = exchange.engine.futures.getFuturesDepth(marketId, 10);
    expect({ bids, asks }).toEqual({ bids: [], asks: [] });
  }
  expect(exchange.durableSequence).toBe(stoppedAt);
});

test('startDemo: a failed step is logged and does not end the demo', async () => {
  const exchange = new ManualExchange();
  const ports = await startedPorts(exchange);
  demo = startDemo({ ...ports, database: { isReachable: async () => false } }, unranked, 1);
  await vi.waitFor(() => expect(warnings.length).toBeGreaterThanOrEqual(3));
});

test('startDemo: nothing happens before the exchange is ready', async () => {
  const exchange = new ManualExchange();
  const ports = await startedPorts(exchange);
  const before = exchange.durableSequence;
  let isUp = false;
  let questions = 0;
  const isReady = async () => {
    questions += 1;
    return isUp;
  };
  demo = startDemo({ ...ports, isReady }, unranked, 1);
  await vi.waitFor(() => expect(questions).toBeGreaterThan(10));
  expect(exchange.durableSequence).toBe(before);
  isUp = true;
  await vi.waitFor(() => expect(exchange.durableSequence).toBeGreaterThan(before));
  expect(warnings).toEqual([]);
});

test('seedDevelopmentMarkets: an exchange that has a market is left as it is', async () => {
  const exchange = new ManualExchange();
  expect(await seedDevelopmentMarkets(exchange)).toEqual(['BTCUSDT', 'ETHUSDT', 'DFUSDT']);
  expect(await seedDevelopmentMarkets(exchange)).toEqual([]);
  expect(exchange.engine.listSpotMarkets()).toHaveLength(3);
});

test('startDemo: a quoted book never loses all its quotes while they are renewed', async () => {
  const exchange = new ManualExchange();
  const ports = await startedPorts(exchange);
  demo = startDemo(ports, unranked, 1);
  await demo.quoted;
  const worth = { smallest: Number.POSITIVE_INFINITY, looks: 0 };
  const { engine } = exchange;
  exchange.subscribe(() => {
    for (const { marketId } of engine.listSpotMarkets().slice(0, 3)) {
      const { bids, asks } = engine.getDepth(marketId, 20);
      worth.smallest = Math.min(worth.smallest, bids.length, asks.length);
    }
    worth.looks += 1;
  });
  await vi.waitFor(() => expect(worth.looks).toBeGreaterThan(1_000));
  expect(worth.smallest).toBeGreaterThanOrEqual(4);
});

test('startDemo: its traders have names', async () => {
  demo = startDemo(await startedPorts(new ManualExchange()), unranked, 1);
  const maker = demoAddress({ kind: 'spot', marketId: 0, role: 1, isRanked: false });
  await vi.waitFor(() => expect(usernames.get(maker)).toBe('BTCUSDT_maker_1'));
  await vi.waitFor(() => expect(usernames.size).toBe(20));
  expect([...usernames.values()].filter((name) => !/^[A-Za-z0-9_]{3,24}$/.test(name))).toEqual([]);
});

test('demoAddress: ranked traders have addresses that leaderboards show', () => {
  const account = { kind: 'futures', marketId: 3, role: 2 } as const;
  const isUnranked = (address: Address): boolean =>
    address >= demoAddresses.first && address <= demoAddresses.last;
  expect(isUnranked(demoAddress({ ...account, isRanked: false }))).toBe(true);
  expect(isUnranked(demoAddress({ ...account, isRanked: true }))).toBe(false);
});
