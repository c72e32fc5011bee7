import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type EquityPeriod, equityByPeriod } from '../../src/application/futures/account-equity.ts';
import type { Address, TimestampMs } from '../../src/domain/identifiers.ts';
import { adminFuturesRoutes } from '../../src/gateway/http/admin/futures-routes.ts';
import { derivativeRoutes } from '../../src/gateway/http/derivatives/routes.ts';
import {
  DerivativesService,
  derivativePorts,
  readEnvelope,
} from '../support/derivatives-service.ts';
import { expectOk, nextAddress, nextUser } from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';
import { WalletRig } from '../support/wallet/wallet-rig.ts';

// GET /api/v1/account/equity-history: equity and profit over time.

const path = '/api/v1/account/equity-history';
const hourMs = 3_600_000;

let service: DerivativesService;
let symbol: string;
let maker: Address;
let trader: Address;

/** By how much the service's clock is ahead. */
let laterMs = 0;

beforeAll(async () => {
  const spot = await SpotService.start({
    routes: (parts) => {
      const now = () => (parts.now() + laterMs) as TimestampMs;
      const ports = { ...derivativePorts(parts), indexPriceSource: 'admin' as const, now };
      return [derivativeRoutes(ports), adminFuturesRoutes(ports)];
    },
  });
  service = new DerivativesService(spot);
});
afterAll(() => service.close());
beforeEach(async () => {
  // The middle of an hour, so that none begins during a test.
  const time = Date.now() + laterMs;
  advance((Math.floor(time / hourMs) + 1.5) * hourMs - time);
  symbol = await service.nextMarket();
  await markAt('100');
  maker = await service.nextTrader();
  trader = await service.nextTrader('1000');
});

function advance(durationMs: number): void {
  laterMs += durationMs;
  service.spot.exchange.time = Date.now() + laterMs;
}

type Period = Readonly<Record<string, string>>;

async function markAt(price: string): Promise<void> {
  await service.setIndex(symbol, price);
  service.advanceTime();
}

function trade(quantity: number, price: number): void {
  const side = quantity > 0 ? 'buy' : 'sell';
  const size = Math.abs(quantity);
  const other = quantity > 0 ? 'sell' : 'buy';
  service.place(maker, { symbol, side: other, price, quantity: size });
  service.place(trader, { symbol, side, quantity: size });
}

const read = async (query: Record<string, string> = {}, as = trader) =>
  (await service.read<{ readonly items: readonly Period[] }>(path, as, query)).items;

async function refusal(query: Record<string, string>): Promise<string> {
  const { status, error } = await service.get(path, trader, query);
  return `${status} ${error?.code ?? ''}`;
}

const unified = () => service.read<Period>('/api/v1/unified/account', trader);

