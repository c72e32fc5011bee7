import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

// Income over a full hour of a position: what it paid in fees, at the funding, and when it closed.

let service: FapiService;
let symbol: string;
let maker: Address;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  symbol = await service.derivatives.nextMarket();
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  maker = await service.derivatives.nextTrader();
  trader = await service.derivatives.nextTrader('10000');
});
afterAll(() => service.close());

interface Income {
  readonly symbol: string;
  readonly incomeType: string;
  readonly income: string;
}

test('income: combines fees, funding and realized PnL', async () => {
  const { derivatives, spot } = service;
  derivatives.place(maker, { symbol, side: 'sell', price: 100, quantity: 10 });
  derivatives.place(trader, { symbol, side: 'buy', quantity: 10 });
  spot.exchange.liveToHour();
  await derivatives.setIndex(symbol, '100');
  derivatives.advanceTime();
  derivatives.place(maker, { symbol, side: 'buy', price: 103, quantity: 10 });
  derivatives.place(trader, { symbol, side: 'sell', quantity: 10 });
  await spot.services.barrier.waitFor(spot.exchange.durableSequence);
  const read = (fields: Record<string, string>) =>
    service.done<Income[]>('GET', '/v1/income', trader, fields);
  const rows = await read({ symbol });
  const byType = new Map(rows.map((row) => [row.incomeType, row]));
  expect([...byType.keys()].sort()).toEqual(['COMMISSION', 'FUNDING_FEE', 'REALIZED_PNL']);
  // 5 bps of 1000 and of 1030; 10 x 3 of profit; the long pays the funding.
  const fees = rows.filter(({ incomeType }) => incomeType === 'COMMISSION');
  expect(fees.map(({ income }) => income)).toEqual(['-0.5', '-0.515']);
  expect(byType.get('REALIZED_PNL')).toMatchObject({ symbol, income: '30', asset: 'USDT' });
  expect(Number(byType.get('FUNDING_FEE')?.income)).toBeLessThan(0);
  for (const incomeType of byType.keys()) {
    const own = rows.filter((row) => row.incomeType === incomeType);
    expect(await read({ symbol, incomeType })).toEqual(own);
  }
});
