import { describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { createSequencer } from '../../test/support/sequencer-fixture.ts';
import { RequestExpiredError, RequestRepeatedError } from '../application/ports/exchange.ts';
import { digestOf, type RequestDigest } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import { engineFactory } from '../engine/engine.ts';

const folder = '/journal';
const begin = 1_767_571_200_000;

function digest(number: number, timestampMs = begin): RequestDigest {
  return digestOf(number.toString(16).padStart(8, '0').padEnd(64, '5'), timestampMs);
}

const command = (number: number): Command => ({ type: 'openAccount', address: addressOf(number) });

interface Setup {
  readonly disk: MemoryDisk;
  readonly clock?: { now(): number };
  readonly snapshotEvery?: number;
  readonly areRulesHeld?: boolean;
}

async function begun({ disk, clock, snapshotEvery = 1_000_000, areRulesHeld = false }: Setup) {
  const { sequencer } = createSequencer(folder, {
    disk,
    clock: clock ?? { now: () => begin },
    limits: { snapshotEvery },
    areRulesHeld,
  });
  await sequencer.start();
  return sequencer;
}

describe('a signed request that is received again', () => {
  it('is refused, and nothing is done', async () => {
    const sequencer = await begun({ disk: new MemoryDisk() });
    const { sequence } = await sequencer.submit(command(1), digest(1));
    await expect(sequencer.submit(command(2), digest(1))).rejects.toThrow(RequestRepeatedError);
    expect(sequencer.appliedSequence).toBe(sequence);
  });

  it('is refused while the first one is on its way to the disk, once that is durable', async () => {
    const sequencer = await begun({ disk: new MemoryDisk() });
    const first = sequencer.submit(command(1), digest(1));
    const order: string[] = [];
    const second = sequencer.submit(command(1), digest(1));
    void first.then(() => order.push('first'));
    await second.catch(() => order.push('second'));
    expect(order).toEqual(['first', 'second']);
    await expect(second).rejects.toThrow(RequestRepeatedError);
  });

  it('is refused after a kill and a restart', async () => {
    const disk = new MemoryDisk();
    const first = await begun({ disk });
    for (let number = 1; number <= 50; number += 1) {
      await first.submit(command(number), digest(number));
    }
    const second = await begun({ disk: new MemoryDisk(disk.files()) });
    for (let number = 1; number <= 50; number += 1) {
      const repeated = second.submit(command(number), digest(number));
      await expect(repeated).rejects.toThrow(RequestRepeatedError);
    }
    expect((await second.submit(command(51), digest(51))).sequence).toBe(51);
  });

  it('is refused after a restart from a snapshot that holds the first one', async () => {
    const disk = new MemoryDisk();
    const first = await begun({ disk });
    await first.submit(command(1), digest(1));
    await first.stop();
    expect([...disk.files().keys()].some((name) => name.endsWith('.snapshot'))).toBe(true);
    const second = await begun({ disk: new MemoryDisk(disk.files()) });
    await expect(second.submit(command(1), digest(1))).rejects.toThrow(RequestRepeatedError);
  });

  it('is refused as too old once the first one is forgotten', async () => {
    const disk = new MemoryDisk();
    let now = begin;
    const sequencer = await begun({ disk, clock: { now: () => now } });
    await sequencer.submit(command(1), digest(1));
    now += 200_000;
    await sequencer.submit(command(2), digest(2, now));
    await expect(sequencer.submit(command(1), digest(1))).rejects.toThrow(RequestExpiredError);
    await sequencer.stop();
    const next = await begun({ disk: new MemoryDisk(disk.files()), clock: { now: () => now } });
    await expect(next.submit(command(1), digest(1))).rejects.toThrow(RequestExpiredError);
  });

  it('requests without a digest are never taken for repeated ones', async () => {
    const sequencer = await begun({ disk: new MemoryDisk() });
    const [first, second] = [
      await sequencer.submit(command(1)),
      await sequencer.submit(command(1)),
    ];
    expect(second.sequence).toBe(first.sequence + 1);
  });

  it('is refused as too old if it was accepted under rules whose records do not name it', async () => {
    const disk = new MemoryDisk();
    const before = await begun({ disk, areRulesHeld: true });
    await before.submit(command(1), digest(1));
    const killed = new MemoryDisk(disk.files());
    const raised = await begun({ disk: killed, clock: { now: () => begin + 1_500 } });
    expect(raised.rules).toBe(engineFactory.newestRules);
    await expect(raised.submit(command(1), digest(1))).rejects.toThrow(RequestExpiredError);
    const { sequence } = await raised.submit(command(2), digest(2, begin + 600));
    expect(sequence).toBe(raised.appliedSequence);
    await raised.stop();
    const restored = await begun({ disk: killed, clock: { now: () => begin + 3_000 } });
    await expect(restored.submit(command(1), digest(1))).rejects.toThrow(RequestExpiredError);
    expect(restored.appliedSequence).toBe(sequence);
  });

  it('records stay readable for the previous version while its rules are held', async () => {
    const sequencer = await begun({ disk: new MemoryDisk(), areRulesHeld: true });
    expect(sequencer.rules).toBe(engineFactory.oldestRules);
    expect(sequencer.orderMemory.isComplete()).toBe(false);
    await sequencer.submit(command(1), digest(1));
    await sequencer.submit(command(1), digest(1));
    expect(sequencer.appliedSequence).toBe(2);
  });
});
