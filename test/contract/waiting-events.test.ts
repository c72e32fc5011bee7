import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ignoringText,
  type WaitingEventPorts,
} from '../../src/application/admin/waiting-events.ts';
import type { VaultEvent } from '../../src/application/ports-chain-ledger.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { waitingEventRoutes } from '../../src/gateway/http/admin/waiting-events.ts';
import { anyText, expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';
import { deposited, released } from '../support/wallet/wallet-rig.ts';

const path = '/api/v1/admin/chain/parked';
const [alice, bob] = [1, 2].map((seed) =>
  privateKeyToAccount(`0x${String(seed).padStart(64, '0')}` as const),
) as [ReturnType<typeof privateKeyToAccount>, ReturnType<typeof privateKeyToAccount>];
const hashOf = (seed: number) => `0x${seed.toString(16).padStart(64, '0')}` as const;

let service: SpotService;
let ports: WaitingEventPorts;
let head = 0;

beforeAll(async () => {
  service = await SpotService.start({
    routes: ({ services }) => {
      ports = {
        events: services.chain.waitingEvents,
        ledger: services.chain.ledger,
        chainId: 42_161,
        areApprovalsRequired: true,
        approvers: [alice, bob].map(({ address }) => address.toLowerCase() as Address),
      };
      return [waitingEventRoutes(ports)];
    },
  });
  await service.services.chain.ledger.startAfter({ number: 0, hash: hashOf(0) });
});
afterAll(() => service.close());

async function mine(...events: readonly VaultEvent[]): Promise<void> {
  head += 1;
  const inTurn = events.map((event, logIndex) => ({ ...event, logIndex }));
  const block = { number: head, hash: hashOf(head), seconds: 1_000 + head, events: inTurn };
  await service.services.chain.ledger.countBlocks([block]);
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string };
async function list(query = ''): Promise<readonly Item[]> {
  const answer = await expectOk(service.call({ path: `${path}${query}`, isAdmin: true }));
  return (answer as { items: readonly Item[] }).items;
}
const post = (to: string, body?: object) =>
  outcomeOf(
    service.call({
      method: 'POST',
      path: `${path}/${to}`,
      isAdmin: true,
      ...(body === undefined ? {} : { body }),
    }),
  );
const error = (status: number, code: string) => ({ status, body: { error: code } });
const ok = { status: 200, body: { ok: true } };

describe('events of the chain that wait', () => {
  test('parked: listed oldest first, by contract, account and kind', async () => {
    const [first, second] = [nextAddress(), nextAddress()];
    await mine(released(first, 0, 5n), deposited(first, 0), released(second, 0, 6n));
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
    expect((await service.call({ path })).status).toBe(401);
  });

  test('parked: retry applies what can be applied, else it goes on waiting', async () => {
    const account = nextAddress();
    await mine(released(account, 0, 5n));
    const [{ id } = { id: '' }] = await list(`?account=${account}`);
    expect(await post(`${id}/retry`)).toEqual(error(409, 'EVENT_STILL_WAITS'));
    // What was missing is there: a row that an older copy did not have.
    const event = released(account, 0, 5n);
    await service.database.rewards.query((db) =>
      db
        .insertInto('withdrawals')
        .values({
          id: '00000000-0000-4000-8000-000000000001',
          account,
          token: 'DF',
          token_address: event.token,
          wallet: 'spot',
          amount: '5',
          raw_amount: '5',
          chain_id: 31_337,
          contract_address: event.token,
          nonce: 0,
          deadline: 9_999,
          signature: '0x01',
          status: 'signed',
          tx_hash: null,
          block_number: null,
          created_at: new Date(),
          finished_at: null,
        })
        .execute(),
    );
    expect(await post(`${id}/retry`)).toEqual(ok);
    expect(await list(`?account=${account}`)).toEqual([]);
    expect(await post(`${id}/retry`)).toEqual(error(404, 'EVENT_NOT_WAITING'));
  });

  test('fault 25: two different people ignore an event; later ones of the account go on', async () => {
    const account = nextAddress();
    await mine(released(account, 0, 5n), deposited(account, 0));
    const [parked, behind] = await list(`?account=${account}`);
    const id = parked?.id ?? '';
    const reason = 'settled with its owner';
    const event = await ports.events.find(id);
    const message = ignoringText(42_161, event!, reason);
    const [ofAlice, ofBob] = [
      await alice.signMessage({ message }),
      await bob.signMessage({ message }),
    ];
    const ignore = (approvals: readonly string[], why = reason) =>
      post(`${id}/ignore`, { reason: why, approvals });
    expect(await ignore([])).toEqual(error(403, 'APPROVALS_REQUIRED'));
    expect(await ignore([ofAlice, ofAlice])).toEqual(error(403, 'APPROVALS_REQUIRED'));
    expect(await ignore([ofAlice, ofBob], 'another')).toEqual(error(403, 'APPROVALS_REQUIRED'));
    expect(await post(`${behind?.id}/ignore`, { reason })).toEqual(error(409, 'EVENT_IS_DEPOSIT'));
    expect(await ignore([ofAlice, ofBob])).toEqual(ok);
    expect(await ignore([ofAlice, ofBob])).toEqual(error(404, 'EVENT_NOT_WAITING'));
    expect(await post(`${behind?.id}/retry`)).toEqual(ok);
    expect(await list(`?account=${account}`)).toEqual([]);
    // The vault has paid it all the same, so its books and the ones here agree on it.
    const books = await service.services.chain.books.load({ number: head, hash: hashOf(head) }, [
      account,
    ]);
    expect(books?.accounts).toContainEqual({ account, deposits: 1, releases: 1, redemptions: 0 });
    const audit = await service.query((db) =>
      db
        .selectFrom('admin_audit')
        .select('admin_actor')
        .where('action', '=', 'ignore_chain_event')
        .execute(),
    );
    expect(audit).toEqual([{ admin_actor: `${alice.address} and ${bob.address}`.toLowerCase() }]);
  });
});
