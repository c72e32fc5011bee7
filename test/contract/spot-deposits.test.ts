import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { invalid } from '../support/plain-replies.ts';
import { anyText, balancesOf, expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';
import { dfToken, usdtToken } from '../support/wallet/scripted-vault.ts';
import { deposited, WalletRig } from '../support/wallet/wallet-rig.ts';

const path = '/api/v1/spot/deposits';

let rig: WalletRig;
let user: Address;
beforeAll(async () => {
  rig = await WalletRig.start();
});
afterAll(() => rig.close());
beforeEach(() => {
  user = nextAddress();
});

async function deposits(query: Record<string, string> = {}) {
  const body = await expectOk(rig.service.call({ path, query, as: user }));
  return body as { items: { number: number; status: string }[]; next_cursor: string | null };
}

/** The numbers of an account's deposits that are credited. */
async function credited(account: Address): Promise<readonly number[]> {
  const rows = await rig.service.query((db) =>
    db
      .selectFrom('spot_deposits')
      .select('number')
      .where('account', '=', account)
      .where('credited_at', 'is not', null)
      .orderBy('number')
      .execute(),
  );
  return rows.map(({ number }) => Number(number));
}

describe('GET /spot/deposits', () => {
  test('deposits: pending once confirmed, then credited with what 8 decimals hold', async () => {
    const event = deposited(user, 0, { rawAmount: 1_234_567_890_123_456_789n });
    await rig.mine([event]);
    const seen = {
      number: 0,
      token_address: dfToken.address,
      raw_amount: '1234567890123456789',
      tx_hash: event.transactionHash,
      created_at: anyText,
    };
    expect(await deposits()).toEqual({
      items: [{ ...seen, token: null, amount: null, status: 'pending', credited_at: null }],
      next_cursor: null,
    });
    await rig.newSettler().run();
    expect(await deposits()).toMatchObject({
      items: [
        { ...seen, token: 'DF', amount: '1.23456789', status: 'credited', credited_at: anyText },
      ],
    });
    expect(await balancesOf(rig.service, user)).toEqual({ DF: '1.23456789 0' });
    const { exchange, services } = rig.service;
    await services.barrier.waitFor(exchange.durableSequence);
    const rows = await rig.service.query((db) =>
      db
        .selectFrom('spot_balances')
        .select(['token', 'available', 'locked'])
        .where('user_address', '=', user)
        .execute(),
    );
    expect(rows).toMatchObject([{ token: 'DF', available: '1.23456789', locked: '0' }]);
  });

  test('deposits: are published on the balances channel', async () => {
    const changes: string[] = [];
    const end = rig.service.services.balances.subscribe(user, (batch) => {
      for (const { token, available } of batch) changes.push(`${available} ${token}`);
    });
    await rig.mine([deposited(user, 0)]);
    await rig.newSettler().run();
    await expect.poll(() => changes).toEqual(['1 DF']);
    end();
  });

  test("deposits: an amount below the engine's unit counts and credits nothing, and the next one is credited", async () => {
    await rig.mine([
      deposited(user, 0, { rawAmount: 9_999_999_999n }),
      deposited(user, 1, { token: usdtToken.address, rawAmount: 7n }),
    ]);
    await rig.newSettler().run();
    expect((await deposits()).items).toMatchObject([
      { number: 1, token: 'USDT', amount: '0.000007', status: 'credited' },
      { number: 0, token: 'DF', amount: '0', status: 'credited' },
    ]);
    expect(await balancesOf(rig.service, user)).toEqual({ USDT: '0.000007 0' });
  });

  test('fault 29: 500 stuck deposits of one account delay no other account', async () => {
    const [first, second] = [nextAddress(), nextAddress()].sort();
    const stranger = `0x${'99'.repeat(20)}` as Address;
    const stuck = Array.from({ length: 500 }, (_, number) =>
      deposited(first!, number, { token: stranger, logIndex: number }),
    );
    await rig.mine([...stuck, deposited(second!, 0, { logIndex: 500 })]);
    await rig.newSettler().run();
    expect(await credited(second!)).toEqual([0]);
    // Nor do that many accounts with one each.
    const many = Array.from({ length: 600 }, (_, seed) =>
      deposited(`0x${(seed + 1).toString(16).padStart(40, '0')}` as Address, 0, {
        token: stranger,
        logIndex: seed,
        transactionHash: `0x${(seed + 1).toString(16).padStart(64, 'b')}`,
      }),
    );
    const last = `0x${'fe'.repeat(20)}` as Address;
    await rig.mine([...many, deposited(last, 0, { logIndex: 600 })]);
    for (let round = 0; round < 2; round += 1) await rig.newSettler().run();
    expect(await credited(last)).toEqual([0]);
    await rig.service.query((db) =>
      db.deleteFrom('spot_deposits').where('token_address', '=', stranger).execute(),
    );
    rig.warnings.splice(0);
  });

  test('deposits: a deposit of an unknown token waits, as do later deposits of its account, but no others', async () => {
    const other = nextAddress();
    const unknown = `0x${'99'.repeat(20)}` as Address;
    await rig.mine([
      deposited(user, 0, { token: unknown }),
      deposited(user, 1),
      deposited(other, 0, { logIndex: 5 }),
    ]);
    const settler = rig.newSettler();
    await settler.run();
    await settler.run();
    expect((await deposits()).items.map(({ status }) => status)).toEqual(['pending', 'pending']);
    expect(await balancesOf(rig.service, other)).toEqual({ DF: '1 0' });
    expect(rig.warnings).toEqual(['a deposit waits: the token is not known']);
    rig.vault.tokens = [...rig.vault.tokens, { symbol: 'NEW', address: unknown, decimals: 18 }];
    await settler.run();
    expect(await balancesOf(rig.service, user)).toEqual({ DF: '1 0', NEW: '1 0' });
  });

  test('deposits: pages, newest first, of the caller only', async () => {
    const events = [0, 1, 2].map((number) => deposited(user, number));
    await rig.mine([...events, deposited(nextAddress(), 0, { logIndex: 9 })]);
    const first = await deposits({ limit: '2' });
    expect(first.items.map(({ number }) => number)).toEqual([2, 1]);
    const second = await deposits({ limit: '2', cursor: first.next_cursor ?? '' });
    expect(second.items.map(({ number }) => number)).toEqual([0]);
    expect(second.next_cursor).toBeNull();
    expect(await outcomeOf(rig.service.call({ path, query: { limit: '0' }, as: user }))).toEqual(
      invalid(),
    );
    const none = await rig.service.call({ path });
    expect([none.status, none.text]).toEqual([401, '']);
  });
});
