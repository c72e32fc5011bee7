import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  brisk,
  type ClusterMember,
  credit,
  creditsOf,
  MemoryCluster,
  quick,
  reasonOf,
  steady,
} from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { SimulatedClocks, startOfClocks } from '../../test/support/simulated-clocks.ts';
import { systemTime } from '../system/system-time.ts';
import { outcomeTimeoutMs } from './request-forwarder.ts';

const soon = { interval: 2 };

let cluster: MemoryCluster;

beforeEach(() => {
  cluster = new MemoryCluster();
});
afterEach(() => cluster.close());

describe('ClusterExchange', () => {
  it('cluster: a write at any process reaches the owner and is answered by its own outcome', async () => {
    const { owner, standby } = await cluster.joinTwo();
    expect([owner.exchange.isOwner, standby.exchange.isOwner]).toEqual([true, false]);
    for (const member of [owner, standby, standby, owner]) {
      const command = credit();
      const applied = await member.exchange.submit(command);
      expect(applied.command).toEqual(command);
      for (const { exchange } of [owner, standby]) {
        const sequence = await exchange.read((view) => view.sequence);
        expect(sequence).toBe(applied.sequence);
      }
    }
    const hashes = [owner, standby].map(({ exchange }) =>
      exchange.peek((view) => (view as unknown as { stateHash(): string }).stateHash()),
    );
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('cluster: concurrent writes at both processes get one order, each once', async () => {
    const { owner, standby } = await cluster.joinTwo();
    const seen = [owner, standby].map(creditsOf);
    const applied = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        (index % 3 === 0 ? owner : standby).exchange.submit(credit()),
      ),
    );
    expect(new Set(applied.map(({ sequence }) => sequence)).size).toBe(400);
    await Promise.all([owner, standby].map(({ exchange }) => exchange.read(() => undefined)));
    expect(seen[1]).toEqual(seen[0]);
    expect(new Set(seen[0]).size).toBe(400);
  });

  it('cluster: a request lost in transit is sent again and counts once', async () => {
    const { standby } = await cluster.joinTwo();
    const seen = creditsOf(standby);
    let losses = 1;
    cluster.hub.losesRequest = () => losses-- > 0;
    const applied = await standby.exchange.submit(credit());
    expect(seen).toEqual([reasonOf(applied)]);
  });

  it('cluster: a request that arrives twice counts once', async () => {
    const { standby } = await cluster.joinTwo();
    const seen = creditsOf(standby);
    cluster.hub.repeatsRequest = () => true;
    for (let count = 1; count <= 20; count += 1) await standby.exchange.submit(credit());
    expect(seen).toHaveLength(20);
    expect(new Set(seen).size).toBe(20);
  });

  it('cluster: a process that joins late holds what the others hold', async () => {
    const { owner } = await cluster.joinTwo();
    for (let count = 0; count < 50; count += 1) await owner.exchange.submit(credit());
    const late = await cluster.join();
    const hash = (member: ClusterMember): Promise<number> =>
      member.exchange.read((view) => view.sequence);
    expect(await hash(late)).toBe(await hash(owner));
  });

  it('cluster: a process that gets no answers from the log at first joins once it does', async () => {
    const { owner } = await cluster.joinTwo();
    await owner.exchange.submit(credit());
    let unanswered = 3;
    cluster.hub.failsToLoad = () => {
      unanswered -= 1;
      return unanswered >= 0;
    };
    const late = await cluster.join();
    expect(unanswered).toBeLessThan(0);
    expect(await late.exchange.read((view) => view.sequence)).toBe(1);
  });

  it('cluster: after an owner whose clock was an hour ahead, time continues at half speed', async () => {
    const hourMs = 3_600_000;
    cluster.clock = { now: () => startOfClocks + hourMs };
    const owner = await cluster.join();
    const clocks = new SimulatedClocks();
    cluster.clock = clocks.clock;
    const standby = await cluster.join();
    const { timestamp: last } = await owner.exchange.submit(credit());
    expect(last).toBe(startOfClocks + hourMs);
    await owner.exchange.handOver();
    await vi.waitFor(() => expect(standby.exchange.isOwner).toBe(true), soon);
    await standby.exchange.submit(credit());
    await clocks.run(60_000);
    const { timestamp } = await standby.exchange.submit(credit());
    expect(timestamp - last).toBe(30_000);
  });

  it('cluster: an orderly stop hands over at once, and no client is refused', async () => {
    const { owner, standby } = await cluster.joinTwo();
    const seen = creditsOf(standby);
    const submitted = Array.from({ length: 100 }, () => standby.exchange.submit(credit()));
    const handedOver = owner.exchange.handOver();
    const later = Array.from({ length: 100 }, (_, index) =>
      (index % 2 === 0 ? owner : standby).exchange.submit(credit()),
    );
    await handedOver;
    const applied = await Promise.all([...submitted, ...later]);
    expect(standby.exchange.isOwner).toBe(true);
    expect(new Set(seen).size).toBe(200);
    expect(seen).toHaveLength(200);
    expect(new Set(applied.map(({ sequence }) => sequence)).size).toBe(200);
  });

  it('cluster: a paused owner appends nothing after another has begun, and ends', async () => {
    cluster.timing = brisk;
    const { owner, standby } = await cluster.joinTwo();
    await owner.exchange.submit(credit());
    cluster.hub.beforeAppend = (process) => {
      if (process === owner.process) cluster.hub.pause(process);
    };
    const inTheDark = owner.exchange.submit(credit('in the dark'));
    inTheDark.catch(() => undefined);
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    const applied = await standby.exchange.submit(credit());
    const before = cluster.hub.entries.length;
    cluster.hub.resume(owner.process);
    await expect(inTheDark).rejects.toThrow();
    await vi.waitUntil(() => owner.failures.length > 0, soon);
    expect(cluster.hub.entries.length).toBe(before);
    expect(applied.sequence).toBe(2);
  });

  it('cluster: what an owner appended before it died is answered, and not executed again', async () => {
    cluster.timing = brisk;
    const { owner, standby } = await cluster.joinTwo();
    const seen = creditsOf(standby);
    cluster.hub.afterAppend = (process) => {
      if (process === owner.process) cluster.hub.pause(process);
    };
    const applied = await standby.exchange.submit(credit('the last one'));
    expect(reasonOf(applied)).toBe('the last one');
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    await standby.exchange.submit(credit());
    expect(seen.filter((reason) => reason === 'the last one')).toHaveLength(1);
  });

  it('row 2: orders in flight at the others are answered by the next owner after kill -9', async () => {
    cluster.membersCount = 3;
    cluster.ackCopies = 2;
    const all = [await cluster.join(), await cluster.join(), await cluster.join()];
    await cluster.settle();
    const [owner, ...others] = all as [ClusterMember, ClusterMember, ClusterMember];
    const seen = creditsOf(others[0]);
    const kills = { before: 4 };
    cluster.hub.beforeAppend = (process) => {
      if (process !== owner.process) return;
      kills.before -= 1;
      if (kills.before === 0) cluster.hub.kill(process);
    };
    const work: Promise<string | null>[] = [];
    for (let round = 0; round < 20; round += 1) {
      const { length } = cluster.hub.entries;
      for (const { exchange } of others) work.push(exchange.submit(credit()).then(reasonOf));
      const isAppended = () => cluster.hub.entries.length > length;
      await vi.waitUntil(() => kills.before === 0 || isAppended(), soon);
    }
    const answers = await Promise.all(work);
    expect(kills.before).toBe(0);
    expect(new Set(answers).size).toBe(answers.length);
    await others[0].exchange.read(() => undefined);
    expect([...seen].sort()).toEqual([...answers].sort());
  });

  it('cluster: what an owner had not appended is executed by the next', async () => {
    cluster.timing = brisk;
    const { owner, standby } = await cluster.joinTwo();
    const seen = creditsOf(standby);
    cluster.hub.beforeAppend = (process) => {
      if (process === owner.process) cluster.hub.pause(process);
    };
    const answer = reasonOf(await standby.exchange.submit(credit('held up')));
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    cluster.hub.resume(owner.process);
    await vi.waitUntil(() => owner.failures.length > 0, soon);
    expect(answer).toBe('held up');
    expect(seen.filter((reason) => reason === 'held up')).toHaveLength(1);
  });

  it('cluster: if the log does not answer for 12 s, callers at the owner learn that the outcome is unknown', async () => {
    const after = (ms: number, work: () => void): (() => void) =>
      systemTime.after(ms === outcomeTimeoutMs ? 20 : ms, work);
    cluster.time = { ...systemTime, after };
    const { owner } = await cluster.joinTwo();
    const seen = creditsOf(owner);
    cluster.hub.pause(owner.process);
    const unknown = { name: 'OutcomeUnknownError' };
    await expect(owner.exchange.submit(credit('late'))).rejects.toMatchObject(unknown);
    cluster.hub.resume(owner.process);
    await owner.exchange.submit(credit('next'));
    expect(seen).toEqual(['late', 'next']);
  });

  it('cluster: without an owner a write is refused as restarting, and not held for an owner', async () => {
    cluster.timing = brisk;
    const { owner, standby } = await cluster.joinTwo();
    cluster.hub.pause(owner.process);
    cluster.hub.pause(standby.process);
    await vi.waitUntil(() => standby.exchange.state === 'restarting', soon);
    // Neither of them comes back, so nothing but the limit ends the waiting.
    await expect(standby.exchange.submit(credit())).rejects.toMatchObject({
      name: 'EngineRestartingError',
    });
  });

  it.each([
    ['whose lease has expired', brisk, false],
    ['whose lease is taken because NATS takes it for gone', steady, true],
  ])('cluster: an owner %s answers no read with stale state', async (_, timing, seemsGone) => {
    cluster.timing = timing;
    const { owner, standby } = await cluster.joinTwo();
    await owner.exchange.submit(credit());
    cluster.hub.pause(owner.process);
    cluster.hub.seemsGone = (process) => seemsGone && process === owner.process;
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    const { sequence } = await standby.exchange.submit(credit());
    const read = owner.exchange.read((view) => view.sequence).catch(() => null);
    await vi.waitUntil(() => cluster.hub.isHeldUp(owner.process), soon);
    cluster.hub.resume(owner.process);
    expect([null, sequence]).toContain(await read);
  });

  describe('among several NATS servers, of which one is cut off', () => {
    let owner: ClusterMember;
    let reader: ClusterMember;

    beforeEach(async () => {
      cluster.membersCount = 3;
      cluster.ackCopies = 2;
      cluster.hub.isOneServer = false;
      [owner, , reader] = [await cluster.join(), await cluster.join(), await cluster.join()];
      await cluster.settle();
      await reader.exchange.read(() => undefined);
      const { length } = cluster.hub.entries;
      cluster.hub.entriesSeenBy = (process) =>
        process === reader.process ? length : cluster.hub.entries.length;
    });

    it('cluster: a process whose server lacks what was acknowledged waits for it', async () => {
      const { sequence } = await owner.exchange.submit(credit());
      cluster.hub.beforeRollCall = () => {
        cluster.hub.beforeRollCall = () => undefined;
        cluster.hub.entriesSeenBy = () => cluster.hub.entries.length;
        void owner.exchange.submit(credit());
      };
      const read = await reader.exchange.read((view) => view.sequence);
      expect(read).toBeGreaterThanOrEqual(sequence);
    });

    it('cluster: an owner that is connected to another server confirms the end once', async () => {
      const before = cluster.hub.entries.length;
      let questions = 0;
      cluster.hub.entriesSeenBy = (process) => {
        if (process === owner.process) questions += 1;
        return cluster.hub.entries.length;
      };
      cluster.hub.start += 1;
      await vi.waitUntil(() => cluster.hub.entries.length > before, soon);
      questions = 0;
      await vi.waitUntil(() => questions >= 5, soon);
      expect(cluster.hub.entries).toHaveLength(before + 1);
    });

    it('cluster: a process that gets answers from too few members serves nothing', async () => {
      await owner.exchange.submit(credit());
      cluster.hub.isUnanswered = (process) => process === reader.process;
      await expect(reader.exchange.read((view) => view.sequence)).rejects.toMatchObject({
        name: 'EngineRestartingError',
      });
    });
  });

  it.each([1, 2])(
    'cluster: whichever process fails, what was acknowledged is kept, once (seed %i)',
    async (seed) => {
      cluster.timing = quick;
      const draw = randomDraw(seed);
      const all = [await cluster.join(), await cluster.join(), await cluster.join()];
      const acknowledged: string[] = [];
      const refused: string[] = [];
      cluster.hub.losesRequest = () => draw() < 0.05;
      cluster.hub.repeatsRequest = () => draw() < 0.05;
      for (let round = 0; round < 4; round += 1) {
        const alive = all.filter(({ failures }) => failures.length === 0);
        const work = Array.from({ length: 60 }, async () => {
          const member = alive[Math.floor(draw() * alive.length)]!;
          const command = credit();
          const reason = command.reason!;
          await delay(draw() * 100);
          await member.exchange.submit(command).then(
            () => acknowledged.push(reason),
            (error: Error) => {
              if (error.name === 'EngineRestartingError') refused.push(reason);
            },
          );
        });
        const owner = all.find(({ process }) => process === cluster.hub.owner);
        await delay(draw() * 60);
        if (owner !== undefined && alive.length > 1) cluster.hub.pause(owner.process);
        await delay(draw() * 800);
        if (owner !== undefined) cluster.hub.resume(owner.process);
        await Promise.all(work);
        all.push(await cluster.join());
      }
      const late = await cluster.join(new MemoryDisk());
      const kept = await keptCredits(late);
      const counts = new Map<string, number>();
      for (const reason of kept) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      expect(acknowledged.filter((reason) => counts.get(reason) !== 1)).toEqual([]);
      expect(refused.filter((reason) => counts.has(reason))).toEqual([]);
      expect([...counts.values()].every((count) => count === 1)).toBe(true);
      expect(acknowledged.length).toBeGreaterThan(100);
    },
  );
});

/** The credits in the log, as the member's journal has them. */
async function keptCredits(member: ClusterMember): Promise<string[]> {
  const sequence = await member.exchange.read((view) => view.sequence);
  const kept: string[] = [];
  const end = new AbortController();
  let after = 0;
  while (after < sequence) {
    const outcomes = await member.exchange.sequencer.outcomeLog.read(
      after as never,
      1_000,
      end.signal,
    );
    for (const applied of outcomes) {
      const reason = reasonOf(applied);
      if (reason !== null) kept.push(reason);
    }
    after += outcomes.length;
  }
  return kept;
}

function randomDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
