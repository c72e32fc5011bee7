import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ClusterMember,
  credit,
  MemoryCluster,
  MemoryStamps,
  quick,
} from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';

// Older copies of a member's folder, which hold less than the member has reported and promised.

const soon = { interval: 2, timeout: 20_000 };
let cluster: MemoryCluster;

beforeEach(() => {
  cluster = new MemoryCluster();
  cluster.timing = quick;
  cluster.membersCount = 3;
});
afterEach(() => cluster.close());

const idOf = ({ exchange }: Pick<ClusterMember, 'exchange'>): string => exchange.memberFile!.member;
const copyOf = (disk: MemoryDisk): MemoryDisk => new MemoryDisk(disk.files());

async function joinThree() {
  const disk = new MemoryDisk();
  const owner = await cluster.join();
  const other = await cluster.join();
  const member = await cluster.join(disk);
  await cluster.settle();
  return { owner, other, member, disk };
}

const membersOf = ({ exchange }: ClusterMember): readonly string[] =>
  exchange.memberFile!.list.members;

describe('a folder that is put back', () => {
  it('is the same member after each stop, and a new process if it is an older copy', async () => {
    const { owner, other, member, disk } = await joinThree();
    const older = copyOf(disk);
    await member.exchange.stop();
    const again = await cluster.join(disk);
    expect(idOf(again)).toBe(idOf(member));
    await again.exchange.stop();
    const restored = await cluster.join(older);
    expect(idOf(restored)).not.toBe(idOf(member));
    const applied = await restored.exchange.submit(credit());
    expect(await restored.exchange.read((view) => view.sequence)).toBe(applied.sequence);
    expect(membersOf(owner)).toEqual([owner, other, member].map(idOf));
    const change = { add: idOf(restored), remove: idOf(member) };
    const answer = await owner.exchange.answerOperator({ type: 'change', change });
    expect(answer).toMatchObject({ isDone: true });
    const expected = [owner, other, restored].map(idOf);
    await vi.waitUntil(() => membersOf(restored).join() === expected.join(), soon);
    await restored.exchange.stop();
    expect(idOf(await cluster.join(older))).toBe(idOf(restored));
  });

  it('counts for no roll call: what only the lost folder held is waited for', async () => {
    cluster.ackCopies = 2;
    const { owner, other, member: before, disk } = await joinThree();
    const older = copyOf(disk);
    await before.exchange.stop();
    const member = await cluster.join(disk);
    cluster.hub.pause(other.process);
    await owner.exchange.submit(credit());
    await member.exchange.stop();
    await owner.exchange.stop();
    cluster.hub.loseEnd(1);
    cluster.hub.resume(other.process);
    // Under the number of the lost folder it would be the second of three, and enough.
    const copy = cluster.open(older);
    const started = copy.exchange.start().catch(() => undefined);
    await vi.waitUntil(() => copy.exchange.memberFile !== null, soon);
    expect(idOf(copy)).not.toBe(idOf(member));
    const asked = { count: 0 };
    cluster.hub.beforeRollCall = () => void (asked.count += 1);
    await vi.waitUntil(() => asked.count >= 6, soon);
    expect([other.exchange.isOwner, copy.exchange.isOwner]).toEqual([false, false]);
    cluster.hub.beforeRollCall = () => undefined;
    const back = await cluster.join(disk);
    expect(idOf(back)).toBe(idOf(member));
    expect(await back.exchange.read((view) => view.sequence)).toBe(1);
    await started;
    await copy.exchange.stop();
  });

  it('is the member with a database that was restored to an older state', async () => {
    const { member, disk } = await joinThree();
    const before = new Map(cluster.stamps.known);
    await member.exchange.stop();
    const again = await cluster.join(disk);
    await again.exchange.stop();
    cluster.stamps.known = before;
    expect(idOf(await cluster.join(disk))).toBe(idOf(member));
  });
});

describe('a copy of a folder whose process runs', () => {
  it('takes nothing from it', async () => {
    const { member, disk } = await joinThree();
    const copy = cluster.open(copyOf(disk));
    await expect(copy.exchange.start()).rejects.toThrow('of this data folder');
    await copy.exchange.stop();
    await member.exchange.stop();
    expect(idOf(await cluster.join(disk))).toBe(idOf(member));
  });

  it('is a new process once the running one has stamped its folder', async () => {
    cluster.stampEveryMs = 5;
    const { member, disk } = await joinThree();
    const older = copyOf(disk);
    const known = cluster.stamps.known.get(idOf(member))!.count;
    await vi.waitUntil(() => cluster.stamps.known.get(idOf(member))!.count > known + 1, soon);
    const copy = await cluster.join(older);
    expect(idOf(copy)).not.toBe(idOf(member));
    expect(member.failures).toEqual([]);
  });

  it('ends the running one if that did not answer, and it starts as a new process', async () => {
    cluster.stampEveryMs = 5;
    const { owner, other, member, disk } = await joinThree();
    const ofMember = cluster.stamps;
    ofMember.isAway = true;
    await vi.waitUntil(() => ofMember.refusals > 5, soon);
    cluster.stamps = new MemoryStamps(ofMember.known);
    cluster.hub.pause(member.process);
    cluster.stampEveryMs = 3_600_000;
    const copy = await cluster.join(copyOf(disk));
    expect(idOf(copy)).toBe(idOf(member));
    expect(member.failures).toEqual([]);
    ofMember.isAway = false;
    await vi.waitUntil(() => member.failures.length > 0, soon);
    expect(member.failures).toMatchObject([{ name: 'FolderCopiedError' }]);
    cluster.hub.resume(member.process);
    await member.exchange.stop();
    const back = await cluster.join(disk);
    expect(idOf(back)).not.toBe(idOf(copy));
    expect(membersOf(owner)).toEqual([owner, other, copy].map(idOf));
  });
});

describe('without the database', () => {
  it('a process waits before it reports anything under its number, and then is the member', async () => {
    const { owner, member, disk } = await joinThree();
    await member.exchange.stop();
    cluster.stamps.isAway = true;
    const again = cluster.open(disk);
    const started = again.exchange.start();
    await vi.waitUntil(() => cluster.stamps.refusals > 0, soon);
    expect(again.exchange.memberFile).toBeNull();
    await owner.exchange.submit(credit());
    cluster.stamps.isAway = false;
    await started;
    expect(idOf(again)).toBe(idOf(member));
    await again.exchange.stop();
  });

  it('a process that waits can be stopped', async () => {
    cluster.stamps.isAway = true;
    const { exchange } = cluster.open();
    const started = exchange.start();
    const ended = expect(started).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitUntil(() => cluster.stamps.refusals > 0, soon);
    await exchange.stop();
    await ended;
  });

  it('a running process continues', async () => {
    cluster.stampEveryMs = 5;
    const { owner, other, member } = await joinThree();
    cluster.stamps.isAway = true;
    await vi.waitUntil(() => cluster.stamps.refusals > 5, soon);
    await member.exchange.submit(credit());
    cluster.stamps.isAway = false;
    const known = cluster.stamps.known.get(idOf(member))!.count;
    await vi.waitUntil(() => cluster.stamps.known.get(idOf(member))!.count > known, soon);
    expect([owner, other, member].flatMap(({ failures }) => failures)).toEqual([]);
  });
});
