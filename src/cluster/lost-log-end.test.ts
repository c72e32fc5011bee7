import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ClusterMember,
  credit,
  creditsOf,
  MemoryCluster,
  quick,
  reasonOf,
  steady,
} from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { EngineBusyError } from '../application/ports/exchange.ts';
import { LogBehindError } from './shared-log.ts';

// A log that loses its end, as after a power cut of a server that had not synced it, and processes
// whose disks are full.

const soon = { interval: 2 };
const restarting = { name: 'EngineRestartingError' };

let cluster: MemoryCluster;

beforeEach(() => {
  cluster = new MemoryCluster();
  cluster.timing = quick;
});
afterEach(() => cluster.close());

const hashOf = ({ exchange }: ClusterMember): string =>
  exchange.peek((view) => (view as unknown as { stateHash(): string }).stateHash());

const sequenceOf = ({ exchange }: ClusterMember): Promise<number> =>
  exchange.read((view) => view.sequence);

async function submit({ exchange }: ClusterMember, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await exchange.submit(credit());
}

describe('a log that has lost its end', () => {
  it("a process ahead of the log's end answers nothing and is not ready", async () => {
    cluster.timing = steady;
    const { owner, standby } = await cluster.joinTwo();
    await submit(owner, 20);
    expect(await sequenceOf(standby)).toBe(20);
    cluster.hub.loseEnd(5);
    await expect(sequenceOf(standby)).rejects.toMatchObject(restarting);
    await vi.waitUntil(() => standby.exchange.status.role === 'ahead', soon);
    expect(standby.exchange.state).toBe('restarting');
    await expect(sequenceOf(standby)).rejects.toMatchObject(restarting);
    expect(standby.failures).toEqual([]);
  });

  it('with the owner dead it is restored from a standby, and no other process ends', async () => {
    const [owner, second, third] = [
      await cluster.join(),
      await cluster.join(),
      await cluster.join(),
    ];
    await submit(owner, 20);
    for (const member of [second, third]) expect(await sequenceOf(member)).toBe(20);
    cluster.hub.pause(owner.process);
    cluster.hub.loseEnd(5);
    const alive = [second, third];
    await vi.waitUntil(() => alive.some(({ exchange }) => exchange.isOwner), soon);
    await vi.waitUntil(() => alive.every(({ exchange }) => exchange.state === 'ready'), soon);
    const seen = alive.map(creditsOf);
    await submit(second, 10);
    for (const member of alive) expect(await sequenceOf(member)).toBe(30);
    expect(seen.map(({ length }) => length)).toEqual([10, 10]);
    expect(hashOf(third)).toBe(hashOf(second));
    expect(alive.flatMap(({ failures }) => failures)).toEqual([]);
    const late = await cluster.join();
    expect(await sequenceOf(late)).toBe(30);
    expect(hashOf(late)).toBe(hashOf(second));
  });

  it.each(['is put back', 'was never stored'])(
    'a command under way that %s is answered by its own outcome, and counts once',
    async (fate) => {
      const { owner, standby } = await cluster.joinTwo();
      const sender = await cluster.join();
      await submit(owner, 20);
      for (const member of [standby, sender]) expect(await sequenceOf(member)).toBe(20);
      const seen = creditsOf(standby);
      const { hub } = cluster;
      if (fate === 'is put back') hub.afterAppend = () => hub.pause(sender.process);
      else hub.beforeAppend = (process) => void (process === owner.process && hub.kill(process));
      const answer = sender.exchange.submit(credit());
      if (fate === 'is put back') await vi.waitUntil(() => seen.length === 1, soon);
      hub.afterAppend = () => undefined;
      await vi.waitUntil(() => fate === 'is put back' || hub.hasLeft(owner.process), soon);
      hub.kill(owner.process);
      hub.loseEnd(5);
      await vi.waitUntil(() => [standby, sender].some(({ exchange }) => exchange.isOwner), soon);
      hub.resume(sender.process);
      const applied = await answer;
      expect(applied.sequence).toBe(21);
      await sequenceOf(standby);
      expect(seen).toEqual([reasonOf(applied)]);
      expect([...standby.failures, ...sender.failures]).toEqual([]);
    },
  );

  it("what a leader without the log's end refuses, and others have stored, has an unknown outcome and counts once", async () => {
    const { owner, standby } = await cluster.joinTwo();
    const seen = creditsOf(standby);
    cluster.hub.afterAppend = (process) => {
      if (process === owner.process) throw new LogBehindError('the leader lacks the end');
    };
    const submitted = owner.exchange.submit(credit('stored elsewhere'));
    await expect(submitted).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
    await vi.waitUntil(() => owner.failures.length > 0, soon);
    cluster.hub.kill(owner.process);
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    await submit(standby, 1);
    expect(seen.filter((reason) => reason === 'stored elsewhere')).toHaveLength(1);
  });

  it('an owner that is connected to a restarted log before the other members waits for them', async () => {
    cluster.timing = steady;
    cluster.membersCount = 2;
    const { owner, standby } = await cluster.joinTwo();
    await cluster.settle();
    await submit(owner, 20);
    expect(await sequenceOf(standby)).toBe(20);
    const { hub } = cluster;
    hub.pause(standby.process);
    let asked = 0;
    hub.beforeRollCall = () => {
      asked += 1;
      if (asked === 3) hub.resume(standby.process);
    };
    hub.loseEnd(5);
    const { sequence } = await owner.exchange.submit(credit());
    expect(asked).toBeGreaterThanOrEqual(3);
    expect(owner.exchange.isOwner).toBe(true);
    await vi.waitFor(async () => expect(await sequenceOf(standby)).toBe(sequence), soon);
    expect([...owner.failures, ...standby.failures]).toEqual([]);
  });

  it('an owner without orders finds that the log lacks its end, and restores it', async () => {
    const { owner, standby } = await cluster.joinTwo();
    await submit(owner, 20);
    expect(await sequenceOf(standby)).toBe(20);
    cluster.hub.entries.splice(-5);
    await vi.waitUntil(() => standby.exchange.status.role === 'ahead', soon);
    await vi.waitFor(async () => expect(await sequenceOf(standby)).toBe(20), soon);
    expect(owner.exchange.isOwner).toBe(true);
    expect([...owner.failures, ...standby.failures]).toEqual([]);
  });

  it('row 6: with all alive the owner restores what the log has lost, and no process ends', async () => {
    const { owner, standby } = await cluster.joinTwo();
    await submit(owner, 20);
    expect(await sequenceOf(standby)).toBe(20);
    cluster.hub.loseEnd(5);
    const { sequence } = await owner.exchange.submit(credit());
    expect(sequence).toBe(21);
    await vi.waitFor(async () => expect(await sequenceOf(standby)).toBe(21), soon);
    expect(owner.exchange.isOwner).toBe(true);
    expect([...owner.failures, ...standby.failures]).toEqual([]);
  });

  it('row 6: a process that holds no more than what is left of the log serves no read until its owner has continued', async () => {
    const { owner, standby } = await cluster.joinTwo();
    await submit(owner, 20);
    expect(await sequenceOf(standby)).toBe(20);
    cluster.hub.start += 1;
    cluster.hub.pause(owner.process);
    await expect(standby.exchange.read((view) => view.sequence)).rejects.toThrow(
      'no process owns the exchange',
    );
    cluster.hub.resume(owner.process);
    await vi.waitFor(async () => expect(await sequenceOf(standby)).toBe(20), soon);
    expect([...owner.failures, ...standby.failures]).toEqual([]);
  });

  it('a process that holds less releases the lease to one that holds more, and no epoch is used up', async () => {
    const [owner, less, more] = [await cluster.join(), await cluster.join(), await cluster.join()];
    await submit(owner, 10);
    expect(await sequenceOf(less)).toBe(10);
    cluster.hub.pause(less.process);
    await submit(owner, 10);
    expect(await sequenceOf(more)).toBe(20);
    const { epoch } = cluster.hub;
    cluster.hub.pause(owner.process);
    cluster.hub.loseEnd(10);
    cluster.hub.resume(less.process);
    await vi.waitUntil(() => more.exchange.isOwner, soon);
    expect(cluster.hub.epoch).toBe(epoch + 1);
    await vi.waitUntil(() => less.exchange.state === 'ready', soon);
    expect(await sequenceOf(less)).toBe(20);
    expect(hashOf(less)).toBe(hashOf(more));
  });

  it('a candidate whose log loses its end restores it and does not apply its own entries', async () => {
    const [owner, second] = [await cluster.join(), await cluster.join()];
    await submit(owner, 20);
    expect(await sequenceOf(second)).toBe(20);
    cluster.hub.beforeRollCall = () => {
      cluster.hub.beforeRollCall = () => undefined;
      cluster.hub.loseEnd(5);
    };
    cluster.hub.pause(owner.process);
    await vi.waitUntil(() => second.exchange.isOwner, soon);
    await submit(second, 10);
    expect(await sequenceOf(second)).toBe(30);
    expect(second.exchange.state).toBe('ready');
    const late = await cluster.join();
    expect(hashOf(late)).toBe(hashOf(second));
    expect(second.failures).toEqual([]);
  });

  it('a candidate does not wait for entries that the log has lost', async () => {
    const [owner, second] = [await cluster.join(), await cluster.join()];
    const { sequencer } = second.exchange;
    const follow = sequencer.follow.bind(sequencer);
    let isBusy = true;
    vi.spyOn(sequencer, 'follow').mockImplementation((...args) =>
      isBusy ? Promise.reject(new EngineBusyError('busy')) : follow(...args),
    );
    await submit(owner, 10);
    cluster.hub.pause(owner.process);
    await vi.waitUntil(() => cluster.hub.owner === second.process, soon);
    cluster.hub.loseEnd(8);
    isBusy = false;
    await vi.waitUntil(() => second.exchange.isOwner, { ...soon, timeout: 20_000 });
    expect(await sequenceOf(second)).toBe(2);
    await submit(second, 3);
    expect(await sequenceOf(second)).toBe(5);
    expect(second.failures).toEqual([]);
  }, 30_000);

  it('if only an absent process can hold what is lost, none begins an epoch before it is back', async () => {
    cluster.membersCount = 2;
    const disk = new MemoryDisk();
    const owner = await cluster.join(disk);
    const standby = await cluster.join();
    await cluster.settle();
    await submit(owner, 10);
    expect(await sequenceOf(standby)).toBe(10);
    cluster.hub.pause(standby.process);
    await submit(owner, 10);
    await owner.exchange.stop();
    cluster.hub.loseEnd(10);
    const { epoch } = cluster.hub;
    const attempts = { count: 0 };
    cluster.hub.beforeRollCall = () => void (attempts.count += 1);
    cluster.hub.resume(standby.process);
    await vi.waitUntil(() => attempts.count >= 2, soon);
    expect(standby.exchange.isOwner).toBe(false);
    expect(cluster.hub.epoch - epoch).toBeLessThanOrEqual(1);
    const back = await cluster.join(disk);
    await vi.waitUntil(() => standby.exchange.state === 'ready', soon);
    for (const member of [back, standby]) expect(await sequenceOf(member)).toBe(20);
    expect(hashOf(standby)).toBe(hashOf(back));
    expect(standby.failures).toEqual([]);
  });

  it('after a server restart without loss no absent process is needed', async () => {
    cluster.membersCount = 2;
    const { owner, standby } = await cluster.joinTwo();
    await submit(owner, 5);
    cluster.hub.start += 1;
    // The owner names the new start with what it appends.
    await vi.waitUntil(async () => {
      await submit(owner, 1);
      return cluster.hub.entries.at(-1)?.logStart === 'start 2';
    }, soon);
    await sequenceOf(standby);
    cluster.hub.pause(owner.process);
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
  });
});

