import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryCluster, quick } from '../../test/support/memory-cluster.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { systemTime } from '../system/system-time.ts';
import type { ClusterStatus } from './cluster-options.ts';
import { ConditionWatch } from './condition-watch.ts';
import { ForkedError } from './fork-errors.ts';

const standby: ClusterStatus = {
  role: 'standby',
  epoch: 3,
  sequence: 70 as Sequence,
  position: 12,
  lagEntries: 0,
  isBehind: false,
  agreementAgeMs: 100,
  isConnected: true,
  hasOwner: true,
  takesOnlyCancels: false,
  isEnding: false,
  failure: null,
  unfitness: null,
  logUsedRatio: null,
};

/** A watch of a process whose status and clock the test sets. */
class Watched {
  status: ClusterStatus = standby;
  nowMs = 0;
  readonly watch = new ConditionWatch(this, { monotonicMs: () => this.nowMs });

  /** The answers to a load balancer: whether reads succeed, and whether writes do. */
  get answered(): readonly [boolean, boolean] {
    const { canRead, canWrite } = this.watch.observe();
    return [canRead, canWrite];
  }

  become(change: Partial<ClusterStatus>): void {
    this.status = { ...this.status, ...change };
  }
}

let watched: Watched;

beforeEach(() => {
  watched = new Watched();
});

describe('ConditionWatch', () => {
  it('a standby that knows a live owner and has its place serves reads and writes', () => {
    expect(watched.watch.observe()).toMatchObject({ state: 'standby', reason: null });
    expect(watched.answered).toEqual([true, true]);
  });

  it('an owner without space accepts only cancels: the others stay ready and report it', () => {
    watched.become({ takesOnlyCancels: true });
    expect(watched.answered).toEqual([true, true]);
    expect(watched.watch.observe()).toMatchObject({ state: 'standby', reason: 'cancels_only' });
    watched.become({ takesOnlyCancels: false });
    expect(watched.watch.observe().reason).toBeNull();
  });

  const atOnce: readonly (readonly [string, Partial<ClusterStatus>, string])[] = [
    ['hands over', { role: 'leaving' }, 'leaving'],
    ['has handed over', { role: 'retired' }, 'retired'],
    ['is to end', { isEnding: true }, 'leaving'],
    ['has failed', { failure: new Error('the disk') }, 'leaving'],
    ['is ahead of the log', { role: 'ahead' }, 'ahead'],
    ['has another history', { failure: new ForkedError('command 5 differs') }, 'forked'],
    ['has lost NATS', { isConnected: false }, 'lost'],
  ];
  for (const [name, change, state] of atOnce) {
    it(`a process that ${name} serves nothing, at once`, () => {
      expect(watched.answered).toEqual([true, true]);
      watched.become(change);
      expect(watched.answered).toEqual([false, false]);
      const { state: seen, reason } = watched.watch.observe();
      expect([seen, typeof reason]).toEqual([state, 'string']);
    });
  }

  it('an unfit standby serves reads only, at once; an unfit owner serves until another one does', () => {
    watched.become({ unfitness: 'disk full' });
    expect(watched.answered).toEqual([true, false]);
    expect(watched.watch.observe()).toMatchObject({
      state: 'unfit',
      reason: 'unfit to own the exchange: disk full',
    });
    const owner = new Watched();
    owner.become({ role: 'owner', unfitness: 'clock' });
    expect(owner.answered).toEqual([true, true]);
  });

  const settling: readonly (readonly [string, Partial<ClusterStatus>, string])[] = [
    ['the log has not confirmed its place for a second', { agreementAgeMs: 1_001 }, 'lost'],
    ['more than 2 s of the log are not applied', { isBehind: true }, 'behind'],
  ];
  for (const [name, change, state] of settling) {
    it(`${name}: reported after two equal answers 500 ms apart`, () => {
      expect(watched.answered).toEqual([true, true]);
      watched.become(change);
      expect(watched.watch.observe().state).toBe(state);
      watched.nowMs += 499;
      expect(watched.answered).toEqual([true, true]);
      watched.nowMs += 1;
      expect(watched.answered).toEqual([false, false]);
      watched.become(standby);
      expect(watched.answered).toEqual([false, false]);
      watched.nowMs += 500;
      expect(watched.answered).toEqual([true, true]);
    });
  }

  it('a moment without the condition restarts the 500 ms', () => {
    expect(watched.answered).toEqual([true, true]);
    for (let count = 0; count < 3; count += 1) {
      watched.become({ agreementAgeMs: 1_500 });
      expect(watched.answered).toEqual([true, true]);
      watched.nowMs += 400;
      watched.become({ agreementAgeMs: 0 });
      expect(watched.answered).toEqual([true, true]);
    }
  });

  it('a takeover of less than 3 s empties no balancer; then writes fail and reads continue', () => {
    expect(watched.answered).toEqual([true, true]);
    watched.become({ hasOwner: false });
    watched.nowMs += 2_999;
    expect(watched.answered).toEqual([true, true]);
    watched.nowMs += 1;
    watched.watch.observe();
    watched.nowMs += 500;
    expect(watched.answered).toEqual([true, false]);
    expect(watched.watch.observe().reason).toBe('no process owns the exchange');
  });

  it('the owner has two seconds, because it confirms its place once a second', () => {
    watched.become({ role: 'owner', agreementAgeMs: 2_000 });
    expect(watched.answered).toEqual([true, true]);
    watched.become({ agreementAgeMs: 2_001 });
    expect(watched.watch.observe().state).toBe('lost');
  });
});

describe('the condition of processes of one exchange', () => {
  let cluster: MemoryCluster;

  beforeEach(() => {
    cluster = new MemoryCluster();
  });
  afterEach(() => cluster.close());

  it('a standby that gets no answer from NATS is lost, and ready again once it does', async () => {
    const { owner, standby: other } = await cluster.joinTwo();
    const watch = new ConditionWatch(other.exchange, systemTime);
    await vi.waitUntil(() => watch.observe().canWrite, { interval: 5, timeout: 10_000 });
    cluster.hub.pause(other.process);
    await vi.waitUntil(() => !watch.observe().canRead, { interval: 5, timeout: 10_000 });
    expect(watch.observe().state).toBe('lost');
    cluster.hub.resume(other.process);
    await vi.waitUntil(() => watch.observe().canWrite, { interval: 5, timeout: 10_000 });
    const { epoch, position, sequence } = owner.exchange.status;
    expect(watch.observe().status).toMatchObject({ epoch, position, sequence, lagEntries: 0 });
  });

  it('an owner that hands over serves nothing more, and the other one takes its place', async () => {
    cluster.timing = quick;
    const { owner, standby: other } = await cluster.joinTwo();
    const [leaving, taking] = [owner, other].map(
      ({ exchange }) => new ConditionWatch(exchange, systemTime),
    );
    await vi.waitUntil(() => leaving!.observe().canWrite, { interval: 5, timeout: 10_000 });
    const done = owner.exchange.handOver();
    expect(leaving!.observe()).toMatchObject({ canRead: false, canWrite: false });
    await done;
    expect(leaving!.observe()).toMatchObject({ state: 'retired', canWrite: false });
    await vi.waitUntil(() => taking!.observe().state === 'owner' && taking!.observe().canWrite, {
      interval: 5,
      timeout: 10_000,
    });
  });
});
