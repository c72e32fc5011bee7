import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountEvent, AccountEventChannel } from '../../src/application/account-events.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { ReferralCaller, startReferralService } from '../support/referral-service.ts';
import { expectOk, nextAddress, nextUser } from '../support/spot-fixtures.ts';
import type { SpotService } from '../support/spot-service.ts';
import { deposited, released, WalletRig } from '../support/wallet/wallet-rig.ts';

// What happens to an account's money and referral is reported by the tables themselves.

function eventsOf(service: SpotService, address: Address, channel: AccountEventChannel) {
  return service.services.accountEvents.listNewest(address, channel, 20);
}

const told = (events: readonly AccountEvent[]) => events.map(({ data }) => data);

describe('wallet', () => {
  let rig: WalletRig;
  beforeAll(async () => {
    rig = await WalletRig.start({ DF: '1' });
  });
  afterAll(() => rig.close());

  test('account events: a deposit is published when it is detected and when it is credited', async () => {
    const user = nextAddress();
    const event = deposited(user, 0, { rawAmount: 2_500_000_000_000_000_000n });
    await rig.mine([event]);
    await rig.newSettler().run();
    const deposit = { event: 'deposit', id: '0', tx_hash: event.transactionHash };
    expect(told(await eventsOf(rig.service, user, 'wallet'))).toEqual([
      { ...deposit, token: null, amount: null, status: 'pending' },
      { ...deposit, token: 'DF', amount: '2.5', status: 'credited' },
    ]);
  });

  test('account events: a withdrawal is published once it is signed and once it is paid', async () => {
    const user = await nextUser(rig.service, { DF: '10' });
    const path = '/api/v1/spot/withdraw/request';
    const body = { token: 'DF', amount: '2.50' };
    const signed = (await expectOk(rig.service.call({ method: 'POST', path, as: user, body }))) as {
      id: string;
    };
    const withdrawal = { event: 'withdrawal', id: signed.id, wallet: 'spot', token: 'DF' };
    expect(told(await eventsOf(rig.service, user, 'wallet'))).toEqual([
      { ...withdrawal, amount: '2.5', status: 'signed' },
    ]);
    await rig.mine([released(user, 0, 25n * 10n ** 17n)]);
    await rig.newSettler().run();
    await expect
      .poll(async () => told(await eventsOf(rig.service, user, 'wallet')).at(-1))
      .toEqual({ ...withdrawal, amount: '2.5', status: 'completed' });
  });

  async function signedBy(): Promise<Address> {
    const user = await nextUser(rig.service, { DF: '10' });
    const path = '/api/v1/spot/withdraw/request';
    const body = { token: 'DF', amount: '2' };
    await expectOk(rig.service.call({ method: 'POST', path, as: user, body }));
    return user;
  }

  const statuses = async (user: Address) =>
    told(await eventsOf(rig.service, user, 'wallet')).map((each) => each['status']);

  test('account events: a withdrawal is published as queued', async () => {
    const user = await signedBy();
    await rig.service.query((db) =>
      sql`UPDATE withdrawals SET status = 'queued' WHERE account = ${user}`.execute(db),
    );
    expect(await statuses(user)).toEqual(['signed', 'queued']);
  });

  test.each(['returned', 'expired'])(
    'account events: a withdrawal is published as %s once its amount is available again',
    async (status) => {
      const user = await signedBy();
      await rig.service.query((db) =>
        sql`UPDATE withdrawals SET status = ${status}, is_settled = false, finished_at = now()
          WHERE account = ${user}`.execute(db),
      );
      expect(await statuses(user)).toEqual(['signed']);
      await expect
        .poll(async () => {
          await rig.newSettler().run();
          return statuses(user);
        })
        .toEqual(['signed', status]);
      const path = '/api/v1/spot/withdrawals';
      const list = await expectOk(rig.service.call({ method: 'GET', path, as: user }));
      expect(list).toMatchObject({ items: [{ status }] });
    },
  );

  test('account events: a transfer is published once the database has it', async () => {
    const user = await nextUser(rig.service, { USDT: '100' });
    const heard: AccountEvent[] = [];
    const { accountEvents } = rig.service.services;
    const end = accountEvents.subscribe(user, 'wallet', (event) => heard.push(event));
    const path = '/api/v1/spot/transfer';
    const body = { direction: 'spot_to_perp', token: 'USDT', amount: '40' };
    await expectOk(rig.service.call({ method: 'POST', path, as: user, body }));
    await expect
      .poll(async () => told(await eventsOf(rig.service, user, 'wallet')))
      .toMatchObject([
        { event: 'transfer', direction: 'spot_to_perp', token: 'USDT', amount: '40' },
      ]);
    await expect.poll(() => heard).toEqual(await eventsOf(rig.service, user, 'wallet'));
    end();
  });
});

describe('referral', () => {
  let service: SpotService;
  let referral: ReferralCaller;
  beforeAll(async () => {
    service = await startReferralService();
    referral = new ReferralCaller(service);
  });
  afterAll(() => service.close());

  test('account events: code and binding are published to the accounts concerned', async () => {
    const [referrer, trader] = [nextAddress(), nextAddress()];
    await expectOk(referral.post(referrer, 'codes', { code: 'EVENTS_1' }));
    await expectOk(referral.post(trader, 'bind', { code: 'EVENTS_1' }));
    const own = told(await eventsOf(service, referrer, 'referral'));
    expect(own[0]).toMatchObject({ event: 'relation', kind: 'create', code: 'EVENTS_1' });
    expect(told(await eventsOf(service, trader, 'referral'))).toMatchObject([
      { event: 'relation', kind: 'bind', counterparty: referrer, code: 'EVENTS_1' },
    ]);
  });

  test('account events: claims and settled commission are published with each change', async () => {
    const user = nextAddress();
    await expectOk(referral.post(user, 'codes', { code: 'EVENTS_2' }));
    await service.query((db) =>
      sql`
        INSERT INTO referral_settled (account_id, claimable)
        SELECT account_id, 13.97 FROM accounts WHERE address = ${user}`.execute(db),
    );
    await service.query((db) =>
      sql`
        INSERT INTO commission_claims
          (claim_no, account_id, origin, amount, status, nonce, deadline, applied_at)
        SELECT 'CLM-events', account_id, 'order', 13.970000, 'processing', 0, 1, now()
        FROM accounts WHERE address = ${user}`.execute(db),
    );
    await service.query((db) =>
      sql`
        UPDATE commission_claims SET status = 'failed', failure_reason = 'a test'
        WHERE claim_no = 'CLM-events'`.execute(db),
    );
    const claim = { event: 'claim', id: 'CLM-events', amount: '13.97' };
    expect(told(await eventsOf(service, user, 'referral')).slice(1)).toEqual([
      { event: 'commission', claimable: '13.97', claimed: '0', failed: '0' },
      { ...claim, status: 'processing' },
      { ...claim, status: 'failed' },
    ]);
  });
});
