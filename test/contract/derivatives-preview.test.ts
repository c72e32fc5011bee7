import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { type DerivativesService, startDerivatives } from '../support/derivatives-service.ts';

let service: DerivativesService;
let symbol: string;
let trader: Address;
beforeAll(async () => {
  service = await startDerivatives();
  symbol = await service.nextMarket();
  await service.setIndex(symbol, '100');
  const maker = await service.nextTrader();
  trader = await service.nextTrader('1000');
  service.place(maker, { symbol, side: 'sell', price: 100, quantity: 1 });
  service.place(maker, { symbol, side: 'sell', price: 110, quantity: 1 });
  service.place(maker, { symbol, side: 'buy', price: 90, quantity: 5 });
});
afterAll(() => service.close());

const preview = (body: object) =>
  service.post('/api/v1/orders/preview', trader, { symbol, side: 'BUY', ...body });

describe('POST /api/v1/orders/preview', () => {
  it('preview: est_slippage comes from a real scan of the order book', async () => {
    const { status, data } = await preview({ type: 'MARKET', quantity: '2' });
    expect(status).toBe(200);
    expect(data).toEqual({
      symbol,
      side: 'BUY',
      type: 'MARKET',
      quantity: '2',
      price: null,
      best_price: '100',
      est_avg_price: '105',
      est_worst_price: '110',
      est_filled_quantity: '2',
      est_notional: '210',
      est_slippage: '0.05',
      max_slippage: null,
      est_fee: '0.105',
      taker_rate: '0.0005',
      leverage: 20,
      est_initial_margin: '10.5',
      available_balance: '1000',
      mark_price: '100',
      est_liquidation_price: null,
    });
  });

  it('preview: the margin rises with open interest, 787.5 for 1,500 at three quarters', async () => {
    const crowded = await service.nextMarket({ max_notional: '2000', max_open_interest: '2000' });
    await service.setIndex(crowded, '100');
    const margin = async (quantity: string) => {
      const body = { symbol: crowded, side: 'BUY', type: 'LIMIT', price: '100', quantity };
      const { data } = await service.post('/api/v1/orders/preview', trader, body);
      return (data as { est_initial_margin: string }).est_initial_margin;
    };
    // 5 % up to half of the maximum; 5 % + 95 % x 1/2 at three quarters; 100 % at the maximum.
    expect(await margin('10')).toBe('50');
    expect(await margin('15')).toBe('787.5');
    expect(await margin('20')).toBe('2000');
  });

  it('preview: nothing is placed', async () => {
    await preview({ type: 'MARKET', quantity: '1' });
    expect(await service.read('/api/v1/orders/open', trader)).toEqual([]);
    expect(await service.read('/api/v1/positions/active', trader)).toEqual([]);
  });

  it('preview: within max_slippage it succeeds, beyond it 400 SLIPPAGE_EXCEEDED', async () => {
    const within = await preview({ quantity: 2, max_slippage: '0.05' });
    expect([within.status, (within.data as { max_slippage: string }).max_slippage]).toEqual([
      200,
      '0.05',
    ]);
    const beyond = await preview({ quantity: 2, max_slippage: '0.0499' });
    expect([beyond.status, beyond.error?.code]).toEqual([400, 'SLIPPAGE_EXCEEDED']);
    const tooMuch = await preview({ quantity: 3, max_slippage: '1' });
    expect([tooMuch.status, tooMuch.error?.code]).toEqual([400, 'SLIPPAGE_EXCEEDED']);
  });

  it('preview: a sell scans the bids', async () => {
    const { data } = await preview({ side: 'SELL', quantity: '6' });
    expect(data).toMatchObject({ best_price: '90', est_filled_quantity: '5', est_slippage: '0' });
  });

  it('preview: a limit order fills up to its price, and needs margin for all of it', async () => {
    const { data } = await preview({ type: 'LIMIT', quantity: '2', price: '105' });
    expect(data).toMatchObject({
      price: '105',
      est_filled_quantity: '1',
      est_avg_price: '100',
      est_initial_margin: '10.5',
    });
  });

  it('preview: the symbol in any letter case, the quantity truncated to the lot', async () => {
    const { data } = await preview({ symbol: symbol.toLowerCase(), quantity: '1.0009' });
    expect(data).toMatchObject({ symbol, quantity: '1' });
  });

  it.each([
    [{ quantity: '0.0009' }, 400, 'INVALID_LOT'],
    [{ quantity: '1', type: 'LIMIT', price: '100.05' }, 400, 'INVALID_TICK'],
    [{ quantity: '1', type: 'LIMIT' }, 400, 'INVALID_PARAMETER'],
    [{ quantity: '1', side: 'buy' }, 400, 'INVALID_PARAMETER'],
    [{ quantity: '-1' }, 400, 'INVALID_PARAMETER'],
    [{ quantity: '1', max_slippage: '1.1' }, 400, 'INVALID_PARAMETER'],
    [{ quantity: '1', symbol: 'NOPEUSDT' }, 404, 'MARKET_NOT_FOUND'],
  ])('preview: %j is %i %s', async (body, status, code) => {
    const reply = await preview(body);
    expect([reply.status, reply.error?.code]).toEqual([status, code]);
  });

  it('preview: an empty book has no price', async () => {
    const empty = await service.nextMarket();
    const reply = await preview({ symbol: empty, quantity: '1' });
    expect([reply.status, reply.error?.code]).toEqual([400, 'NO_LIQUIDITY']);
  });

  it('preview: est_liquidation_price is where the position is liquidated once the order has filled', async () => {
    const market = await service.nextMarket();
    await service.setIndex(market, '100');
    const maker = await service.nextTrader();
    const holder = await service.nextTrader('100');
    for (const [side, price] of [
      ['sell', 100],
      ['buy', 100],
    ] as const) {
      service.place(maker, {
        symbol: market,
        side,
        price: side === 'sell' ? price + 1 : price,
        quantity: 50,
      });
    }
    // Opens, grows, shrinks, turns round, and closes.
    const steps = [
      ['BUY', '5'],
      ['BUY', '3'],
      ['SELL', '2'],
      ['SELL', '10'],
    ] as const;
    for (const [side, quantity] of steps) {
      const order = { symbol: market, side, type: 'MARKET', quantity };
      const { data } = await service.post('/api/v1/orders/preview', holder, order);
      const placed = await service.post('/api/v1/orders', holder, order);
      expect(placed.status).toBe(200);
      const positions = await service.read<readonly { liquidation_price: string | null }[]>(
        '/api/v1/positions/active',
        holder,
      );
      const { est_liquidation_price: expected } = data as { est_liquidation_price: string };
      expect({ side, quantity, price: expected }).toEqual({
        side,
        quantity,
        price: positions[0]?.liquidation_price,
      });
      expect(expected).toMatch(/^\d/);
    }
    const close = { symbol: market, side: 'BUY', type: 'MARKET', quantity: '4' };
    const { data } = await service.post('/api/v1/orders/preview', holder, close);
    expect(data).toMatchObject({ est_liquidation_price: null });
  });
});
