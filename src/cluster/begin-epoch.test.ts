import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { credit, MemoryCluster } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { engineFactory } from '../engine/engine.ts';
import { openSequencer } from '../sequencer/sequencer.ts';
import { beginEpoch, type OwnEpoch } from './begin-epoch.ts';
import type { EpochParts } from './epoch-parts.ts';
import type { LogPosition } from './log-entry.ts';
import { noMembers } from './member-list.ts';
import { Membership } from './membership.ts';
import { defaultLeaseTiming, type LeaseRecord, OwnerLease } from './owner-lease.ts';
import { type AppendableEntry, FencedError } from './shared-log.ts';

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
    let known: Sequence | null = 1 as Sequence;
    let asked = 0;
    Object.defineProperty(cluster, 'knownSequence', {
      get: () => {
        asked += 1;
        return known;
      },
    });
    const { exchange } = cluster.open();
    const started = exchange.start();
    started.catch(() => undefined);
    await vi.waitFor(() => expect(asked).toBeGreaterThan(1));
    expect(exchange.isOwner).toBe(false);
    expect(exchange.state).toBe('restarting');
    known = null;
    await started;
    expect(exchange.isOwner).toBe(true);
    await exchange.stop();
  });
});

/** A candidate that has the lease and has applied an empty log to its end. */
class Candidate {
  /** What the store of the lease holds. */
  lease: LeaseRecord = { holder: null, epoch: 0 };
  isStoreAway = false;
  readonly appended: AppendableEntry[] = [];
  /** What the log answers to the next appends; it takes the entry if there is nothing. */
  readonly refusals: Error[] = [];
  loadEnd = (): Promise<number> => Promise.resolve(0);
  /** The newest epoch that the database knows to be claimed, and those that were asked for. */
  claimed = 0;
  readonly claims: number[] = [];
  knownSequence: Sequence | null = null;
  /** Whether the candidate receives its own entry from the log. */
  isFollowing = true;
  promisedTo: string | null = null;
  #revision = 1;
  readonly #time = { monotonicMs: () => 0, sleep: () => Promise.resolve() };
  readonly #lease = new OwnerLease({
    store: {
      load: async () => ({ record: this.lease, revision: this.#revision }),
      write: async (record, expected) => {
        if (this.isStoreAway) throw new Error('the store does not answer');
        if (expected !== this.#revision) return null;
        this.lease = record;
        this.#revision += 1;
        return this.#revision;
      },
    },
    holder: 'own',
    timing: defaultLeaseTiming,
    liveness: { isGone: async () => false },
    time: this.#time,
  });

  /** Takes the lease, which gives it epoch 4, and begins that. */
  async begin(): Promise<OwnEpoch | null> {
    const epoch = await this.#lease.tryTake(async () => 3);
    expect(this.lease).toEqual({ holder: 'own', epoch: 4 });
    return beginEpoch(this.#parts(), epoch!);
  }

  loseLease(): void {
    this.lease = { holder: 'other', epoch: 5 };
    this.#revision += 1;
  }

  #parts(): EpochParts {
    const parts = {
      process: 'own',
      time: this.#time,
      lease: this.#lease,
      log: {
        loadEndAndStart: async () => ({
          end: await this.loadEnd(),
          start: 'start',
          isOneServer: true,
        }),
        load: async () => null,
        append: (entry: AppendableEntry) => this.#append(entry),
      },
      replica: {
        epoch: 0,
        position: 0,
        last: { position: 0, id: null },
        logStart: 'start',
        reaches: async (position: number) => position === 0 || this.isFollowing,
        stop: async () => undefined,
      },
      chain: { newest: { sequence: 0 }, at: async () => '0'.repeat(16) },
      member: {
        member: 'number',
        list: noMembers,
        promised: { epoch: 0, candidate: '' },
        epochAt: () => 0,
        promise: async (_epoch: number, candidate: string) => {
          this.promisedTo = candidate;
          return true;
        },
      },
      rollCall: { ask: async () => [] },
      epochs: { load: async () => this.claimed, raise: (epoch: number) => this.#claim(epoch) },
      loadKnownSequence: async () => this.knownSequence,
      membership: new Membership(
        { membersCount: null, ackCopies: 1, isLogSynced: true },
        this.#time,
      ),
      isAhead: false,
      logger: pino({ level: 'silent' }),
    };
    return parts as unknown as EpochParts;
  }

  async #append(entry: AppendableEntry): Promise<LogPosition> {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) throw refusal;
    this.appended.push(entry);
    return { position: 1, id: 'own-4-1' };
  }

  async #claim(epoch: number): Promise<boolean> {
    this.claims.push(epoch);
    if (epoch <= this.claimed) return false;
    this.claimed = epoch;
    return true;
  }
}

