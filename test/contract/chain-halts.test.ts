import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clearingText, type HaltPorts } from '../../src/application/admin/chain-halts.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { haltRoutes } from '../../src/gateway/http/admin/halt-routes.ts';
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
let ports: HaltPorts;
beforeAll(async () => {
  service = await SpotService.start({
    routes: ({ services }) => {
      ports = {
        halts: services.chain.halts,
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
  test('halts: one is raised by hand, once, and listed', async () => {
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

  test('halts: one signer alone can be halted, besides a halt of all of them', async () => {
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
});
