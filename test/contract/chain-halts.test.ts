import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clearingText } from '../../src/application/admin/chain-halts.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { type HaltRoutePorts, haltRoutes } from '../../src/gateway/http/admin/halt-routes.ts';
import { anyText, expectOk, outcomeOf } from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';

const path = '/api/v1/admin/chain/halts';
const people = [1, 2, 3].map((seed) =>
  privateKeyToAccount(`0x${String(seed).padStart(64, '0')}` as const),
);
const [alice, bob, stranger] = people as [
  (typeof people)[number],
  (typeof people)[number],
  (typeof people)[number],
];
const chainId = 42_161;

let service: SpotService;
let ports: HaltRoutePorts;
/** Whether the contracts name the guardian, and how often it was told to pause. */
const guardian = { isNamed: true, calls: 0 };
beforeAll(async () => {
  service = await SpotService.start({
    routes: ({ services }) => {
      ports = {
        halts: services.chain.halts,
        contractPauses: services.chain.contractPauses,
        guardian: {
          canPause: () => Promise.resolve(guardian.isNamed),
          pauseRequested: () => {
            guardian.calls += 1;
            return Promise.resolve();
          },
        },
        chainId,
        areApprovalsRequired: true,
        approvers: [alice, bob].map(({ address }) => address.toLowerCase() as Address),
      };
      return [haltRoutes(ports)];
    },
  });
});
afterAll(() => service.close());

const post = (to: string, body: object) =>
  outcomeOf(service.call({ method: 'POST', path: `${path}${to}`, isAdmin: true, body }));
const list = async () =>
  ((await expectOk(service.call({ path, isAdmin: true }))) as { items: { id: string }[] }).items;
const error = (status: number, code: string) => ({ status, body: { error: code } });

describe('halts of signing', () => {
  test('halts: a halt is raised by hand, once, and listed', async () => {
    expect(await post('', { reason: 'a drill' })).toEqual({ status: 200, body: { ok: true } });
    expect(await post('', { reason: 'again' })).toEqual(error(409, 'HALT_ALREADY_OPEN'));
    expect(await list()).toEqual([
      {
        id: anyText,
        kind: 'manual',
        role: null,
        detail: 'a drill',
        raised_at: anyText,
        raised_by: 'admin_api_key',
      },
    ]);
  });

  test('halts: one signer alone can be halted, in addition to a halt of all', async () => {
    const halt = { reason: 'its host is replaced', role: 'vault' };
    expect(await post('', halt)).toEqual({ status: 200, body: { ok: true } });
    expect(await post('', halt)).toEqual(error(409, 'HALT_ALREADY_OPEN'));
    expect(await post('', { ...halt, role: 'council' })).toMatchObject({ status: 400 });
    const raised = (await ports.halts.listOpen()).find(({ role }) => role === 'vault');
    expect(raised).toMatchObject({ kind: 'manual', detail: halt.reason });
    await ports.halts.clear(raised?.id ?? '', 'alice and bob', 'done');
  });

  test('fault 25: two different people clear a halt, who signed exactly this reason', async () => {
    const [{ id } = { id: '' }] = await list();
    const [halt] = await ports.halts.listOpen();
    const reason = 'the drill is over';
    const message = clearingText(chainId, halt!, reason);
    const sign = (person: typeof alice, text = message) => person.signMessage({ message: text });
    const clear = async (approvals: readonly string[]) =>
      post(`/${id}/clear`, { reason, approvals });
    const refused = error(403, 'APPROVALS_REQUIRED');
    expect(await post(`/${id}/clear`, { reason })).toEqual(refused);
    expect(await clear([await sign(alice), await sign(alice)])).toEqual(refused);
    expect(await clear([await sign(alice), await sign(stranger)])).toEqual(refused);
    const other = clearingText(chainId, halt!, 'another reason');
    expect(await clear([await sign(alice), await sign(bob, other)])).toEqual(refused);
    expect(await list()).toHaveLength(1);
    const cleared = await clear([await sign(alice), await sign(bob)]);
    expect(cleared).toEqual({ status: 200, body: { ok: true } });
    expect(await list()).toEqual([]);
    expect(await clear([await sign(alice), await sign(bob)])).toEqual(error(404, 'HALT_NOT_FOUND'));
    const audit = await service.query((db) =>
      db
        .selectFrom('admin_audit')
        .select(['admin_actor', 'action'])
        .where('action', '=', 'clear_chain_halt')
        .where('admin_actor', '<>', 'alice and bob')
        .execute(),
    );
    const actor = `${alice.address} and ${bob.address}`.toLowerCase();
    expect(audit).toEqual([{ action: 'clear_chain_halt', admin_actor: actor }]);
  });

  const pauses = async () => {
    const answer = service.call({ path: '/api/v1/admin/chain/contract-pauses', isAdmin: true });
    return ((await expectOk(answer)) as { items: readonly object[] }).items;
  };
  const raised = async (action: string) =>
    service.query((db) =>
      db
        .selectFrom('admin_audit')
        .select(['admin_actor', 'detail'])
        .where('action', '=', action)
        .orderBy('id', 'desc')
        .limit(1)
        .execute(),
    );

  test('pause_contract: a halt of one signer has a guardian pause the contract that takes it', async () => {
    const halt = { reason: 'its key was stolen', role: 'vault', pause_contract: true };
    expect(await post('', halt)).toEqual({ status: 200, body: { ok: true } });
    expect(guardian.calls).toBe(1);
    const asked = {
      id: anyText,
      contract: 'spotVault',
      halt_id: anyText,
      reason: halt.reason,
      requested_by: 'admin_api_key',
      requested_at: anyText,
      state: 'requested',
      tx_hash: null,
    };
    expect(await pauses()).toEqual([asked]);
    const detail = { id: anyText, role: 'vault', reason: halt.reason, contracts: ['spotVault'] };
    expect(await raised('raise_chain_halt')).toEqual([{ admin_actor: 'admin_api_key', detail }]);
    const store = ports.contractPauses;
    await store.noteSent('spotVault', `0x${'ab'.repeat(32)}`);
    expect(await pauses()).toMatchObject([{ state: 'sent', tx_hash: `0x${'ab'.repeat(32)}` }]);
    await store.finish('spotVault');
    expect(await pauses()).toMatchObject([{ state: 'paused' }]);
    expect(await store.listOpen()).toEqual([]);
  });

  test('pause_contract: clearing the halt cancels what was not paused yet', async () => {
    await post('', { reason: 'all of it', pause_contract: true });
    const contracts = ['referralRebate', 'rewardRouter', 'spotVault'];
    const open = (await pauses()).slice(0, 3);
    expect(open).toMatchObject(contracts.map((contract) => ({ contract, state: 'requested' })));
    const halts = await ports.halts.listOpen();
    for (const { id } of halts) await ports.halts.clear(id, 'alice and bob', 'done');
    const canceled = (await pauses()).slice(0, 3);
    expect(canceled).toMatchObject(contracts.map((contract) => ({ contract, state: 'canceled' })));
    expect((await pauses())[3]).toMatchObject({ state: 'paused' });
  });

  test('pause_contract: without a guardian that the contracts name nothing is changed', async () => {
    guardian.isNamed = false;
    const [before, calls] = [await pauses(), guardian.calls];
    const halt = { reason: 'its key was stolen', pause_contract: true };
    expect(await post('', halt)).toEqual(error(409, 'NO_GUARDIAN'));
    expect(await list()).toEqual([]);
    expect([await pauses(), guardian.calls]).toEqual([before, calls]);
  });
});
