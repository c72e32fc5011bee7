import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type ClusterMember,
  credit,
  creditsOf,
  MemoryCluster,
} from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { previousVersion } from '../../test/support/previous-version.ts';
import { liveHash } from '../../test/support/recorded-flow.ts';
import { digestOf } from '../domain/request-digest.ts';
import { engineFactory } from '../engine/engine.ts';
import { rulesVersion, rulesVersionMin } from '../engine/rules.ts';
import { RulesVersionError } from '../journal/rules-version.ts';

const soon = { interval: 2, timeout: 20_000 };
let cluster: MemoryCluster;

beforeEach(() => {
  cluster = new MemoryCluster();
});
afterEach(() => cluster.close());

/** A process of the previous version, or of this one with or without the rules held back. */
function join(program: 'previous' | 'held' | 'new', disk?: MemoryDisk): Promise<ClusterMember> {
  cluster.machines = program === 'previous' ? previousVersion : engineFactory;
  cluster.areRulesHeld = program === 'held';
  return cluster.join(disk);
}

async function handOver(from: ClusterMember, to: ClusterMember): Promise<void> {
  await from.exchange.handOver();
  await vi.waitFor(() => expect(to.exchange.isOwner).toBe(true), soon);
}

const rulesOf = ({ exchange }: ClusterMember): number => exchange.sequencer.rules;

it('cluster upgrade: with the rules on hold both programs follow each other', async () => {
  const previous = await join('previous');
  const held = await join('held');
  await previous.exchange.submit(credit());
  await handOver(previous, held);
  const late = await join('previous');
  const seen = [held, late].map(creditsOf);
  await held.exchange.submit(credit());
  await late.exchange.submit(credit());
  const sequences = [held, late].map(({ exchange }) => exchange.read((view) => view.sequence));
  expect(await Promise.all(sequences)).toEqual([3, 3]);
  expect(seen[0]).toHaveLength(2);
  expect(seen[1]).toEqual(seen[0]);
  expect([held, late].map(rulesOf)).toEqual([rulesVersionMin, rulesVersionMin]);
  expect(liveHash(late.exchange.sequencer)).toBe(liveHash(held.exchange.sequencer));
});

it('cluster upgrade: the first owner that does not hold them back raises the rules for all', async () => {
  const held = await join('held');
  const other = await join('held');
  const previous = await join('previous');
  // Neither takes the lease when it is free.
  await other.exchange.handOver();
  await previous.exchange.handOver();
  await previous.exchange.submit(credit());
  const disk = new MemoryDisk();
  await (await join('held', disk)).exchange.stop();
  const newest = await join('new', disk);
  const members = [held, other, newest, previous];
  expect(members.map(rulesOf)).toEqual(members.map(() => rulesVersionMin));

  await handOver(held, newest);
  await vi.waitFor(() => expect(previous.failures).toHaveLength(1), soon);
  expect(previous.failures[0]).toBeInstanceOf(RulesVersionError);
  expect(String(previous.failures[0])).toContain(`by version ${rulesVersion} of the rules`);
  expect(rulesOf(previous)).toBe(rulesVersionMin);
  const { sequence } = await other.exchange.submit(credit());
  expect(sequence).toBe(3);
  await Promise.all([held, other].map(({ exchange }) => exchange.read(() => undefined)));
  expect([held, other, newest].map(rulesOf)).toEqual(Array(3).fill(rulesVersion));
  const hashes = [held, other, newest].map(({ exchange }) => liveHash(exchange.sequencer));
  expect(new Set(hashes).size).toBe(1);
});

it('cluster upgrade: processes are replaced one by one under load, and no client gets an error', async () => {
  const disks = [new MemoryDisk(), new MemoryDisk(), new MemoryDisk()];
  const members: ClusterMember[] = [];
  for (const disk of disks) members.push(await join('held', disk));
  const sent: string[] = [];
  let isOver = false;
  // A balancer sends each order to a process that is in service.
  const inService = new Set(members);
  const load = async (): Promise<void> => {
    for (let number = 0; !isOver; number += 1) {
      const { exchange } = [...inService][number % inService.size]!;
      const command = credit();
      sent.push(command.reason!);
      await exchange.submit(
        command,
        digestOf(sent.length.toString(16).padEnd(64, '1'), Date.now()),
      );
    }
  };
  const clients = Promise.all([load(), load(), load(), load()]);
  let failure: unknown = null;
  clients.catch((error: unknown) => {
    failure = error;
  });
  for (const index of [2, 1, 0]) {
    const before = sent.length;
    await vi.waitUntil(() => failure !== null || sent.length > before + 40, soon);
    expect(failure).toBeNull();
    const gone = members[index]!;
    inService.delete(gone);
    await gone.exchange.handOver();
    await vi.waitFor(
      () => expect([...inService].some(({ exchange }) => exchange.isOwner)).toBe(true),
      soon,
    );
    // As the service does: requests under way are answered before the process ends.
    await vi.waitUntil(() => gone.exchange.waiting === 0, soon);
    await gone.exchange.stop();
    const replaced = await join('new', disks[index]);
    members[index] = replaced;
    inService.add(replaced);
  }
  await vi.waitFor(() => expect(members.map(rulesOf)).toEqual(Array(3).fill(rulesVersion)), soon);
  isOver = true;
  await clients;
  expect(failure).toBeNull();
  const hashes = await Promise.all(
    members.map(async ({ exchange }) => {
      await exchange.read(() => undefined);
      return liveHash(exchange.sequencer);
    }),
  );
  expect(new Set(hashes).size).toBe(1);
  // Each order once, and the command that raises the rules.
  expect(await members[0]!.exchange.read((view) => view.sequence)).toBe(sent.length + 1);
});

it('cluster upgrade: an empty data folder joins a log from before the upgrade with RULES=hold', async () => {
  const previous = await join('previous');
  await previous.exchange.submit(credit());
  cluster.machines = engineFactory;
  cluster.areRulesHeld = false;
  const { exchange, failures } = cluster.open();
  void exchange.start().catch(() => undefined);
  await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0), soon);
  expect(String(failures[0])).toContain('start with RULES=hold');
  await exchange.stop();
  const held = await join('held');
  expect(await held.exchange.read((view) => view.sequence)).toBe(1);
});
