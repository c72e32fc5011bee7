import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type EventEnd, resolvingText } from '../../src/application/admin/waiting-events.ts';
import type { Amount } from '../../src/domain/amount.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { anyText, balancesOf, expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';
import {
  addressOf,
  alice,
  approve,
  bob,
  chainId,
  reviewsOf,
  startReviewRig,
} from '../support/wallet/review-rig.ts';
import { usdtToken } from '../support/wallet/scripted-vault.ts';
import { deposited, released, type WalletRig } from '../support/wallet/wallet-rig.ts';

const path = '/api/v1/admin/chain/parked';
const unknown = `0x${'99'.repeat(20)}` as Address;
const coin = 10n ** 18n;

let rig: WalletRig;
beforeAll(async () => {
  rig = await startReviewRig();
});
afterEach(() => rig.warnings.splice(0));
afterAll(() => rig.close());

type Item = Readonly<Record<string, unknown>> & { readonly id: string };
async function list(query = ''): Promise<readonly Item[]> {
  const answer = await expectOk(rig.service.call({ path: `${path}${query}`, isAdmin: true }));
  return (answer as { items: readonly Item[] }).items;
}
const show = (id: string) => outcomeOf(rig.service.call({ path: `${path}/${id}`, isAdmin: true }));
const post = (id: string, body: object) =>
  outcomeOf(
    rig.service.call({ method: 'POST', path: `${path}/${id}/resolve`, isAdmin: true, body }),
  );
const retry = (id: string) => post(id, { action: 'retry' });
const error = (status: number, code: string) => ({ status, body: { error: code } });
const ok = { status: 200, body: { ok: true } };
const reason = 'settled with its owner';

/** What both people sign to end an event in this way. */
async function wordsOf(id: string, end: EventEnd, people = [alice, bob]): Promise<string[]> {
  const event = await rig.eventPorts.events.find(id);
  const message = resolvingText(chainId, event!, { end, reason });
  return Promise.all(people.map((person) => person.signMessage({ message })));
}

async function resolve(id: string, end: EventEnd) {
  const approvals = await wordsOf(id, end);
  switch (end.action) {
    case 'credit_as':
      return post(id, { ...end, amount: String(Number(end.amount) / 1e18), reason, approvals });
    case 'link':
      return post(id, {
        action: 'link',
        reason,
        approvals,
        ...(end.withdrawalId === null ? {} : { withdrawal_id: end.withdrawalId }),
      });
    default:
      return post(id, { action: end.action, reason, approvals });
  }
}

const creditAs = (token: string, amount: string): EventEnd => ({
  action: 'credit_as',
  token,
  amount: requireDecimal(amount),
});

function withdraw(account: Address, amount: string) {
  const body = { token: 'DF', amount };
  const path = '/api/v1/spot/withdraw/request';
  return outcomeOf(rig.service.call({ method: 'POST', path, as: account, body }));
}

/** A deposit of a token that the exchange does not know, and one of DF behind it. */
async function strandedUser(rawAmount = 2n * coin) {
  const account = nextAddress();
  await rig.mine([deposited(account, 0, { token: unknown, rawAmount }), deposited(account, 1)]);
  await rig.newSettler().run();
  const [waiting, behind] = await list(`?account=${account}`);
  return { account, id: waiting?.id ?? '', behind };
}

const audits = (id: string) =>
  rig.service.query((db) =>
    db
      .selectFrom('admin_audit')
      .select(['admin_actor', 'detail'])
      .where('action', '=', 'resolve_chain_event')
      .where(sql`detail->>'id'`, '=', id)
      .execute(),
  );