describe('the lease of a candidate', () => {
  let candidate: Candidate;

  beforeEach(() => {
    candidate = new Candidate();
  });

  it('is kept by the owner of an epoch that begins in the log', async () => {
    expect(await candidate.begin()).toEqual({ epoch: 4, logStart: 'start' });
    expect(candidate.appended).toMatchObject([{ epoch: 4, logStart: 'start', lastSequence: 0 }]);
    expect(candidate.lease).toEqual({ holder: 'own', epoch: 4 });
  });

  it('is given back with its number if the epoch may not begin', async () => {
    candidate.knownSequence = 1 as Sequence;
    expect(await candidate.begin()).toBeNull();
    expect(candidate.appended).toEqual([]);
    expect(candidate.lease).toEqual({ holder: null, epoch: 3 });
  });

  it('is given back with its number if the log does not answer, which is the error', async () => {
    candidate.loadEnd = () => Promise.reject(new Error('the log does not answer'));
    await expect(candidate.begin()).rejects.toThrow('the log does not answer');
    expect(candidate.lease).toEqual({ holder: null, epoch: 3 });
  });

  it('cannot be given back while its store is away: the error of the log stays the error', async () => {
    candidate.loadEnd = () => {
      candidate.isStoreAway = true;
      return Promise.reject(new Error('the log does not answer'));
    };
    await expect(candidate.begin()).rejects.toThrow('the log does not answer');
    expect(candidate.lease).toEqual({ holder: 'own', epoch: 4 });
  });

  it('is released, and the number used up, if the epoch is in the log but does not arrive', async () => {
    candidate.isFollowing = false;
    expect(await candidate.begin()).toBeNull();
    expect(candidate.appended).toHaveLength(1);
    expect(candidate.lease).toEqual({ holder: null, epoch: 4 });
  });

  it('is released if the append fails, as the epoch may be in the log', async () => {
    candidate.refusals.push(new Error('the connection is closed'));
    await expect(candidate.begin()).rejects.toThrow('the connection is closed');
    expect(candidate.lease).toEqual({ holder: null, epoch: 4 });
  });

  it('stays with another process that has taken it', async () => {
    candidate.refusals.push(new FencedError('another process has appended since'));
    candidate.loadEnd = async () => {
      candidate.loseLease();
      return 0;
    };
    expect(await candidate.begin()).toBeNull();
    expect(candidate.lease).toEqual({ holder: 'other', epoch: 5 });
  });
});

describe('the claim of an epoch', () => {
  let candidate: Candidate;

  beforeEach(() => {
    candidate = new Candidate();
  });

  it('is made once, however often the log refuses the first entry', async () => {
    const refusal = (): Error => new FencedError('another process has appended since');
    candidate.refusals.push(refusal(), refusal());
    expect(await candidate.begin()).toEqual({ epoch: 4, logStart: 'start' });
    expect(candidate.claims).toEqual([4]);
    expect(candidate.appended).toHaveLength(1);
    expect(candidate.promisedTo).toBeNull();
  });

  it('is refused where another process has claimed the epoch: nothing is appended', async () => {
    candidate.claimed = 4;
    expect(await candidate.begin()).toBeNull();
    expect(candidate.claims).toEqual([4]);
    expect(candidate.appended).toEqual([]);
    expect(candidate.lease).toEqual({ holder: null, epoch: 3 });
  });
});
