import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { credit, MemoryCluster } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { engineFactory } from '../engine/engine.ts';
import { openSequencer } from '../sequencer/sequencer.ts';

let cluster: MemoryCluster;

beforeEach(() => {
  cluster = new MemoryCluster();
});
afterEach(() => cluster.close());

describe('beginEpoch', () => {
  it('cluster: the journal of a lone process is written to the log and reaches all', async () => {
    const disk = new MemoryDisk();
    const alone = openSequencer({
      directory: '/journal',
      machines: engineFactory,
      clock: { now: Date.now },
      logger: pino({ level: 'silent' }),
      onFatal: (error) => expect.unreachable(String(error)),
      disk,
      shared: { journalId: async () => '0123456789abcdef', append: async () => undefined },
    });
    await alone.start();
    for (let count = 0; count < 300; count += 1) await alone.submit(credit());
    await alone.stop();
    const first = await cluster.join(disk);
    const second = await cluster.join();
    await second.exchange.submit(credit());
    for (const { exchange } of [first, second]) {
      expect(await exchange.read((view) => view.sequence)).toBe(301);
    }
  });

  it('cluster: the lost end of the log is restored from a journal that has it', async () => {
    const disk = new MemoryDisk();
    const before = await cluster.join(disk);
    for (let count = 0; count < 20; count += 1) await before.exchange.submit(credit());
    await before.exchange.stop();
    cluster.hub.entries.splice(cluster.hub.entries.length - 5);
    const after = await cluster.join(disk);
    const other = await cluster.join();
    expect(await other.exchange.read((view) => view.sequence)).toBe(20);
    expect(await after.exchange.read((view) => view.sequence)).toBe(20);
  });

  it('cluster: a journal of another history is refused', async () => {
    const disk = new MemoryDisk();
    const before = await cluster.join(disk);
    for (let count = 0; count < 20; count += 1) await before.exchange.submit(credit());
    await before.exchange.stop();
    cluster.hub.entries.splice(cluster.hub.entries.length - 5);
    const other = await cluster.join();
    for (let count = 0; count < 30; count += 1) await other.exchange.submit(credit());
    const { exchange } = cluster.open(disk);
    await expect(exchange.start()).rejects.toMatchObject({ name: 'ForkedError' });
    await exchange.stop();
  });

  it('cluster: a process that holds less than the database knows does not become owner', async () => {
    cluster.knownSequence = 1 as Sequence;
    const { exchange } = cluster.open();
    const started = exchange.start();
    started.catch(() => undefined);
    await delay(100);
    expect(exchange.isOwner).toBe(false);
    expect(exchange.state).toBe('restarting');
    cluster.knownSequence = null;
    await started;
    expect(exchange.isOwner).toBe(true);
    await exchange.stop();
  });
});