describe('a disk that is full', () => {
  const fill = ({ exchange }: ClusterMember) => {
    const { statistics } = exchange.sequencer;
    return vi
      .spyOn(exchange.sequencer, 'statistics', 'get')
      .mockReturnValue({ ...statistics, isSpaceMissing: true });
  };

  it('an owner hands over to a process that has room, and returns as a standby', async () => {
    const { owner, standby } = await cluster.joinTwo();
    await submit(owner, 3);
    const disk = fill(owner);
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    await vi.waitUntil(() => owner.exchange.state === 'ready', soon);
    await submit(owner, 3);
    expect(owner.exchange.status.role).toBe('standby');
    expect(await sequenceOf(owner)).toBe(6);
    expect(owner.failures).toEqual([]);
    disk.mockRestore();
    await standby.exchange.handOver();
    await vi.waitUntil(() => owner.exchange.isOwner, soon);
    await submit(owner, 1);
  });

  it('an owner stays if no other process has room, and no process with a full disk takes over', async () => {
    const { owner, standby } = await cluster.joinTwo();
    const asked = { count: 0 };
    cluster.hub.beforeRollCall = () => void (asked.count += 1);
    const room = fill(standby);
    fill(owner);
    await vi.waitUntil(() => asked.count >= 3, soon);
    expect(owner.exchange.isOwner).toBe(true);
    cluster.hub.pause(owner.process);
    await vi.waitUntil(() => standby.exchange.state === 'restarting', soon);
    const { epoch } = cluster.hub;
    room.mockRestore();
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    expect(cluster.hub.epoch).toBe(epoch + 1);
  });
});

