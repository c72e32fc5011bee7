import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import {
  type DerivativesService,
  readEnvelope,
  startDerivatives,
} from '../support/derivatives-service.ts';

// Leverage and what bounds it on the general surface, by a token as by a signed key.

let service: DerivativesService;
let symbol: string;
let trader: Address;

beforeAll(async () => {
  service = await startDerivatives();
});
afterAll(() => service.close());
beforeEach(async () => {
  symbol = await service.nextMarket({ max_notional: '1000000' });
  await service.setIndex(symbol, '100');
  service.advanceTime();
  trader = await service.nextTrader();
});

const path = '/api/v1/leverage';
const leverageOf = (as: Address) => service.read(path, as, { symbol: symbol.toLowerCase() });

async function refusal(body: object): Promise<string> {
  const { status, error } = await service.post(path, trader, body);
  return `${status} ${error?.code ?? ''}`;
}

describe('/api/v1/leverage', () => {
  test('leverage: a value set with a token is stored for the account and market', async () => {
    const other = await service.nextTrader();
    expect(await leverageOf(trader)).toMatchObject([{ symbol, leverage: 20, max_leverage: 100 }]);
    const { data } = await service.post(path, trader, {
      symbol: symbol.toLowerCase(),
      leverage: 50,
    });
    expect(data).toEqual({ symbol, leverage: 50, max_leverage: 100, max_notional: '250000' });
    expect(await leverageOf(trader)).toEqual([data]);
    expect(await leverageOf(other)).toMatchObject([{ leverage: 20 }]);
    const orderId = service.place(trader, { symbol, side: 'buy', price: 100, quantity: 5 });
    expect(orderId).toBeGreaterThan(0);
    // 500 over 50.
    expect(await service.read('/api/v1/unified/account', trader)).toMatchObject({
      order_margin: '10',
    });
  });

  test('leverage: a signed key with the trade permission sets it; a read-only key may only read', async () => {
    const set = { method: 'POST', path, as: trader, body: { symbol, leverage: 7 } } as const;
    expect(readEnvelope(await service.spot.callSigned(set))).toMatchObject({
      status: 200,
      data: { leverage: 7, max_notional: null },
    });
    const denied = { status: 403, error: { code: 'PERMISSION_DENIED' } };
    expect(readEnvelope(await service.spot.callSigned(set, ['read']))).toMatchObject(denied);
    const get = { path, as: trader, query: { symbol } };
    expect(readEnvelope(await service.spot.callSigned(get, ['read']))).toMatchObject({
      status: 200,
      data: [{ symbol, leverage: 7 }],
    });
  });

  test('leverage: without a symbol all markets are returned', async () => {
    const all = await service.read<readonly { symbol: string }[]>(path, trader);
    const markets = await service.read<readonly { symbol: string }[]>('/api/v1/markets');
    expect(all.map((each) => each.symbol).sort()).toEqual(
      markets.map((market) => market.symbol).sort(),
    );
  });

  test('leverage: bad values are refused and change nothing', async () => {
    for (const leverage of [0, -1, 1.5, 1000, 'x', null]) {
      expect(await refusal({ symbol, leverage })).toBe('400 INVALID_PARAMETER');
    }
    expect(await refusal({ symbol })).toBe('400 INVALID_PARAMETER');
    expect(await refusal({ symbol, leverage: 101 })).toBe('400 INVALID_LEVERAGE');
    expect(await refusal({ symbol: 'NOPEUSDT', leverage: 5 })).toBe('404 MARKET_NOT_FOUND');
    expect((await service.get(path, trader, { symbol: 'NOPEUSDT' })).status).toBe(404);
    expect(await leverageOf(trader)).toMatchObject([{ leverage: 20 }]);
  });

  test('leverage: refused if the margin of open positions and orders is not covered', async () => {
    const poor = await service.nextTrader('100');
    service.place(poor, { symbol, side: 'buy', price: 100, quantity: 15 });
    const { status, error } = await service.post(path, poor, { symbol, leverage: 10 });
    expect([status, error?.code]).toEqual([400, 'INSUFFICIENT_MARGIN']);
    expect(await leverageOf(poor)).toMatchObject([{ leverage: 20 }]);
  });
});

describe('GET /api/v1/leverage-brackets', () => {
  const brackets = '/api/v1/leverage-brackets';

  test('brackets: each tier with its leverage, bounds and margin, as decimal text', async () => {
    const answer = await service.read(brackets, trader, { symbol });
    const tier = (
      bracket: number,
      max_leverage: number,
      bounds: readonly [string, string | null],
      margin: readonly [string, string, string],
    ) => ({
      bracket,
      max_leverage,
      notional_floor: bounds[0],
      notional_cap: bounds[1],
      initial_margin_rate: margin[0],
      maintenance_margin_rate: margin[1],
      maintenance_amount: margin[2],
    });
    // The amounts make the margin continuous: 400 at 100000, 1600 at 250000, 5600 at 500000.
    expect(answer).toEqual([
      {
        symbol,
        open_interest_value: expect.stringMatching(/^\d+(\.\d+)?$/) as string,
        margin_raised_from: '5000000',
        max_open_interest: '10000000',
        brackets: [
          tier(1, 100, ['0', '100000'], ['0.01', '0.004', '0']),
          tier(2, 50, ['100000', '250000'], ['0.02', '0.008', '400']),
          tier(3, 25, ['250000', '500000'], ['0.04', '0.016', '2400']),
          tier(4, 12, ['500000', null], ['0.083333334', '0.032', '10400']),
        ],
      },
    ]);
    const signed = await service.spot.callSigned(
      { path: brackets, as: trader, query: { symbol } },
      ['read'],
    );
    expect(readEnvelope(signed).data).toEqual(answer);
  });

  test('brackets: of all markets without a symbol; an unknown one is 404', async () => {
    const all = await service.read<readonly { symbol: string }[]>(brackets, trader);
    expect(all.map((each) => each.symbol)).toContain(symbol);
    const { status, error } = await service.get(brackets, trader, { symbol: 'NOPEUSDT' });
    expect([status, error?.code]).toEqual([404, 'MARKET_NOT_FOUND']);
  });
});