describe('events of the chain that wait', () => {
  test('parked: listed oldest first, by contract, account and kind', async () => {
    const [first, second] = [nextAddress(), nextAddress()];
    await rig.mine([
      released(first, 0, 5n),
      deposited(first, 0, { logIndex: 1 }),
      released(second, 0, 6n, { logIndex: 2 }),
    ]);
    const all = await list();
    expect(all).toMatchObject([
      { account: first, type: 'vaultReleased', error: 'release_not_signed', block: 1 },
      {
        account: first,
        type: 'vaultDeposited',
        error: 'waits for an earlier event of the account',
      },
      { account: second, contract: 'spotVault', tx_hash: anyText },
    ]);
    expect(await list(`?account=${first.toUpperCase().replace('0X', '0x')}`)).toHaveLength(2);
    expect(await list('?kind=vaultDeposited')).toHaveLength(1);
    expect(await list('?contract=rewardRouter')).toEqual([]);
    expect(await list(`?after=${all[1]?.id}`)).toHaveLength(1);
    expect((await rig.service.call({ path })).status).toBe(401);
  });

  test('parked: by id with its row, its proof and what the chain shows now', async () => {
    const { id, account, behind } = await strandedUser();
    rig.vault.nonces.set(account, 4);
    expect(await show(id)).toMatchObject({
      status: 200,
      body: {
        id,
        account,
        error: 'unknown_token',
        event: { token: unknown, rawAmount: String(2n * coin), number: '0' },
        row: { table: 'spot_deposits', status: 'pending', raw_amount: String(2n * coin) },
        proof: { counted_hash: null, present_hash: anyText, is_included: true },
        chain: { head: 77, next_number: 4, token_symbol: 'ODD', token_decimals: 18 },
      },
    });
    expect(behind).toMatchObject({ error: 'waits for an earlier deposit of the account' });
    rig.vault.isQueryFailing = true;
    expect(await show(id)).toMatchObject({ status: 200, body: { chain: null } });
    rig.vault.isQueryFailing = false;
    expect(await show('999999')).toEqual(error(404, 'EVENT_NOT_WAITING'));
    expect(await show('deposit-999999')).toEqual(error(404, 'EVENT_NOT_WAITING'));
  });

  test('parked: retry applies an event that can be applied; otherwise it keeps waiting', async () => {
    const { id, account } = await strandedUser();
    expect(await retry(id)).toEqual(error(409, 'EVENT_STILL_WAITS'));
    const tokens = rig.vault.tokens;
    // The asset is registered: its deposits are credited without a restart.
    rig.vault.tokens = [...tokens, { symbol: 'ODD', address: unknown, decimals: 18 }];
    expect(await retry(id)).toEqual(ok);
    rig.vault.tokens = tokens;
    expect(await balancesOf(rig.service, account)).toEqual({ ODD: '2 0', DF: '1 0' });
    expect(await retry(id)).toEqual(error(404, 'EVENT_NOT_WAITING'));
  });

  test('parked: credit_as credits a registered asset, at most the deposited amount, once', async () => {
    const { id, account } = await strandedUser();
    expect(await resolve(id, creditAs('NONE', '1'))).toEqual(error(400, 'ASSET_UNKNOWN'));
    expect(await resolve(id, creditAs('USDT', '2.000001'))).toEqual(error(400, 'AMOUNT_TOO_LARGE'));
    expect(await resolve(id, creditAs('USDT', '1.5'))).toEqual(ok);
    expect(await balancesOf(rig.service, account)).toEqual({ USDT: '1.5 0', DF: '1 0' });
    const again = { action: 'write_off', reason, approvals: [] };
    expect(await post(id, again)).toEqual(error(404, 'EVENT_NOT_WAITING'));
    expect(await audits(id)).toMatchObject([
      { admin_actor: [alice, bob].map(addressOf).join(' and ') },
    ]);
  });

  test('parked: return sends a deposit back to its sender, in review, paid by the vault', async () => {
    const { id, account } = await strandedUser();
    expect(await resolve(id, { action: 'return' })).toEqual(ok);
    // Nothing of it is a balance; the deposit behind it is credited.
    expect((await balancesOf(rig.service, account))['DF']).toBe('1 0');
    const [review] = await reviewsOf(rig, account);
    expect(review).toMatchObject({
      reasons: ['returned_deposit'],
      token_address: unknown,
      raw_amount: String(2n * coin),
    });
    const sign = () =>
      outcomeOf(
        rig.service.call({
          method: 'POST',
          path: `/api/v1/spot/withdrawals/${review?.id}/sign`,
          as: account,
          body: {},
        }),
      );
    expect(await sign()).toMatchObject({ status: 409 });
    expect((await approve(rig, review!)).status).toBe(200);
    expect(await sign()).toMatchObject({ status: 200, body: { status: 'signed' } });
    rig.vault.nonces.set(account, 1);
    await rig.mine([released(account, 0, 2n * coin, { token: unknown })]);
    await rig.newSettler().run();
    const history = await expectOk(
      rig.service.call({ path: '/api/v1/spot/withdrawals', as: account }),
    );
    expect(history).toMatchObject({ items: [{ status: 'completed', amount: '2' }] });
    expect(await rig.parts.walletStore.hasUnsettled()).toBe(false);
    expect(rig.warnings).toEqual(['a deposit waits: the token is not known']);
  });

  test('parked: the return of an asset that was added since the start is signed', async () => {
    const { id, account } = await strandedUser();
    rig.vault.addedLater = { symbol: 'ODD', address: unknown, decimals: 18 };
    expect(await resolve(id, { action: 'return' })).toEqual(ok);
    const [review] = await reviewsOf(rig, account);
    expect(review).toMatchObject({ token: 'ODD', reasons: ['returned_deposit'] });
    expect((await approve(rig, review!)).status).toBe(200);
    const sign = `/api/v1/spot/withdrawals/${review?.id}/sign`;
    await expectOk(rig.service.call({ method: 'POST', path: sign, as: account, body: {} }));
    rig.vault.addedLater = null;
  });

  test('parked: a return that is not signed within 72 hours is reviewed again', async () => {
    const { id, account } = await strandedUser();
    expect(await resolve(id, { action: 'return' })).toEqual(ok);
    const [review] = await reviewsOf(rig, account);
    await approve(rig, review!);
    const before = rig.laterMs;
    rig.laterMs += 5 * 86_400_000;
    await rig.newSettler().run();
    await rig.newSettler().run();
    const open = await reviewsOf(rig, account);
    expect(open).toMatchObject([{ status: 'review', raw_amount: String(2n * coin) }]);
    expect(open[0]?.id).not.toBe(review?.id);
    rig.laterMs = before;
  });

  test('parked: a deposit that the engine refuses can be returned, but not credited as another asset', async () => {
    const account = nextAddress();
    const rawAmount = 10n ** 30n;
    await rig.mine([deposited(account, 0, { rawAmount }), deposited(account, 1)]);
    await rig.newSettler().run();
    await rig.newSettler().run();
    const [refused] = await list(`?account=${account}`);
    expect(refused).toMatchObject({ error: 'refused' });
    expect(await retry(refused?.id ?? '')).toEqual(error(409, 'EVENT_STILL_WAITS'));
    expect(await resolve(refused?.id ?? '', { action: 'return' })).toEqual(ok);
    expect(await reviewsOf(rig, account)).toMatchObject([{ raw_amount: String(rawAmount) }]);
    expect((await balancesOf(rig.service, account))['DF']).toBe('1 0');
    expect(await list(`?account=${account}`)).toEqual([]);
  });

  test('parked: write_off ends a deposit without crediting it, and later events proceed', async () => {
    const { id, account, behind } = await strandedUser(1n);
    // Less than the engine can hold is not worth a release.
    expect(await resolve(id, { action: 'return' })).toEqual(error(409, 'RESOLUTION_IMPOSSIBLE'));
    expect(await resolve(behind?.id ?? '', { action: 'write_off' })).toEqual(
      error(409, 'RESOLUTION_IMPOSSIBLE'),
    );
    expect(await resolve(id, { action: 'write_off' })).toEqual(ok);
    expect((await balancesOf(rig.service, account))['DF']).toBe('1 0');
    expect(await list(`?account=${account}`)).toEqual([]);
  });

  test('fault 25: two different people resolve an event, never its own account; later events proceed', async () => {
    const account = nextAddress();
    await rig.mine([released(account, 0, 5n), deposited(account, 0, { logIndex: 1 })]);
    const [parked, behind] = await list(`?account=${account}`);
    const id = parked?.id ?? '';
    const end = { action: 'write_off' } as const;
    const [ofAlice, ofBob] = await wordsOf(id, end);
    const writeOff = (approvals: readonly unknown[], why = reason) =>
      post(id, { ...end, reason: why, approvals });
    expect(await writeOff([])).toEqual(error(403, 'APPROVALS_REQUIRED'));
    expect(await writeOff([ofAlice, ofAlice])).toEqual(error(403, 'APPROVALS_REQUIRED'));
    expect(await writeOff([ofAlice, ofBob], 'another')).toEqual(error(403, 'APPROVALS_REQUIRED'));
    const move = { action: 'link', reason, approvals: [ofAlice, ofBob] };
    expect(await post(id, move)).toEqual(error(403, 'APPROVALS_REQUIRED'));
    expect(await resolve(behind?.id ?? '', end)).toEqual(error(409, 'RESOLUTION_IMPOSSIBLE'));
    expect(await writeOff([ofAlice, ofBob])).toEqual(ok);
    expect(await writeOff([ofAlice, ofBob])).toEqual(error(404, 'EVENT_NOT_WAITING'));
    expect(await retry(behind?.id ?? '')).toEqual(ok);
    expect(await list(`?account=${account}`)).toEqual([]);
    // The vault has paid it nevertheless, so its books and the ones here agree on it.
    const books = await rig.service.services.chain.books.load(rig.head, [account]);
    expect(books?.accounts).toContainEqual({ account, deposits: 1, releases: 1, redemptions: 0 });
    expect(await audits(id)).toHaveLength(1);

    const treasury = nextAddress();
    await rig.mine([released(treasury, 0, 5n)]);
    const [moved] = await list(`?account=${treasury}`);
    expect(await resolve(moved?.id ?? '', { action: 'link', withdrawalId: null })).toEqual(ok);
    expect(await audits(moved?.id ?? '')).toMatchObject([{ detail: { end: 'link_move' } }]);

    const own = addressOf(alice);
    await rig.mine([released(own, 0, 5n)]);
    const [ofHers] = await list(`?account=${own}`);
    expect(await resolve(ofHers?.id ?? '', end)).toEqual(error(403, 'APPROVALS_REQUIRED'));
  });

  test('parked: link makes a release the payment of a withdrawal that had expired', async () => {
    const account = nextAddress();
    await rig.mine([deposited(account, 0, { rawAmount: 10n * coin })]);
    await rig.newSettler().run();
    rig.laterMs = 2 * 86_400_000;
    const asked = await withdraw(account, '3');
    const { id: withdrawalId } = asked.body as { id: string };
    await rig.mine([], 2_000_000_000);
    await rig.newSettler().run();
    expect((await balancesOf(rig.service, account))['DF']).toBe('10 0');
    // The vault paid it under another nonce than this database knows.
    await rig.mine([released(account, 4, 3n * coin)], 2_000_000_001);
    const [parked] = await list(`?account=${account}`);
    const id = parked?.id ?? '';
    const none = '00000000-0000-4000-8000-000000000009';
    expect(await resolve(id, { action: 'link', withdrawalId: none })).toEqual(
      error(409, 'RESOLUTION_IMPOSSIBLE'),
    );
    const before = await rig.service.services.chain.books.load(rig.head, [account]);
    // What came back is in use: until it can be taken again the account withdraws nothing else.
    const accountId = rig.service.exchange.engine.findAccount(account)!;
    const use = {
      withdrawalId: 'in use',
      accountId,
      token: 'DF',
      amount: (9n * 10n ** 8n) as Amount,
    } as const;
    await rig.service.exchange.submit({ type: 'reserveWithdrawal', ...use });
    expect(await resolve(id, { action: 'link', withdrawalId })).toEqual(ok);
    rig.vault.nonces.set(account, 5);
    expect(await withdraw(account, '1')).toMatchObject({ status: 409 });
    await rig.service.exchange.submit({ type: 'releaseWithdrawal', withdrawalId: 'in use' });
    await rig.newSettler().run();
    expect((await balancesOf(rig.service, account))['DF']).toBe('7 0');
    const after = await rig.service.services.chain.books.load(rig.head, [account]);
    // One payment, counted once.
    expect(after?.tokens).toEqual(before?.tokens);
    expect(after?.accounts).toContainEqual({ account, deposits: 1, releases: 5, redemptions: 0 });
  });

  test('fault 6: a credited deposit that vanished is a claim of the exchange, its account in review', async () => {
    const account = nextAddress();
    await rig.mine([deposited(account, 0, { rawAmount: 10n * coin })]);
    await rig.newSettler().run();
    rig.laterMs = 2 * 86_400_000;
    await rig.fork(1);
    const [vanished] = await list(`?account=${account}`);
    expect(vanished).toMatchObject({ error: 'vanished', block: null, type: 'vaultDeposited' });
    expect(await withdraw(account, '3')).toMatchObject({ body: { status: 'review' } });
    expect(await reviewsOf(rig, account)).toMatchObject([{ reasons: ['vanished_deposit'] }]);
    // The balance stays, so what is owed shows it.
    expect((await balancesOf(rig.service, account))['DF']).toBe('7 3');
    expect(await resolve(vanished?.id ?? '', { action: 'write_off' })).toEqual(ok);
    expect(await list(`?account=${account}`)).toEqual([]);
    // Included again it is what it was, and once more a claim if it vanishes again.
    await rig.mine([deposited(account, 0, { rawAmount: 10n * coin })]);
    await rig.newSettler().run();
    expect((await balancesOf(rig.service, account))['DF']).toBe('7 3');
    await rig.fork(1);
    expect(await list(`?account=${account}`)).toMatchObject([{ error: 'vanished' }]);
  });

  test('deposits: the part below 10^-8 is kept as dust and never credited', async () => {
    const account = nextAddress();
    const rawAmount = coin + 123n;
    await rig.mine([
      deposited(account, 0, { rawAmount }),
      deposited(account, 1, { token: usdtToken.address, rawAmount: 7n }),
    ]);
    await rig.newSettler().run();
    await rig.newSettler().run();
    const rows = await rig.service.query((db) =>
      db
        .selectFrom('spot_deposits')
        .select(['token', 'dust'])
        .where('account', '=', account)
        .orderBy('number')
        .execute(),
    );
    expect(rows).toEqual([
      { token: 'DF', dust: '123' },
      { token: 'USDT', dust: '0' },
    ]);
    expect(await balancesOf(rig.service, account)).toEqual({ DF: '1 0', USDT: '0.000007 0' });
  });

  test('parked: an incomplete body is refused and changes nothing', async () => {
    const { id } = await strandedUser();
    for (const body of [
      { action: 'write_off' },
      { action: 'credit_as', reason },
      { action: 'credit_as', reason, token: 'USDT' },
      { action: 'link', reason, withdrawal_id: 'x' },
      { action: 'forget', reason },
    ]) {
      expect((await post(id, body)).status).toBe(400);
    }
    expect(await resolve(id, { action: 'link', withdrawalId: null })).toEqual(
      error(409, 'RESOLUTION_IMPOSSIBLE'),
    );
    expect((await show(id)).status).toBe(200);
  });
});
