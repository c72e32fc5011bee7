import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TimestampMs } from '../../src/domain/identifiers.ts';
import { updateVipTiersJob } from '../../src/jobs/update-vip-tiers.ts';
import { type DerivativesService, startDerivatives } from '../support/derivatives-service.ts';
import { type RunningJobs, runJobs } from '../support/run-jobs.ts';
import { nextAddress, nextMarket, outcomeOf } from '../support/spot-fixtures.ts';

let service: DerivativesService;
let jobs: RunningJobs;
beforeAll(async () => {
  service = await startDerivatives();
  const { exchange, services } = service.spot;
  const { barrier, vip } = services;
  const now = () => Date.now() as TimestampMs;
  jobs = runJobs([updateVipTiersJob({ exchange, barrier, vip, now })]);
});
afterAll(async () => {
  await jobs.stop();
  await service.close();
});

interface FeeInfo {
  readonly tiers: readonly Readonly<Record<string, unknown>>[];
  readonly current_tier: number;
  readonly maker_rate: string;
  readonly taker_rate: string;
  readonly markets: readonly { symbol: string; maker_rate: string; taker_rate: string }[];
  readonly spot_markets: readonly { symbol: string; maker_rate: string; taker_rate: string }[];
  readonly account: Readonly<Record<string, unknown>> | null;
}

const path = '/api/v1/account/fee-info';

describe('GET /api/v1/account/fee-info', () => {
  it('fee-info: an anonymous call answers the full VIP table with the VIP 0 baseline', async () => {
    const info = await service.read<FeeInfo>(path);
    expect(info.tiers.map((tier) => tier['tier'])).toEqual([0, 1, 2, 3, 4, 5]);
    expect(info.tiers.map((tier) => tier['min_volume_14d'])).toEqual([
      '0',
      '1000000',
      '5000000',
      '20000000',
      '100000000',
      '500000000',
    ]);
    expect(info.tiers.map((tier) => tier['discount_multiplier'])).toEqual([
      '1',
      '0.9',
      '0.8',
      '0.7',
      '0.6',
      '0.5',
    ]);
    expect(info.tiers[1]).toMatchObject({
      name: 'VIP 1',
      maker_rate: '0.00018',
      taker_rate: '0.00045',
    });
    expect(info).toMatchObject({ current_tier: 0, maker_rate: '0.0002', taker_rate: '0.0005' });
    expect(info.account).toBeNull();
  });

  it('fee-info: the rates of spot, which are those of the market for every account', async () => {
    const market = await nextMarket(service.spot);
    const info = await service.read<FeeInfo>(path);
    expect(info.spot_markets.find(({ symbol }) => symbol === market)).toEqual({
      symbol: market,
      maker_rate: '0.001',
      taker_rate: '0.002',
    });
  });

  it('fee-info: credentials, if sent, must be valid', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    const reply = await service.spot.call({ path, headers });
    expect(reply.status).toBe(401);
  });

  it('fee-info: an account that never traded, by token', async () => {
    const address = nextAddress();
    const info = await service.read<FeeInfo>(path, address);
    expect(info.account).toMatchObject({
      address,
      volume_14d: '0',
      volume_30d: '0',
      next_tier: { tier: 1, missing_volume: '1000000' },
      pending_downgrade: null,
      discount_stack: {
        vip_multiplier: '1',
        referral_discount_bps: 0,
        referral_multiplier: '1',
        combined_multiplier: '1',
      },
    });
  });

  it('fee-info: volume that reaches a tier upgrades at once, and its rates are charged', async () => {
    const symbol = await service.nextMarket();
    await service.setIndex(symbol, '1000');
    const maker = await service.nextTrader('5000000');
    const taker = await service.nextTrader('5000000');
    service.place(maker, { symbol, side: 'sell', price: 1000, quantity: 1200 });
    service.place(taker, { symbol, side: 'buy', quantity: 1000 });
    const info = await untilTier(taker, 1);
    expect(info).toMatchObject({ maker_rate: '0.00018', taker_rate: '0.00045' });
    expect(info.account).toMatchObject({
      volume_14d: '1000000',
      volume_30d: '1000000',
      next_tier: { tier: 2, missing_volume: '4000000' },
      discount_stack: { vip_multiplier: '0.9', combined_multiplier: '0.9' },
    });
    const own = info.markets.find((market) => market.symbol === symbol);
    expect(own).toEqual({ symbol, maker_rate: '0.00018', taker_rate: '0.00045' });
    service.place(taker, { symbol, side: 'buy', quantity: 1 });
    const page = await service.read<{ items: readonly { fee: string }[] }>(
      '/api/v1/account/trades',
      taker,
      { symbol, limit: '1' },
    );
    // 0.00045 of 1000.
    expect(page.items[0]?.fee).toBe('0.45');
  });
});

