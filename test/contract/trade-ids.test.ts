import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { BinanceSpotService } from '../support/binance-spot-service.ts';
import { FapiService } from '../support/fapi-service.ts';

// Trade ids rise by one within a market, whatever is traded elsewhere meanwhile, and every list and
// count that names them agrees.

interface Trade {
  readonly id: number;
}

interface Aggregate {
  readonly f: number;
  readonly l: number;
  readonly q: string;
}

interface Day {
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
}

interface Surface {
  readonly read: (path: string, fields?: Record<string, string | number>) => Promise<unknown>;
  readonly ownTrades: (symbol: string, fromId: number) => Promise<readonly Trade[]>;
  readonly symbols: readonly [string, string];
  readonly close: () => Promise<void>;
}

const tradesEach = 6;
const bodyOf = ({ status, body }: { status: number; body: unknown }): unknown => {
  expect(status).toBe(200);
  return body;
};

async function openFutures(): Promise<Surface> {
  const service = await FapiService.open();
  const { derivatives } = service;
  const symbols = [await derivatives.nextMarket(), await derivatives.nextMarket()] as const;
  for (const symbol of symbols) await derivatives.setIndex(symbol, '100');
  derivatives.advanceTime();
  const maker = await derivatives.nextTrader();
  const taker = await derivatives.nextTrader();
  for (let round = 0; round < tradesEach; round += 1) {
    for (const symbol of symbols) {
      derivatives.place(maker, { symbol, side: 'sell', price: 100 + round, quantity: 0.1 });
      derivatives.place(taker, { symbol, side: 'buy', quantity: 0.1 });
    }
  }
  return {
    read: async (path, fields) => bodyOf(await service.read(`/v1${path}`, fields)),
    ownTrades: (symbol, fromId) => service.done('GET', '/v1/userTrades', taker, { symbol, fromId }),
    symbols,
    close: () => service.close(),
  };
}

async function openSpot(): Promise<Surface> {
  const service = await BinanceSpotService.open();
  const symbols = [await service.nextMarket(), await service.nextMarket()] as const;
  const traders: [Address, Address][] = [];
  for (const symbol of symbols) {
    traders.push([await service.nextTrader(symbol), await service.nextTrader(symbol)]);
  }
  for (let round = 0; round < tradesEach; round += 1) {
    for (const [index, symbol] of symbols.entries()) {
      const [maker, taker] = traders[index] as [Address, Address];
      const order = { symbol, type: 'LIMIT', timeInForce: 'GTC', price: 100 + round, quantity: 1 };
      await service.done('POST', '/order', maker, { ...order, side: 'SELL' });
      await service.done('POST', '/order', taker, { ...order, side: 'BUY' });
    }
  }
  const ofTaker = (symbol: string): Address =>
    traders[symbol === symbols[0] ? 0 : 1]?.[1] as Address;
  return {
    read: async (path, fields) => bodyOf(await service.read(path, fields)),
    ownTrades: (symbol, fromId) =>
      service.done('GET', '/myTrades', ofTaker(symbol), { symbol, fromId }),
    symbols,
    close: () => service.close(),
  };
}

describe.each([
  ['futures', openFutures],
  ['spot', openSpot],
] as const)('trade ids of %s', (_, open) => {
  let surface: Surface;
  const each = Array.from({ length: tradesEach }, (_id, index) => index + 1);
  const idsOf = (trades: readonly Trade[]): readonly number[] => trades.map(({ id }) => id);

  beforeAll(async () => {
    surface = await open();
  });
  afterAll(() => surface.close());

  test('trades of a market: its ids are consecutive', async () => {
    for (const symbol of surface.symbols) {
      expect(idsOf((await surface.read('/trades', { symbol })) as Trade[])).toEqual(each);
      const from = await surface.read('/historicalTrades', { symbol, fromId: 4, limit: 2 });
      expect(idsOf(from as Trade[])).toEqual([4, 5]);
    }
  });

  test("aggTrades: each begins with the trade after the previous one's last", async () => {
    for (const symbol of surface.symbols) {
      const aggregates = (await surface.read('/aggTrades', { symbol })) as Aggregate[];
      expect(aggregates.flatMap(({ f, l }) => each.slice(f - 1, l))).toEqual(each);
      const later = (await surface.read('/aggTrades', { symbol, fromId: 3 })) as Aggregate[];
      expect(later[0]?.f).toBe(3);
    }
  });

  test('ticker/24hr: the count is the number of ids from the first to the last', async () => {
    for (const symbol of surface.symbols) {
      const day = (await surface.read('/ticker/24hr', { symbol })) as Day;
      expect(day).toMatchObject({ firstId: 1, lastId: tradesEach, count: tradesEach });
    }
  });

  test("an account's trades of a market from an id on", async () => {
    for (const symbol of surface.symbols) {
      expect(idsOf(await surface.ownTrades(symbol, 4))).toEqual([4, 5, 6]);
      expect(idsOf(await surface.ownTrades(symbol, tradesEach + 1))).toEqual([]);
    }
  });
});
