import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { ClaimService } from '../support/claims/claim-service.ts';
import { addEarnings, type EarningSketch } from '../support/claims/earning-rows.ts';
import { invalid } from '../support/plain-replies.ts';
import { nextCode } from '../support/referral-service.ts';
import {
  balancesOf,
  baseOf,
  expectOk,
  nextAddress,
  nextMarket,
  nextUser,
  outcomeOf,
  placed,
  textLike,
} from '../support/spot-fixtures.ts';

// What is in the tables of commission and claims, and how the lists sum it up by business line and
// type, in the words of interface.md.

let claims: ClaimService;

beforeAll(async () => {
  claims = await ClaimService.start();
});
afterAll(() => claims.close());

type Row = Readonly<Record<string, unknown>>;
const isoTime = textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function earningsOf(beneficiary: Address): Promise<readonly Row[]> {
  const { rows } = await claims.service.query((db) =>
    sql<Row>`SELECT earning.type, business_line, side, trim_scale(fee_value)::text AS fee_value,
        trim_scale(rate)::text AS rate, trim_scale(commission)::text AS commission, status,
        claimed_at, chain_sync_status, chain_sync_tx, chain_sync_error
      FROM referral_earnings AS earning JOIN accounts ON account_id = beneficiary_id
      WHERE address = ${beneficiary} ORDER BY id`.execute(db),
  );
  return rows;
}

async function idOf(address: Address): Promise<number> {
  const { exchange, services } = claims.service;
  await exchange.submit({ type: 'openAccount', address });
  await services.barrier.waitFor(exchange.durableSequence);
  return Number(exchange.peek((view) => view.findAccount(address)));
}

const post = (as: Address, path: string, body: unknown = {}) =>
  expectOk(claims.referral.post(as, path, body)) as Promise<Row>;
const items = async (as: Address, path: string, query: Record<string, string> = {}) =>
  ((await expectOk(claims.referral.get(as, path, query))) as { items: Row[] }).items;

describe('referral_earnings', () => {
  test('earnings: maker fee and taker fee of a trade are a record each, fee times the rate of the tier', async () => {
    const market = await nextMarket(claims.service);
    const agent = await claims.referral.nextAgent();
    await expectOk(claims.referral.setAgent(agent.address, { tier_level: 2 }));
    const seller = await nextUser(claims.service, { [baseOf(market)]: '10' });
    const buyer = await nextUser(claims.service, { USDT: '1000' });
    for (const trader of [seller, buyer]) await claims.referral.bind(trader, agent.code);
    const order = { symbol: market, type: 'limit', price: '100', quantity: '10' };
    await placed(claims.service, seller, { ...order, side: 'sell' });
    await placed(claims.service, buyer, { ...order, side: 'buy' });
    await claims.service.services.barrier.waitFor(claims.service.exchange.durableSequence);
    const record = {
      type: 'direct',
      business_line: 'spot',
      rate: '0.2',
      status: 'pending',
      claimed_at: null,
      chain_sync_status: 'pending',
      chain_sync_tx: null,
      chain_sync_error: null,
    };
    // The maker pays 10 bps of 1000 USDT, the taker 20 bps in the base token.
    expect(await earningsOf(agent.address)).toEqual([
      { ...record, side: 'maker', fee_value: '1', commission: '0.2' },
      { ...record, side: 'taker', fee_value: '2', commission: '0.4' },
    ]);
  });

  test('earnings: synced with the transaction of the batch, claimed with the time of the redemption', async () => {
    const earner = await claims.nextEarner(11_000_000n);
    await claims.settleAll();
    const [synced] = await earningsOf(earner);
    expect(synced).toMatchObject({
      chain_sync_status: 'synced',
      chain_sync_tx: textLike(/^0x[0-9a-f]{64}$/),
      chain_sync_error: null,
      status: 'pending',
      claimed_at: null,
    });
    const before = Date.now();
    await post(earner, 'claim');
    expect(await earningsOf(earner)).toEqual([synced]);
    await claims.redeem(earner, 11_000_000n);
    const [claimed] = await earningsOf(earner);
    expect(claimed).toEqual({ ...synced, status: 'claimed', claimed_at: expect.any(Date) as Date });
    expect((claimed?.['claimed_at'] as Date).getTime()).toBeGreaterThanOrEqual(before - 1_000);
  });

  test('earnings: failed after 3 attempts with the error, still unclaimed: the columns are independent', async () => {
    const earner = await claims.nextEarner(11_000_000n);
    const { settlements } = claims.service.services.chain;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await earningsOf(earner)).toMatchObject([
        { chain_sync_status: 'pending', status: 'pending' },
      ]);
      await settlements.planBatches(100);
      for (const { batchId } of await settlements.listOpenBatches()) {
        await settlements.countAttempt(batchId, `InvalidAccount ${attempt}`);
      }
    }
    expect(await earningsOf(earner)).toMatchObject([
      {
        chain_sync_status: 'failed',
        chain_sync_error: 'InvalidAccount 3',
        chain_sync_tx: null,
        status: 'pending',
        claimed_at: null,
      },
    ]);
  });
});

