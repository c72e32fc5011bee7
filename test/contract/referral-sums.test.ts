import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { ClaimService } from '../support/claims/claim-service.ts';
import { addEarnings } from '../support/claims/earning-rows.ts';
import { nextCode } from '../support/referral-service.ts';
import {
  anyText,
  baseOf,
  expectOk,
  nextMarket,
  nextUser,
  placed,
} from '../support/spot-fixtures.ts';

// What traders and affiliates have brought: real trades, and windows of 7 and 30 days.

let claims: ClaimService;

beforeAll(async () => {
  claims = await ClaimService.start();
});
afterAll(() => claims.close());

const dayMs = 86_400_000;

const traders = async (as: Address, query: Record<string, string> = {}) =>
  (await expectOk(claims.referral.get(as, 'traders', query))) as {
    items: Record<string, unknown>[];
    total: number;
  };

/** A trade of 10 at 100: the seller pays 1 USDT as maker, the buyer 0.02 of the base as taker. */
async function trade(seller: Address, buyer: Address, market: string): Promise<void> {
  const order = { symbol: market, type: 'limit', price: '100', quantity: '10' };
  await placed(claims.service, seller, { ...order, side: 'sell' });
  await placed(claims.service, buyer, { ...order, side: 'buy' });
}

describe('sums of real trades', () => {
  test('traders: fee value and synced commission of maker and taker, in USDT', async () => {
    const market = await nextMarket(claims.service);
    const agent = await claims.referral.nextAgent();
    const seller = await nextUser(claims.service, { [baseOf(market)]: '10' });
    const buyer = await nextUser(claims.service, { USDT: '1000' });
    await claims.referral.bind(seller, agent.code);
    await claims.referral.bind(buyer, agent.code);
    await trade(seller, buyer, market);
    const item = {
      bound_at: anyText,
      last_trade_at: anyText,
      status: 'active',
      futures_volume: '0',
      futures_commission: '0',
    };
    // Commission shows once it is settled, the fee value at once.
    expect((await traders(agent.address)).items).toEqual([
      { ...item, address: buyer, spot_volume: '2', spot_commission: '0', total_commission: '0' },
      { ...item, address: seller, spot_volume: '1', spot_commission: '0', total_commission: '0' },
    ]);
    await claims.settleAll();
    expect((await traders(agent.address)).items).toMatchObject([
      { address: buyer, spot_volume: '2', spot_commission: '0.2', total_commission: '0.2' },
      { address: seller, spot_volume: '1', spot_commission: '0.1', total_commission: '0.1' },
    ]);
    expect((await traders(agent.address, { biz: 'futures' })).items).toMatchObject([
      { spot_volume: '0', spot_commission: '0', total_commission: '0', status: 'active' },
      { spot_volume: '0', spot_commission: '0', total_commission: '0', status: 'active' },
    ]);
    expect(await expectOk(claims.referral.get(agent.address, 'dashboard'))).toMatchObject({
      total_commission: '0.3',
      spot_commission: '0.3',
      futures_commission: '0',
      claimable: '0.3',
      direct_traders: 2,
      active_traders: 2,
    });
  });

  test("affiliates: the team's fee value and the spread of it", async () => {
    const market = await nextMarket(claims.service);
    const parent = await claims.referral.nextAgent();
    const affiliate = await claims.referral.nextTrader(parent);
    const code = nextCode();
    await claims.referral.createCode(affiliate, code);
    const body = { wallet: affiliate, sub_rate: '0.04' };
    await expectOk(claims.referral.post(parent.address, 'affiliates', body));
    const seller = await nextUser(claims.service, { [baseOf(market)]: '10' });
    await claims.referral.bind(seller, code);
    await trade(seller, await nextUser(claims.service, { USDT: '1000' }), market);
    await claims.settleAll();
    expect(await expectOk(claims.referral.get(parent.address, 'affiliates'))).toMatchObject({
      items: [
        {
          address: affiliate,
          sub_rate: '0.04',
          spread_rate: '0.06',
          direct_traders_count: 1,
          team_volume: '1',
          spot_spread_commission: '0.06',
          futures_spread_commission: '0',
          total_spread_commission: '0.06',
        },
      ],
    });
    expect((await traders(affiliate)).items).toMatchObject([
      { address: seller, spot_volume: '1', spot_commission: '0.04' },
    ]);
    expect(await expectOk(claims.referral.get(parent.address, 'dashboard'))).toMatchObject({
      total_commission: '0.06',
      spread_commission: '0.06',
      spot_commission: '0',
      claimable: '0.06',
    });
  });
});

describe('windows of GET /api/v1/referral/traders', () => {
  test('time: bounds what is summed, not which traders are listed', async () => {
    const agent = await claims.referral.nextAgent();
    const [old, recent] = [
      await claims.referral.nextTrader(agent),
      await claims.referral.nextTrader(agent),
    ];
    await earnAt(agent.address, old, 40 * dayMs, 16_000_000n);
    await earnAt(agent.address, old, 20 * dayMs, 8_000_000n);
    await earnAt(agent.address, recent, 8 * dayMs, 4_000_000n);
    await earnAt(agent.address, recent, 2 * dayMs, 2_000_000n);
    await earnAt(agent.address, recent, 0, 1_000_000n);
    await claims.settleAll();
    const sums = async (time: string) =>
      (await traders(agent.address, { time })).items.map((item) => [
        item['address'],
        item['spot_volume'],
        item['spot_commission'],
        item['status'],
      ]);
    expect(await sums('all')).toEqual([
      [recent, '14', '7', 'active'],
      [old, '48', '24', 'inactive'],
    ]);
    expect(await sums('30d')).toEqual([
      [recent, '14', '7', 'active'],
      [old, '16', '8', 'inactive'],
    ]);
    expect(await sums('7d')).toEqual([
      [recent, '6', '3', 'active'],
      [old, '0', '0', 'inactive'],
    ]);
  });

  test('time: with q and paging the sums stay those of the trader, and total those of the list', async () => {
    const agent = await claims.referral.nextAgent();
    const [first, second] = [
      await claims.referral.nextTrader(agent),
      await claims.referral.nextTrader(agent),
    ];
    await earnAt(agent.address, first, 3 * dayMs, 5_000_000n);
    await claims.settleAll();
    const q = first.slice(10).toUpperCase();
    const found = await traders(agent.address, { time: '7d', biz: 'spot', q });
    expect(found).toMatchObject({
      items: [{ address: first, spot_volume: '10', spot_commission: '5' }],
      total: 2,
    });
    const page = await traders(agent.address, { time: '7d', page: '1', page_size: '1' });
    expect(page.items).toMatchObject([{ address: second, spot_volume: '0', last_trade_at: null }]);
  });

  /** An earning of half of a spot fee that is still to be settled, that long ago. */
  async function earnAt(
    agent: Address,
    trader: Address,
    agoMs: number,
    commission: bigint,
  ): Promise<void> {
    const { exchange, services, database } = claims.service;
    for (const address of [agent, trader]) {
      await exchange.submit({ type: 'openAccount', address });
    }
    await services.barrier.waitFor(exchange.durableSequence);
    const idOf = (address: Address) => Number(exchange.peek((view) => view.findAccount(address)));
    await addEarnings(database.rewards, [
      {
        beneficiary: idOf(agent),
        trader: idOf(trader),
        commission: toMicroUsdt(commission),
        // Some seconds later, so that a run over a full hour changes nothing.
        time: Date.now() - agoMs + 5_000,
      },
    ]);
  }
});
