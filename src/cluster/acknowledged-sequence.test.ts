import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatedDisk } from '../../test/support/gated-disk.ts';
import { credit, MemoryCluster } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { EngineRestartingError } from '../application/ports/exchange.ts';
import { acknowledgedSequence } from './acknowledged-sequence.ts';

let cluster: MemoryCluster;

beforeEach(() => {
  cluster = new MemoryCluster();
});
afterEach(() => cluster.close());

describe('acknowledgedSequence', () => {
  it('cluster: counts what another process has acknowledged, before its own disk holds it', async () => {
    const owner = await cluster.join();
    const gated = new GatedDisk(new MemoryDisk());
    const standby = await cluster.join(gated.disk);
    gated.close();
    const { sequence } = await owner.exchange.submit(credit());
    expect(await acknowledgedSequence(standby.exchange)).toBe(sequence);
    expect(standby.exchange.durableSequence).toBeLessThan(sequence);
    gated.open();
  });

  it('cluster: is unknown while the shared log lacks what the process holds', async () => {
    const { owner, standby } = await cluster.joinTwo();
    await owner.exchange.submit(credit());
    await standby.exchange.catchUp();
    cluster.hub.loseEnd(1);
    await expect(acknowledgedSequence(standby.exchange)).rejects.toThrow(EngineRestartingError);
  });

  it('cluster: is unknown before the process has joined', async () => {
    const { exchange } = cluster.open();
    await expect(acknowledgedSequence(exchange)).rejects.toThrow(EngineRestartingError);
  });
});