describe('GET /api/v1/account/fee-info of a known account', () => {
  it('fee-info: a pending downgrade with the UTC midnight at which it applies', async () => {
    const trader = await service.nextTrader();
    const midnight = new Date(Date.now() + 86_400_000);
    midnight.setUTCHours(0, 0, 0, 0);
    const { barrier } = service.spot.services;
    await barrier.waitFor(service.spot.exchange.durableSequence);
    await service.spot.query((db) =>
      sql`INSERT INTO vip_standings (account_id, tier, pending_tier, pending_at, updated_at)
        VALUES (${service.accountOf(trader)}, 3, 2, ${midnight}, now())`.execute(db),
    );
    const { account } = await service.read<FeeInfo>(path, trader);
    expect(account?.['pending_downgrade']).toEqual({
      tier: 2,
      effective_at: midnight.toISOString(),
    });
  });

  it('fee-info: the discount stack combines VIP and referral, and commissionRate uses it', async () => {
    const symbol = await service.nextMarket();
    const trader = await service.nextTrader();
    const accountId = service.accountOf(trader);
    const fees = { vipTier: 2, vipMultiplierTenths: 8, referralDiscountBps: 1_000 } as const;
    service.apply({ type: 'setAccountFees', accountId, ...fees });
    const info = await service.read<FeeInfo>(path, trader);
    expect(info).toMatchObject({
      current_tier: 2,
      maker_rate: '0.000144',
      taker_rate: '0.00036',
      account: {
        discount_stack: {
          vip_multiplier: '0.8',
          referral_discount_bps: 1000,
          referral_multiplier: '0.9',
          combined_multiplier: '0.72',
        },
      },
    });
    expect(info.markets.find((market) => market.symbol === symbol)).toEqual({
      symbol,
      maker_rate: '0.000144',
      taker_rate: '0.00036',
    });
  });
});

async function untilTier(as: Parameters<DerivativesService['read']>[1], tier: number) {
  for (;;) {
    const info = await service.read<FeeInfo>(path, as);
    if (info.current_tier === tier) return info;
  }
}

describe('PUT /api/v1/admin/users/:address', () => {
  const userPath = (address: string): string => `/api/v1/admin/users/${address}`;
  const override = (address: string, body: object) =>
    outcomeOf(service.admin('PUT', userPath(address), body));

  it('vip_override: applies at once, in either direction, and null removes it', async () => {
    const trader = await service.nextTrader();
    for (const [value, rate] of [
      [5, '0.00025'],
      [2, '0.0004'],
      [null, '0.0005'],
    ] as const) {
      const upper = trader.toUpperCase().replace('0X', '0x');
      expect(await override(upper, { vip_override: value })).toEqual({
        status: 200,
        body: { ok: true },
      });
      const info = await service.read<FeeInfo>(path, trader);
      expect([info.current_tier, info.taker_rate]).toEqual([value ?? 0, rate]);
      expect(info.account?.['is_override']).toBe(value !== null);
    }
  });

  it('vip_override: is published on the vip_tier feed', async () => {
    const trader = await service.nextTrader();
    const kinds: string[] = [];
    const told = new Promise<void>((resolve) => {
      service.spot.services.vipFeed.subscribe(trader, (changes) => {
        kinds.push(...changes.map(({ kind }) => kind));
        if (kinds.length === 2) resolve();
      });
    });
    await override(trader, { vip_override: 3 });
    await override(trader, { vip_override: 1 });
    await told;
    expect(kinds).toEqual(['upgrade_immediate', 'downgrade_applied']);
  });

  it('is_market_maker: is stored; every write leaves an audit row', async () => {
    const trader = await service.nextTrader();
    const done = await override(trader, { is_market_maker: true, vip_override: 1 });
    expect(done).toEqual({ status: 200, body: { ok: true } });
    const [row] = await service.spot.query((db) =>
      db.selectFrom('accounts').select('is_market_maker').where('address', '=', trader).execute(),
    );
    expect(row?.is_market_maker).toBe(true);
    const audit = await service.spot.query((db) =>
      db.selectFrom('admin_audit').select(['action', 'detail']).execute(),
    );
    const own = audit.filter(({ detail }) => JSON.stringify(detail).includes(trader));
    expect(own.map(({ action }) => action).sort()).toEqual([
      'set_market_maker',
      'set_vip_override',
    ]);
  });

  it('users: an unknown address is 404 USER_NOT_FOUND', async () => {
    const missing = await override(nextAddress(), { vip_override: 1 });
    expect(missing).toEqual({ status: 404, body: { error: 'USER_NOT_FOUND' } });
  });

  it.each([{}, { vip_override: 6 }, { vip_override: -1 }, { vip_override: '3' }, { vip: 3 }])(
    'users: %j is 400 INVALID_PARAMETER',
    async (body) => {
      const trader = await service.nextTrader();
      const refused = await override(trader, body);
      expect(refused).toMatchObject({ status: 400, body: { error: 'INVALID_PARAMETER' } });
    },
  );
});