describe('commission_claims', () => {
  const rowsOf = async (claimNo: unknown) => {
    const { rows } = await claims.service.query((db) =>
      sql<Row>`SELECT claim_no, trim_scale(amount)::text AS amount, status, tx_hash, failure_reason,
          applied_at, finished_at FROM commission_claims WHERE claim_no = ${claimNo}`.execute(db),
    );
    return rows;
  };

  test('claim rows: processing, then success with tx_hash and finished_at', async () => {
    const earner = await claims.nextEarner(12_500_000n);
    await claims.settleAll();
    const { claim_no: claimNo } = await post(earner, 'claim');
    const row = {
      claim_no: textLike(/^CLM-/),
      amount: '12.5',
      status: 'processing',
      tx_hash: null,
      failure_reason: null,
      applied_at: expect.any(Date) as Date,
      finished_at: null,
    };
    expect(await rowsOf(claimNo)).toEqual([row]);
    const hash = await claims.redeem(earner, 12_500_000n);
    expect(await rowsOf(claimNo)).toEqual([
      { ...row, status: 'success', tx_hash: hash, finished_at: expect.any(Date) as Date },
    ]);
  });

  test('claim rows: failed with failure_reason', async () => {
    const earner = await claims.nextEarner(12_500_000n);
    await claims.settleAll();
    const { claim_no: claimNo, deadline } = await post(earner, 'claim');
    await claims.count([], Number(deadline) + 1);
    expect(await rowsOf(claimNo)).toMatchObject([
      { status: 'failed', failure_reason: 'SIGNATURE_EXPIRED', tx_hash: null, finished_at: null },
    ]);
  });
});

