import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ClusterMember,
  credit,
  creditsOf,
  MemoryCluster,
  quick,
  steady,
} from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import type { MemberFile } from './member-file.ts';

// What an acknowledgement rests on: the journals of two members out of three.

const soon = { interval: 2, timeout: 20_000 };

let cluster: MemoryCluster;

beforeEach(() => {
  cluster = new MemoryCluster();
  cluster.membersCount = 3;
  cluster.ackCopies = 2;
});
afterEach(() => cluster.close());

async function joinThree(): Promise<readonly [ClusterMember, ClusterMember, ClusterMember]> {
  const all = [await cluster.join(), await cluster.join(), await cluster.join()] as const;
  await cluster.settle();
  expect(all[0].exchange.memberFile!.list.copies).toBe(2);
  return all;
}

const sequenceOf = ({ exchange }: ClusterMember): Promise<number> =>
  exchange.read((view) => view.sequence);

describe('copies of an acknowledged command', () => {
  it('with one member silent no client waits; with two nothing is acknowledged or shown', async () => {
    const [owner, second, third] = await joinThree();
    cluster.hub.pause(third.process);
    for (let count = 0; count < 5; count += 1) await owner.exchange.submit(credit());
    expect(await sequenceOf(second)).toBe(5);
    cluster.hub.losesReports = (process) => process === second.process;
    const seen = creditsOf(owner);
    let isAnswered = false;
    const waiting = owner.exchange.submit(credit()).then(() => {
      isAnswered = true;
    });
    await vi.waitUntil(() => owner.exchange.state === 'restarting', soon);
    expect(isAnswered).toBe(false);
    expect(seen).toEqual([]);
    await expect(sequenceOf(owner)).rejects.toMatchObject({ name: 'EngineRestartingError' });
    await expect(owner.exchange.submit(credit())).rejects.toMatchObject({
      name: 'EngineRestartingError',
    });
    cluster.hub.losesReports = () => false;
    await waiting;
    expect(seen).toHaveLength(1);
    expect(await sequenceOf(owner)).toBe(6);
  }, 30_000);

  it('after 12 s without a second copy the outcome is unknown, and it is shown once it is held', async () => {
    const [owner, second, third] = await joinThree();
    cluster.hub.losesReports = (process) => process !== owner.process;
    const seen = creditsOf(owner);
    await expect(owner.exchange.submit(credit())).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
    });
    expect(seen).toEqual([]);
    cluster.hub.losesReports = () => false;
    await vi.waitUntil(() => seen.length === 1, soon);
    for (const member of [second, third]) expect(await sequenceOf(member)).toBe(1);
  }, 30_000);

  it('two of three begin an epoch without the third, and lose nothing that was acknowledged', async () => {
    cluster.timing = quick;
    const [owner, second, third] = await joinThree();
    for (let count = 0; count < 20; count += 1) await owner.exchange.submit(credit());
    cluster.hub.pause(owner.process);
    cluster.hub.loseEnd(5);
    const alive = [second, third];
    await vi.waitUntil(() => alive.some(({ exchange }) => exchange.isOwner), soon);
    await vi.waitUntil(() => alive.every(({ exchange }) => exchange.state === 'ready'), soon);
    for (const member of alive) expect(await sequenceOf(member)).toBe(20);
    await second.exchange.submit(credit());
    expect(await sequenceOf(third)).toBe(21);
  }, 30_000);

  it.each([
    [
      'row 9: a tail that was never acknowledged is set aside, and its process is a standby again',
      20,
    ],
    [
      'a tail that was never acknowledged is set aside where the exchange has had no command since',
      0,
    ],
  ])(
    '%s',
    async (_title, later) => {
      cluster.timing = quick;
      const disk = new MemoryDisk();
      const owner = await cluster.join(disk);
      const [second, third] = [await cluster.join(), await cluster.join()];
      await cluster.settle();
      for (let count = 0; count < 10; count += 1) await owner.exchange.submit(credit());
      const alive = [second, third];
      for (const member of alive) expect(await sequenceOf(member)).toBe(10);
      for (const { process } of alive) cluster.hub.pause(process);
      const waiting = Array.from({ length: 5 }, () => owner.exchange.submit(credit()));
      for (const each of waiting) each.catch(() => undefined);
      await vi.waitUntil(() => owner.exchange.sequencer.writtenSequence === 15, soon);
      cluster.hub.pause(owner.process);
      cluster.hub.loseEnd(
        cluster.hub.entries.filter(({ lastSequence }) => lastSequence > 10).length,
      );
      for (const { process } of alive) cluster.hub.resume(process);
      await vi.waitUntil(() => alive.some(({ exchange }) => exchange.isOwner), soon);
      await vi.waitUntil(() => alive.every(({ exchange }) => exchange.state === 'ready'), soon);
      for (let count = 0; count < later; count += 1) await second.exchange.submit(credit());
      const copy = new MemoryDisk(disk.files());
      const { exchange: back } = cluster.open(copy);
      await expect(back.start()).rejects.toMatchObject({ name: 'TailSetAsideError' });
      await back.stop();
      const again = await cluster.join(copy);
      expect(await sequenceOf(again)).toBe(10 + later);
      expect(await copy.list('/journal')).toContain('00000001.segment.after-10');
      expect(again.exchange.memberFile!.member).toBe(owner.exchange.memberFile!.member);
    },
    30_000,
  );

  it('a process that joins takes as acknowledged what the log says the owner had acknowledged', async () => {
    const [owner] = await joinThree();
    for (let count = 0; count < 20; count += 1) await owner.exchange.submit(credit());
    cluster.hub.losesReports = () => true;
    const { exchange } = cluster.open(new MemoryDisk());
    const starting = exchange.start();
    starting.catch(() => undefined);
    await vi.waitUntil(() => exchange.sequencer.appliedSequence === 20, soon);
    await vi.waitUntil(() => exchange.sequencer.durableSequence === 19, soon);
    cluster.hub.losesReports = () => false;
    await starting;
    await vi.waitUntil(() => exchange.sequencer.durableSequence === 20, soon);
    await exchange.stop();
  }, 30_000);

  it('a member that has promised a later epoch no longer counts, and the owner leaves', async () => {
    cluster.timing = steady;
    const [owner, second, third] = await joinThree();
    await owner.exchange.submit(credit());
    for (const { exchange } of [second, third]) {
      await (exchange.memberFile as MemberFile).promise(99, 'elsewhere');
    }
    const waiting = owner.exchange.submit(credit());
    waiting.catch(() => undefined);
    await vi.waitUntil(() => owner.failures.length > 0, soon);
    expect(owner.failures[0]).toMatchObject({ name: 'FencedError' });
  }, 30_000);
});
