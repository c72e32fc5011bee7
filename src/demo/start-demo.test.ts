import { afterEach, expect, test, vi } from 'vitest';
import { ManualExchange } from '../../test/support/manual-exchange.ts';
import { seedDevelopmentMarkets } from '../application/admin/seed-development-markets.ts';
import { seedFuturesMarkets } from '../application/derivatives/seed-futures-markets.ts';
import type { EngineEvent } from '../application/ports.ts';
import { type Demo, type DemoPorts, startDemo } from './start-demo.ts';

let demo: Demo | null = null;
let warnings: string[] = [];
afterEach(async () => {
  await demo?.stop();
  demo = null;
  warnings = [];
});

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
  demo = startDemo(ports, 1);
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
  demo = startDemo(ports, 1);
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
  demo = startDemo(await startedPorts(exchange), 1);
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
  demo = startDemo({ ...ports, database: { isReachable: async () => false } }, 1);
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
  demo = startDemo({ ...ports, isReady }, 1);
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