describe('claims over lines and types', () => {
  test('claim: one order covers direct and spread, spot and futures, and what comes later waits', async () => {
    const { address } = await claims.referral.nextAgent();
    const [beneficiary, trader, source] = [
      await idOf(address),
      await idOf(nextAddress()),
      await idOf(nextAddress()),
    ];
    const earn = (...sketches: Omit<EarningSketch, 'beneficiary' | 'trader'>[]) =>
      addEarnings(
        claims.service.database.rewards,
        sketches.map((sketch) => ({ beneficiary, trader, ...sketch })),
      );
    const micro = (usdt: number) => toMicroUsdt(BigInt(usdt) * 1_000_000n);
    await earn(
      { commission: micro(1) },
      { commission: micro(2), businessLine: 'futures' },
      { commission: micro(3), type: 'spread', source },
      { commission: micro(4), type: 'spread', source, businessLine: 'futures' },
    );
    await claims.settleAll();
    const order = await post(address, 'claim');
    expect(order['amount']).toBe('10000000');
    await earn({ commission: micro(5) });
    await claims.settleAll();
    await claims.redeem(address, 10_000_000n);
    expect((await earningsOf(address)).map((row) => [row['commission'], row['status']])).toEqual([
      ['1', 'claimed'],
      ['2', 'claimed'],
      ['3', 'claimed'],
      ['4', 'claimed'],
      ['5', 'pending'],
    ]);
  });

  test('claim: nonce is that of the chain and increments after each redeem', async () => {
    const earner = await claims.nextEarner();
    for (const nonce of [0, 1, 2]) {
      await claims.earn(earner, 10_000_000n);
      await claims.settleAll();
      expect(await post(earner, 'claim')).toMatchObject({ nonce });
      const own = await post(earner, 'on-chain/claim-signature', { amount: '1' });
      expect(own['nonce']).toBe(nonce);
      await claims.redeem(earner, 10_000_000n);
    }
  });

  test('claim: message is fixed and says to call redeemReward', async () => {
    const messages = new Set<unknown>();
    for (const amount of [10_000_000n, 99_000_000n]) {
      const earner = await claims.nextEarner(amount);
      await claims.settleAll();
      messages.add((await post(earner, 'claim'))['message']);
    }
    expect([...messages]).toEqual([
      'Call redeemReward(amount, deadline, signature) of the contract at contract_address from ' +
        'your wallet before the deadline to receive the commission.',
    ]);
  });

  test('claim: nothing is credited off chain, before or after the redemption', async () => {
    const earner = await claims.nextEarner(20_000_000n);
    await claims.settleAll();
    await post(earner, 'claim');
    expect(await balancesOf(claims.service, earner)).toEqual({});
    await claims.redeem(earner, 20_000_000n);
    await claims.service.services.barrier.waitFor(claims.service.exchange.durableSequence);
    expect(await balancesOf(claims.service, earner)).toEqual({});
    const { engine } = claims.service.exchange;
    const accountId = engine.findAccount(earner);
    expect(accountId && engine.futures.getPerpAccount(accountId).walletBalance).toBe(0n);
  });

  test('preview: last_claimed_at is the finish time of the latest successful claim', async () => {
    const earner = await claims.nextEarner();
    for (let turn = 0; turn < 2; turn += 1) {
      await claims.earn(earner, 10_000_000n);
      await claims.settleAll();
      await post(earner, 'claim');
      await claims.redeem(earner, 10_000_000n);
    }
    const [latest] = await items(earner, 'claims');
    const preview = (await expectOk(claims.referral.get(earner, 'claims/preview'))) as Row;
    expect(preview['last_claimed_at']).toEqual(isoTime);
    expect(preview['last_claimed_at']).toBe(latest?.['finished_at']);
  });
});

