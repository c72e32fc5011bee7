import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FuturesPorts } from '../../src/application/futures/futures-ports.ts';
import { toAmount } from '../../src/domain/amount.ts';
import { exchangeSurface } from '../../src/gateway/errors/exchange-errors.ts';
import { adminFuturesRoutes } from '../../src/gateway/http/admin/futures-routes.ts';
import { insuranceEndpoints } from '../../src/gateway/http/fapi/insurance-endpoints.ts';
import { derivativePorts } from '../support/derivatives-service.ts';
import { nextUser, outcomeOf } from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';

let service: SpotService;
beforeAll(async () => {
  service = await SpotService.start({
    routes: (parts) => {
      const ports = { ...derivativePorts(parts), indexPriceSource: 'admin' as const };
      const endpoints = insuranceEndpoints(ports as unknown as FuturesPorts).filter(
        ({ path: each }) => each === '/fapi/v1/insuranceBalance',
      );
      return [adminFuturesRoutes(ports), { surface: exchangeSurface, endpoints }];
    },
  });
});
afterAll(() => service.close());

const path = '/api/v1/admin/futures/insurance';

async function topUp(body: object): Promise<unknown> {
  return outcomeOf(service.call({ method: 'POST', path, isAdmin: true, body }));
}

interface Fund {
  readonly balance: string;
  readonly withdrawals_gated: boolean;
  readonly withdrawals_held: boolean;
  readonly gated_until: string | null;
}

async function loadFund(): Promise<Fund> {
  const { body } = await service.call({ path, isAdmin: true });
  return body as Fund;
}

const ok = { status: 200, body: { ok: true } };

describe('POST /api/v1/admin/futures/insurance', () => {
  it('insurance: from the treasury and from fees; the fund is public, bad debt is for administrators', async () => {
    await nextUser(service, { USDT: '100' });
    expect(await loadFund()).toEqual({
      balance: '0',
      held: '0',
      bad_debt: '0',
      fee_revenue: '0',
      accounts_in_liquidation: 0,
      withdrawals_gated: false,
      withdrawals_held: false,
      gated_until: null,
    });
    expect(await topUp({ amount: '250.5', source: 'treasury', reason: 'a start' })).toEqual(ok);
    expect(await loadFund()).toMatchObject({ balance: '250.5', bad_debt: '0' });
    const shown = await service.call({ path: '/fapi/v1/insuranceBalance' });
    expect(shown).toMatchObject({
      status: 200,
      body: [{ symbols: [], assets: [{ asset: 'USDT', marginBalance: '250.5' }] }],
    });
    expect(await topUp({ amount: '1', source: 'fees' })).toMatchObject({ status: 400 });
    expect(await loadFund()).toMatchObject({ balance: '250.5' });
  });

  it('insurance: the same reference counts once, and each top-up leaves an audit row', async () => {
    const body = { amount: '10', source: 'treasury', reference: 'once' };
    const before = Number((await loadFund()).balance);
    expect(await topUp(body)).toEqual(ok);
    expect(await topUp(body)).toEqual(ok);
    expect((await loadFund()).balance).toBe(String(before + 10));
    const rows = await service.query((db) =>
      db
        .selectFrom('admin_audit')
        .select('detail')
        .where('action', '=', 'top_up_insurance_fund')
        .execute(),
    );
    expect(rows.map(({ detail }) => detail)).toContainEqual({
      amount: '10',
      source: 'treasury',
      repaid: '0',
      reason: null,
      reference: 'once',
    });
    const named = rows.filter(({ detail }) => JSON.stringify(detail).includes('once'));
    expect(named).toHaveLength(1);
  });

  it.each([
    { amount: '0', source: 'treasury' },
    { amount: '-1', source: 'treasury' },
    { amount: '1.123456789', source: 'treasury' },
    { amount: '99999999999', source: 'treasury' },
    { amount: '1', source: 'elsewhere' },
    { amount: '1' },
    { amount: '1', source: 'fees', more: 1 },
  ])('insurance with %j: 400 INVALID_PARAMETER', async (body) => {
    const { balance } = await loadFund();
    expect(await topUp(body)).toMatchObject({ status: 400, body: { error: 'INVALID_PARAMETER' } });
    expect((await loadFund()).balance).toBe(balance);
  });

  it('insurance: a wrong or missing key is 401 UNAUTHORIZED, for reading too', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const body = method === 'POST' ? { amount: '1', source: 'treasury' } : undefined;
      const reply = await service.call({ method, path, ...(body === undefined ? {} : { body }) });
      expect([reply.status, reply.body]).toEqual([401, { error: 'UNAUTHORIZED' }]);
    }
  });

  it('hold: an administrator holds withdrawals and releases them', async () => {
    const { exchange } = service;
    const holding = '/api/v1/admin/futures/withdrawals';
    const hold = (held: boolean) =>
      outcomeOf(
        service.call({
          method: 'PUT',
          path: holding,
          isAdmin: true,
          body: { held, reason: 'audited' },
        }),
      );
    expect(await hold(true)).toEqual(ok);
    expect(await loadFund()).toMatchObject({ withdrawals_gated: true, withdrawals_held: true });
    expect(await hold(false)).toEqual(ok);
    expect(await loadFund()).toMatchObject({
      withdrawals_gated: true,
      withdrawals_held: false,
      gated_until: new Date(exchange.time + 60_000).toISOString(),
    });
    exchange.time += 60_000;
    exchange.apply({ type: 'advanceTime' });
    expect(await loadFund()).toMatchObject({ withdrawals_gated: false, gated_until: null });
    const body = { held: true };
    const reply = await service.call({ method: 'PUT', path: holding, body });
    expect([reply.status, reply.body]).toEqual([401, { error: 'UNAUTHORIZED' }]);
    expect((await loadFund()).withdrawals_held).toBe(false);
  });

  it('gate: shut for a minute after a pause of the exchange, with its end reported', async () => {
    const { exchange } = service;
    exchange.time = Math.max(exchange.time, Date.now()) + 300_001;
    exchange.apply({
      type: 'moveHouseFunds',
      amount: toAmount(1n),
      source: 'treasury',
      reason: null,
      reference: null,
    });
    const until = new Date(exchange.time + 60_000).toISOString();
    const { withdrawals_gated: isGated, gated_until: told } = await loadFund();
    expect([isGated, new Date(String(told)).toISOString()]).toEqual([true, until]);
  });
});
