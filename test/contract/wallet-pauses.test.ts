import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { anyText, balancesOf, expectOk, nextUser, outcomeOf } from '../support/spot-fixtures.ts';
import { deposited, WalletRig } from '../support/wallet/wallet-rig.ts';

const path = '/api/v1/admin/withdrawals/pauses';

let rig: WalletRig;
beforeAll(async () => {
  rig = await WalletRig.start({ DF: '1', USDT: '1' });
});
afterAll(() => rig.close());

const admin = (to: string, body?: object) =>
  outcomeOf(
    rig.service.call({
      path: `${path}${to}`,
      isAdmin: true,
      ...(body === undefined ? {} : { method: 'POST', body }),
    }),
  );
const raise = (body: object) => admin('', { reason: 'a drill', ...body });
const lift = async (outcome: { body: unknown }) =>
  admin(`/${(outcome.body as { id: string }).id}/lift`, { reason: 'the drill is over' });

const withdraw = (as: Address, token = 'DF') =>
  outcomeOf(
    rig.service.call({
      method: 'POST',
      path: '/api/v1/spot/withdraw/request',
      as,
      body: { token, amount: '2' },
    }),
  );
const paused = { status: 500, body: { error: 'signer unavailable' } };

describe('pauses of an asset, an account, and deposits', () => {
  test('pause: of an asset stops its withdrawals, with reason and author, until it is lifted', async () => {
    const user = await nextUser(rig.service, { DF: '10', USDT: '10' });
    const raised = await raise({ scope: 'asset', subject: 'DF' });
    expect(raised).toMatchObject({
      status: 200,
      body: { scope: 'asset', subject: 'DF', reason: 'a drill', raised_by: 'admin_api_key' },
    });
    expect(await raise({ scope: 'asset', subject: 'DF' })).toEqual({
      status: 409,
      body: { error: 'PAUSE_ALREADY_ON' },
    });
    expect(await withdraw(user)).toEqual(paused);
    expect(await balancesOf(rig.service, user)).toEqual({ DF: '10 0', USDT: '10 0' });
    expect((await withdraw(user, 'USDT')).status).toBe(200);
    expect((await admin('')).body).toMatchObject({ items: [{ raised_at: anyText }] });
    expect(await lift(raised)).toEqual({ status: 200, body: { ok: true } });
    expect(await lift(raised)).toEqual({ status: 404, body: { error: 'PAUSE_NOT_FOUND' } });
    const other = await nextUser(rig.service, { DF: '10' });
    expect((await withdraw(other)).status).toBe(200);
    const audits = await rig.service.query((db) =>
      sql<{ action: string; reason: string }>`
        SELECT action, detail->>'reason' AS reason FROM admin_audit
        WHERE action IN ('pause_wallet', 'resume_wallet') ORDER BY id`.execute(db),
    );
    expect(audits.rows).toEqual([
      { action: 'pause_wallet', reason: 'a drill' },
      { action: 'resume_wallet', reason: 'the drill is over' },
    ]);
  });

  test('pause: with pause_contract a guardian pauses the vault too, until it is resumed', async () => {
    const { guardian } = rig;
    const turn = (body: object) =>
      outcomeOf(
        rig.service.call({
          method: 'PUT',
          path: '/api/v1/admin/withdrawals/pause',
          isAdmin: true,
          body,
        }),
      );
    const requests = () =>
      rig.service.query((db) =>
        db
          .selectFrom('contract_pauses')
          .select(['contract', 'halt_id', 'reason', 'outcome'])
          .orderBy('id')
          .execute(),
      );
    guardian.isNamed = false;
    const pause = { paused: true, reason: 'a key was stolen', pause_contract: true };
    expect(await turn(pause)).toEqual({ status: 409, body: { error: 'NO_GUARDIAN' } });
    const isPaused = rig.service.call({ path: '/api/v1/admin/withdrawals/pause', isAdmin: true });
    expect(await expectOk(isPaused)).toEqual({ paused: false });
    guardian.isNamed = true;
    expect((await turn({ paused: false, pause_contract: true })).status).toBe(400);
    expect([await requests(), guardian.calls]).toEqual([[], 0]);
    for (let count = 0; count < 2; count += 1) {
      expect(await turn(pause)).toEqual({ status: 200, body: { ok: true } });
    }
    const asked = { contract: 'spotVault', halt_id: null, reason: pause.reason };
    expect(await requests()).toEqual([{ ...asked, outcome: null }]);
    expect(guardian.calls).toBe(2);
    expect((await turn({ paused: false })).status).toBe(200);
    expect(await requests()).toEqual([{ ...asked, outcome: 'canceled' }]);
    const audits = await rig.service.query((db) =>
      sql<{ detail: object }>`
        SELECT detail FROM admin_audit WHERE action = 'pause_withdrawals' ORDER BY id`.execute(db),
    );
    const detail = { paused: true, reason: pause.reason, contracts: ['spotVault'] };
    expect(audits.rows).toEqual([{ detail }, { detail }, { detail: { paused: false } }]);
  });

  test('pause: of an account stops its requests in both wallets, and those of no other account', async () => {
    const [user, other] = [
      await nextUser(rig.service, { DF: '10', USDT: '100' }),
      await nextUser(rig.service, { DF: '10' }),
    ];
    const transfer = { direction: 'spot_to_perp', token: 'USDT', amount: '50' };
    await expectOk(
      rig.service.call({
        method: 'POST',
        path: '/api/v1/spot/transfer',
        as: user,
        body: transfer,
      }),
    );
    const perp = (to: string, body: object) => {
      const call = { method: 'POST' as const, path: `/api/v1/withdraw/${to}`, as: user };
      return outcomeOf(rig.service.call({ ...call, body }));
    };
    const asked = await perp('request', { token: 'USDT', amount: '5' });
    expect(asked.status).toBe(200);
    const raised = await raise({ scope: 'account', subject: user.toUpperCase().replace('X', 'x') });
    expect(await withdraw(user)).toEqual(paused);
    expect(await perp('request', { token: 'USDT', amount: '5' })).toMatchObject({
      status: 503,
      body: { error: { code: 'WITHDRAWALS_PAUSED' } },
    });
    expect((await withdraw(other)).status).toBe(200);
    // What was requested before continues.
    const { id } = (asked.body as { data: { id: string } }).data;
    expect((await perp(`${id}/confirm`, {})).status).toBe(200);
    await lift(raised);
  });

  test('pause: of deposits credits none until it is lifted, and then each once', async () => {
    const user = await nextUser(rig.service, { USDT: '1' });
    const raised = await raise({ scope: 'deposits' });
    await rig.mine([deposited(user, 0)]);
    await rig.newSettler().run();
    expect((await balancesOf(rig.service, user))['DF']).toBeUndefined();
    await lift(raised);
    await rig.newSettler().run();
    await rig.newSettler().run();
    expect((await balancesOf(rig.service, user))['DF']).toBe('1 0');
  });

  test('pause: an incomplete request is refused', async () => {
    for (const body of [
      { scope: 'asset' },
      { scope: 'deposits', subject: 'DF' },
      { scope: 'account', subject: 'DF' },
      { scope: 'everything' },
      { scope: 'asset', subject: 'DF', reason: '' },
      { scope: 'asset', subject: 'df' },
      { scope: 'asset', subject: 'BTC' },
    ]) {
      expect((await raise(body)).status).toBe(400);
    }
    expect((await admin('')).body).toEqual({ items: [] });
    expect((await rig.service.call({ path })).status).toBe(401);
  });
});