describe('GET /api/v1/account/equity-history', () => {
  test('equity-history: the current period ends with what the account holds now', async () => {
    trade(10, 100);
    await markAt('103');
    const [now] = await read();
    const account = await unified();
    for (const field of ['equity', 'wallet_balance', 'unrealized_profit']) {
      expect(now?.[field], field).toBe(account[field]);
    }
    // 10 x 3 at the mark price, less 5 bps of 1000.
    expect(Number(now?.['unrealized_profit'])).toBeGreaterThan(0);
    expect(now).toMatchObject({ fees: '-0.5', realized_profit: '0', transfers: '1000' });
  });

  test('equity-history: each hour is as of its end, newest first', async () => {
    trade(10, 100);
    const afterBuying = await unified();
    advance(hourMs);
    await markAt('103');
    trade(-4, 103);
    const afterSelling = await unified();
    advance(hourMs);
    await markAt('99');
    const [now, before, first, ...others] = await read({ interval: '1h' });
    expect(others).toEqual([]);
    expect(first?.['equity']).toBe(afterBuying['equity']);
    expect(before?.['equity']).toBe(afterSelling['equity']);
    expect(now?.['equity']).toBe((await unified())['equity']);
    // 4 x 3, and 5 bps of 412.
    expect(before).toMatchObject({ realized_profit: '12', fees: '-0.206', transfers: '0' });
    const times = [now, before, first].map((each) => Date.parse(each?.['start_time'] ?? ''));
    expect(times.map((time) => time % hourMs)).toEqual([0, 0, 0]);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(before?.['end_time']).toBe(now?.['start_time']);
  });

  test('equity-history: profit is the change of equity without transfers', async () => {
    trade(-10, 100);
    advance(hourMs);
    await markAt('97');
    const [now, first] = await read({ interval: '1h' });
    const change = Number(now?.['equity']) - Number(first?.['equity']);
    expect(Number(now?.['profit'])).toBeCloseTo(change, 8);
    expect(first).toMatchObject({ transfers: '1000' });
    expect(Number(first?.['profit'])).toBeCloseTo(Number(first?.['equity']) - 1000, 8);
  });

  test('equity-history: limit is the number of periods, the current one included', async () => {
    trade(10, 100);
    advance(3 * hourMs);
    await markAt('101');
    expect(await read({ interval: '1h', limit: '2' })).toHaveLength(2);
    expect(await read({ interval: '1h' })).toHaveLength(4);
    expect(await read({ limit: '1' })).toHaveLength(1);
  });

  test('equity-history: an account without movements has no periods', async () => {
    expect(await read({}, nextAddress())).toEqual([]);
  });

  test('equity-history: a signed key that may read reads what the token reads', async () => {
    trade(10, 100);
    const byToken = await read();
    const reply = await service.spot.callSigned({ path, as: trader }, ['read']);
    const { items } = readEnvelope(reply).data as { readonly items: readonly Period[] };
    expect(items.map(({ equity }) => equity)).toEqual(byToken.map(({ equity }) => equity));
    expect(items).toHaveLength(1);
  });

  test('equity-history: bad values are refused', async () => {
    for (const query of [{ interval: '2h' }, { limit: '0' }, { limit: '367' }, { by: 'day' }]) {
      expect(await refusal(query as never)).toBe('400 INVALID_PARAMETER');
    }
  });
});

describe('withdrawals from the perp wallet', () => {
  let rig: WalletRig;
  let user: Address;
  beforeAll(async () => {
    rig = await WalletRig.start({ DF: '1', USDT: '2' });
    user = await nextUser(rig.service, { USDT: '100' });
    await post('spot/transfer', { direction: 'spot_to_perp', token: 'USDT', amount: '100' });
  });
  afterAll(() => rig.close());

  const post = (name: string, body: object = {}) =>
    expectOk(rig.service.call({ method: 'POST', path: `/api/v1/${name}`, as: user, body }));

  /** Transfers and profit of all time, in units of 10^-8. */
  async function sums(): Promise<string> {
    const { exchange, services } = rig.service;
    await rig.parts.barrier.waitFor(exchange.durableSequence);
    const accountId = exchange.engine.findAccount(user) ?? (0 as never);
    const period = Math.floor(Date.now() / 86_400_000);
    const filter = { accountId, address: user, interval: '1d' as const, firstPeriod: period - 1 };
    const records = await services.futuresHistory.loadEquityRecords(filter);
    const periods = equityByPeriod(records, { first: period - 1, last: period + 1 });
    const sum = (of: (each: EquityPeriod) => bigint): bigint =>
      periods.reduce((total, each) => total + of(each), 0n);
    return `${sum(({ transfers }) => transfers)} ${sum(({ profit }) => profit)}`;
  }

  test('equity-history: a withdrawal leaves when requested, and comes back if canceled', async () => {
    expect(await sums()).toBe('10000000000 0');
    const { data } = (await post('withdraw/request', { token: 'USDT', amount: '30' })) as {
      readonly data: { readonly id: string };
    };
    expect(await sums()).toBe('7000000000 0');
    await post(`withdraw/${data.id}/cancel`);
    expect(await sums()).toBe('10000000000 0');
  });
});
