import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { assert } from '../../src/domain/assert.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import { readSnapshot, snapshotPath, writeSnapshot } from '../../src/journal/snapshot.ts';
import { SnapshotStore } from '../../src/journal/snapshot-store.ts';
import { createLogger } from '../../src/observability/log.ts';
import { journalFolder } from '../../src/service/options.ts';
import { systemTime } from '../../src/system/system-time.ts';
import { overdrawSpot } from '../support/post-bad-debt.ts';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';

// A running service whose money does not add up: its state is changed on disk while it is stopped.

const soon = { interval: 50, timeout: 60_000 };
const unit = 10n ** 8n;
const address = `0x${'ab'.repeat(20)}` as Address;
const tampered = 5_000n * unit;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function admin(method: string, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': testServiceAdminKey },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await reply.json();
  expect([reply.status, answer]).toEqual([200, answer]);
  return answer;
}

async function credit(amount: string): Promise<void> {
  await vi.waitFor(async () => {
    const body = { user_address: address, token: 'USDT', amount };
    expect(await admin('POST', '/api/v1/admin/spot/balances/credit', body)).toEqual({ ok: true });
  }, soon);
}

async function loadGate(): Promise<{ withdrawals_gated: boolean; withdrawals_held: boolean }> {
  return (await admin('GET', '/api/v1/admin/futures/insurance')) as never;
}

async function release(): Promise<void> {
  const body = { held: false, reason: 'looked into' };
  expect(await admin('PUT', '/api/v1/admin/futures/withdrawals', body)).toEqual({ ok: true });
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

/** Takes money out of the account in the newest snapshot, as a fault of the engine could. */
async function tamper(config: Config): Promise<void> {
  const folder = journalFolder(config);
  const parts = { disk: nodeDisk, folder, time: systemTime, logger: createLogger('silent') };
  const newest = (await new SnapshotStore({ ...parts, machines: engineFactory }).list()).at(-1);
  assert(newest !== undefined, 'an orderly stop leaves a snapshot');
  const snapshot = await readSnapshot(nodeDisk, snapshotPath(folder, newest), systemTime);
  const engine = engineFactory.restore(snapshot.state);
  const accountId = engine.findAccount(address);
  const tokenId = engine.findToken('USDT');
  assert(accountId !== null && tokenId !== null, 'the account was credited');
  overdrawSpot(engine, { accountId, tokenId, amount: tampered });
  const state = engine.encodeState();
  const stateHash = engineFactory.hashState(state);
  await writeSnapshot(nodeDisk, folder, { ...snapshot, state, stateHash });
}

describe('a running service whose state breaks a rule', () => {
  it('command: one that touches the broken state holds withdrawals back and is counted; an administrator releases them', async () => {
    await credit('1000');
    expect(await loadGate()).toMatchObject({ withdrawals_gated: false, withdrawals_held: false });
    await service.restart({}, tamper);
    expect(await metric('engine_broken_commands')).toBe(0);
    expect(await loadGate()).toMatchObject({ withdrawals_held: false });
    await credit('10');
    expect(await loadGate()).toMatchObject({ withdrawals_gated: true, withdrawals_held: true });
    expect(await metric('engine_broken_commands')).toBe(1);
    expect(await metric('futures_withdrawals_gated')).toBe(1);
    // What the engine reports of it is history like everything else.
    await vi.waitFor(async () => {
      const rows = await service.query((db) =>
        db.selectFrom('spot_balances').select(['available', 'locked']).execute(),
      );
      expect(rows.map(({ available }) => Number(available))).toEqual([-3_990]);
    }, soon);
    await release();
    expect(await loadGate()).toMatchObject({ withdrawals_gated: true, withdrawals_held: false });
    expect(await metric('futures_withdrawals_gated')).toBe(1);
  });

  it('audit: the next snapshot’s audit holds withdrawals back until an administrator releases them', async () => {
    await service.restart({ SNAPSHOT_EVERY: '3' }, async () => undefined);
    await vi.waitFor(async () => {
      expect(await metric('engine_broken_rules')).toBeGreaterThan(0);
      expect(await loadGate()).toMatchObject({ withdrawals_gated: true, withdrawals_held: true });
      expect(await metric('futures_withdrawals_gated')).toBe(1);
    }, soon);
    // The money comes back, so that the following snapshots are sound.
    await credit('4500');
    await vi.waitFor(async () => {
      expect(await metric('engine_broken_rules')).toBe(0);
    }, soon);
    await release();
    expect(await loadGate()).toMatchObject({ withdrawals_gated: true, withdrawals_held: false });
    expect(await metric('futures_withdrawals_gated')).toBe(1);
  });
});