describe('lists by business line', () => {
  const micro = (usdt: number) => toMicroUsdt(BigInt(usdt) * 1_000_000n);

  test('traders: spot and futures apart, total_commission their sum; biz shows one of them', async () => {
    const agent = await claims.referral.nextAgent();
    const trader = await claims.referral.nextTrader(agent);
    const parties = { beneficiary: await idOf(agent.address), trader: await idOf(trader) };
    const [early, late] = [Date.now() - 3 * 86_400_000, Date.now() - 3_600_000];
    await addEarnings(claims.service.database.rewards, [
      { ...parties, commission: micro(3), time: early },
      { ...parties, commission: micro(5), businessLine: 'futures', time: late },
    ]);
    await claims.settleAll();
    const status = (await claims.referral.status(trader)) as Row;
    const item = {
      address: trader,
      bound_at: status['bound_at'],
      status: 'active',
      last_trade_at: new Date(late).toISOString(),
    };
    expect(item.bound_at).toEqual(isoTime);
    const spot = { spot_volume: '6', spot_commission: '3' };
    const futures = { futures_volume: '10', futures_commission: '5' };
    const noSpot = { spot_volume: '0', spot_commission: '0' };
    const noFutures = { futures_volume: '0', futures_commission: '0' };
    const list = (query: Record<string, string>) => items(agent.address, 'traders', query);
    const both = [{ ...item, ...spot, ...futures, total_commission: '8' }];
    expect(await list({})).toEqual(both);
    expect(await list({ biz: 'all', time: 'all' })).toEqual(both);
    expect(await list({ biz: 'spot' })).toEqual([
      { ...item, ...spot, ...noFutures, total_commission: '3' },
    ]);
    expect(await list({ biz: 'futures' })).toEqual([
      { ...item, ...noSpot, ...futures, total_commission: '5' },
    ]);
  });

  test('traders: active if the last trade is within 7 days, else inactive', async () => {
    const agent = await claims.referral.nextAgent();
    const beneficiary = await idOf(agent.address);
    const week = 7 * 86_400_000;
    const statuses: unknown[] = [];
    for (const ago of [week - 60_000, week + 60_000]) {
      const address = await claims.referral.nextTrader(agent);
      const trader = await idOf(address);
      await addEarnings(claims.service.database.rewards, [
        { beneficiary, trader, commission: micro(1), time: Date.now() - ago },
      ]);
      const [found] = await items(agent.address, 'traders', { q: address });
      statuses.push(found?.['status']);
    }
    await claims.referral.nextTrader(agent);
    const [idle] = await items(agent.address, 'traders', { page_size: '1' });
    expect([...statuses, idle?.['status']]).toEqual(['active', 'inactive', 'inactive']);
  });

  test('traders: q finds a part of the address; biz and time are of their sets', async () => {
    const agent = await claims.referral.nextAgent();
    const trader = await claims.referral.nextTrader(agent);
    await claims.referral.nextTrader(agent);
    const found = await items(agent.address, 'traders', { q: trader.slice(-6) });
    expect(found.map((item) => item['address'])).toEqual([trader]);
    expect(await items(agent.address, 'traders', { q: 'none' })).toEqual([]);
    const wrong: Record<string, string>[] = [{ biz: 'perp' }, { biz: 'SPOT' }, { time: '1d' }];
    for (const query of wrong) {
      const reply = claims.referral.get(agent.address, 'traders', query);
      expect(await outcomeOf(reply)).toEqual(invalid());
    }
  });

  test('affiliates: spread of spot and futures apart, and their sum', async () => {
    const parent = await claims.referral.nextAgent();
    const affiliate = await claims.referral.nextTrader(parent);
    await claims.referral.createCode(affiliate, nextCode());
    await post(parent.address, 'affiliates', { wallet: affiliate, sub_rate: '0.04' });
    const parties = {
      beneficiary: await idOf(parent.address),
      trader: await idOf(nextAddress()),
      source: await idOf(affiliate),
      type: 'spread' as const,
    };
    await addEarnings(claims.service.database.rewards, [
      { ...parties, commission: micro(2) },
      { ...parties, commission: micro(7), businessLine: 'futures' },
    ]);
    const sums = async () => {
      const [item] = await items(parent.address, 'affiliates');
      return [
        item?.['team_volume'],
        item?.['spot_spread_commission'],
        item?.['futures_spread_commission'],
        item?.['total_spread_commission'],
      ];
    };
    // Fee value counts at once, commission once it is synced.
    expect(await sums()).toEqual(['18', '0', '0', '0']);
    await claims.settleAll();
    expect(await sums()).toEqual(['18', '2', '7', '9']);
  });

  test("affiliates: spread_rate is the parent's rate less sub_rate, and never below 0", async () => {
    const parent = await claims.referral.nextAgent();
    const affiliate = await claims.referral.nextTrader(parent);
    await claims.referral.createCode(affiliate, nextCode());
    await post(parent.address, 'affiliates', { wallet: affiliate, sub_rate: '0.07' });
    const rates = async () => {
      const [item] = await items(parent.address, 'affiliates');
      return [item?.['sub_rate'], item?.['spread_rate']];
    };
    expect(await rates()).toEqual(['0.07', '0.03']);
    await expectOk(claims.referral.setAgent(parent.address, { rebate_rate: '0.05' }));
    expect(await rates()).toEqual(['0.07', '0']);
  });
});

describe('tiers', () => {
  test('tiers: Starter, Silver, Gold, Platinum, Diamond at 0.10 to 0.30', async () => {
    const { address } = await claims.referral.nextAgent();
    const seen: unknown[] = [];
    for (const level of [0, 1, 2, 3, 4]) {
      await expectOk(claims.referral.setAgent(address, { tier_level: level }));
      const status = (await claims.referral.status(address)) as Row;
      seen.push([status['tier_level'], status['tier_name'], status['rebate_rate']]);
    }
    expect(seen).toEqual([
      [0, 'Starter', '0.1'],
      [1, 'Silver', '0.15'],
      [2, 'Gold', '0.2'],
      [3, 'Platinum', '0.25'],
      [4, 'Diamond', '0.3'],
    ]);
  });
});
