import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ClusterMember,
  credit,
  MemoryCluster,
  quick,
} from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';

const soon = { interval: 2, timeout: 20_000 };
let cluster: MemoryCluster;

beforeEach(() => {
  cluster = new MemoryCluster();
  cluster.timing = quick;
  cluster.membersCount = 3;
});
afterEach(() => cluster.close());

async function joinReplica(disk?: MemoryDisk): Promise<ClusterMember> {
  cluster.mayOwn = false;
  try {
    return await cluster.join(disk);
  } finally {
    cluster.mayOwn = true;
  }
}

const membersOf = ({ exchange }: ClusterMember): readonly string[] =>
  exchange.memberFile!.list.members;

describe('a process without the role order', () => {
  it('serves writes and reads, is no member, and never takes the lease', async () => {
    const disk = new MemoryDisk();
    const owner = await cluster.join(disk);
    const replica = await joinReplica();
    const applied = await replica.exchange.submit(credit());
    expect(await owner.exchange.read((view) => view.sequence)).toBe(applied.sequence);
    const third = await cluster.join();
    await vi.waitUntil(() => membersOf(owner).length === 2, soon);
    expect(membersOf(owner)).not.toContain(replica.exchange.memberFile!.member);
    expect(
      await owner.exchange.answerOperator({
        type: 'change',
        change: { add: replica.exchange.memberFile!.member, remove: null },
      }),
    ).toMatchObject({
      text: 'that process may not own the exchange: its ROLES lack order',
    });
    await third.exchange.stop();
    await owner.exchange.stop();
    await vi.waitUntil(() => replica.exchange.state === 'restarting', soon);
    expect(cluster.hub.owner).toBeNull();
    const again = await cluster.join(disk);
    await vi.waitUntil(() => replica.exchange.state === 'ready', soon);
    expect([again.exchange.isOwner, replica.exchange.isOwner]).toEqual([true, false]);
  });

  it('an unfit owner does not hand over to it', async () => {
    const owner = await cluster.join();
    const replica = await joinReplica();
    const asked = { count: 0 };
    cluster.hub.beforeRollCall = () => void (asked.count += 1);
    cluster.weaknessOf = (number) => (number === 0 ? 'disk low' : null);
    await vi.waitUntil(() => asked.count >= 3, soon);
    expect([owner.exchange.isOwner, replica.exchange.isOwner]).toEqual([true, false]);
  });

  it('a member is not started without the role, as the others rely on it', async () => {
    const disk = new MemoryDisk();
    const owner = await cluster.join();
    const member = await cluster.join(disk);
    await vi.waitUntil(() => membersOf(member).length === 2, soon);
    await member.exchange.stop();
    const started = joinReplica(disk);
    await expect(started).rejects.toThrow('ROLES without order cannot be');
    expect(owner.failures).toEqual([]);
  });
});

describe('a copied data folder', () => {
  it('a process with a copy of the folder of another one that runs does not join', async () => {
    const disk = new MemoryDisk();
    const owner = await cluster.join(disk);
    await owner.exchange.submit(credit());
    const copy = cluster.open(new MemoryDisk(disk.files()));
    const started = copy.exchange.start();
    await expect(started).rejects.toThrow(/runs with the number \w+ of this data folder/);
    await copy.exchange.stop();
    await owner.exchange.submit(credit());
    expect(owner.failures).toEqual([]);
  });
});