describe('a process that is unfit to own the exchange', () => {
  it('an owner with little space hands over before it runs out, and continues to serve', async () => {
    const { owner, standby } = await cluster.joinTwo();
    await submit(owner, 3);
    cluster.weaknessOf = (number) => (number === 0 ? 'disk low' : null);
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    await vi.waitUntil(() => owner.exchange.state === 'ready', soon);
    await submit(owner, 3);
    expect(await sequenceOf(owner)).toBe(6);
    expect(owner.exchange.status).toMatchObject({ role: 'standby', unfitness: 'disk low' });
  });

  it('if every disk has little space, the owner stays, and another one can take over after it', async () => {
    cluster.weaknessOf = () => 'disk low';
    const { owner, standby } = await cluster.joinTwo();
    const asked = { count: 0 };
    cluster.hub.beforeRollCall = () => void (asked.count += 1);
    await vi.waitUntil(() => asked.count >= 3, soon);
    expect(owner.exchange.isOwner).toBe(true);
    await owner.exchange.handOver();
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    await submit(standby, 1);
  });

  it('an owner is not replaced for a slow loop within 30 s of its takeover', async () => {
    const { owner, standby } = await cluster.joinTwo();
    const asked = { count: 0 };
    cluster.hub.beforeRollCall = () => void (asked.count += 1);
    cluster.weaknessOf = (number) => (number === 0 ? 'loop slow' : null);
    await vi.waitUntil(() => owner.exchange.status.unfitness === 'loop slow', soon);
    for (let count = 0; count < 50; count += 1) await submit(standby, 1);
    expect([owner.exchange.isOwner, asked.count]).toEqual([true, 0]);
  });
});