describe('a vault that is paused, or names another operator', () => {
  test('request: of the perp wallet is refused as confirm is, and sets nothing aside', async () => {
    const user = await nextUser(rig.service, { USDT: '100' });
    const post = (to: string, body?: object) =>
      outcomeOf(rig.service.call({ method: 'POST', path: to, as: user, ...(body && { body }) }));
    const request = () => post('/api/v1/withdraw/request', { token: 'USDT', amount: '30' });
    const perp = () => {
      const { engine } = rig.service.exchange;
      return engine.futures.getPerpAccount(engine.findAccount(user)!);
    };
    const moved = { direction: 'spot_to_perp', token: 'USDT', amount: '100' };
    expect((await post('/api/v1/spot/transfer', moved)).status).toBe(200);
    const { body } = (await request()) as { body: { data: { id: string } } };
    rig.vault.isSigning = false;
    const unavailable = {
      status: 500,
      body: { error: { code: 'SIGNER_UNAVAILABLE', message: anyText } },
    };
    expect(await post(`/api/v1/withdraw/${body.data.id}/confirm`)).toMatchObject(unavailable);
    const before = perp();
    expect(await request()).toMatchObject(unavailable);
    expect(perp()).toEqual(before);
    const history = await rig.service.call({ path: '/api/v1/withdraw/history', as: user });
    expect(history.body).toMatchObject({ data: { items: [{ id: body.data.id }] } });
    rig.vault.isSigning = true;
    expect((await request()).status).toBe(200);
    expect(perp().reserved).toBe(60n * 10n ** 8n);
  });
});
