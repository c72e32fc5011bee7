import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readGoldenState } from '../../test/golden/golden-state.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import { engineFactory } from '../engine/engine.ts';
import { rulesVersion } from '../engine/rules.ts';
import { stateVersion } from '../engine/snapshot/state-format.ts';
import { systemTime } from '../system/system-time.ts';
import { SnapshotStore } from './snapshot-store.ts';

const folder = '/journal';

async function storeWith(stateHash: string, state: Uint8Array) {
  const disk = new MemoryDisk();
  await disk.createFolder();
  const lines: unknown[] = [];
  const logger = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  const store = new SnapshotStore({
    disk,
    folder,
    machines: engineFactory,
    time: systemTime,
    logger,
  });
  const { sequence } = engineFactory.restore(state);
  const of = { journalId: '0123456789abcdef', rulesVersion: rulesVersion - 1, sequence };
  await store.write({
    ...of,
    timestamp: 1 as TimestampMs,
    stateHash,
    state,
    requests: new Uint8Array(),
  });
  return { store, sequence, lines };
}

it('snapshots: a snapshot of the previous version is used', async () => {
  const { bytes, hash } = readGoldenState(stateVersion - 1);
  const { store, sequence, lines } = await storeWith(hash, bytes);
  const { machine } = await store.restore(Number.MAX_SAFE_INTEGER);
  expect(machine.sequence).toBe(sequence);
  expect(machine.stateHash()).toBe(engineFactory.restore(bytes).stateHash());
  expect(lines).toEqual([]);
});

it('snapshots: a snapshot of the previous version with another hash counts as damaged', async () => {
  const { bytes, hash } = readGoldenState(stateVersion - 1);
  const { store, lines } = await storeWith(
    hash.replace(/^./, (first) => (first === '0' ? '1' : '0')),
    bytes,
  );
  expect((await store.restore(Number.MAX_SAFE_INTEGER)).sequence).toBe(0);
  expect(lines).toMatchObject([{ msg: 'snapshot is damaged; using an older one' }]);
});
