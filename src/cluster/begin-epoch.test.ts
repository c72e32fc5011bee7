import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { chainHash, ReplicaWorld } from '../../test/support/replica-world.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { beginEpoch, usedEpoch } from './begin-epoch.ts';
import type { Chain } from './chain.ts';
import type { EpochParts } from './epoch-parts.ts';
import { entryId, type LogPosition, type Origin } from './log-entry.ts';
import { type MemberList, noMembers } from './member-list.ts';
import { Membership } from './membership.ts';
import type { OwnGroup } from './own-records.ts';
import { defaultLeaseTiming } from './owner-lease.ts';
import {
  type AppendableEntry,
  FencedError,
  IdForgottenError,
  LogBehindError,
  LogRestartedError,
} from './shared-log.ts';

const epoch = 7;
const alone: MemberList = { ...noMembers, epoch: 1, revision: 3, members: ['a'] };
const origin: Origin = { process: 'b', request: 41, place: 1 };

/** The only member, which holds three groups of commands of which the log has some. */
class Candidate {
  readonly history = new ReplicaWorld();
  /** How many of the groups the log and the journal hold. */
  logged = 3;
  held = 3;
  isAhead = false;
  promisedEpoch = 6;
  replicaEpoch = 6;
  known: number | null = null;
  claim: () => Promise<boolean> = async () => true;
  renewals: boolean[] = [];
  /** What becomes of the next appends; null: they are stored. */
  failures: (Error | null)[] = [];
  reached = [true, true];
  /** How long the journal takes to read each group. */
  msPerGroup = 0;
  namedOrigins: readonly Origin[] | null = [];
  readonly calls: string[] = [];
  readonly appended: { entry: AppendableEntry; after: LogPosition; by: string | undefined }[] = [];
  readonly restored: unknown[] = [];
  claims = 0;
  #now = 50_000;

  constructor() {
    for (const count of [3, 2, 4]) this.history.append(count);
  }

  sequenceOf(groups: number): number {
    return this.history.entries[groups - 1]?.lastSequence ?? 0;
  }

  chainAt(sequence: number): Chain {
    const entry = this.history.entries.find(({ lastSequence }) => lastSequence === sequence);
    return entry?.chain?.after ?? chainHash.first;
  }

  begin(): ReturnType<typeof beginEpoch> {
    return beginEpoch(this.parts, epoch);
  }

  get #end(): LogPosition {
    return { position: this.logged, id: this.history.entries[this.logged - 1]?.id ?? null };
  }

  get parts(): EpochParts {
    const call = async (name: string) => void this.calls.push(name);
    const parts = {
      process: 'process-a',
      isAhead: this.isAhead,
      log: {
        loadEndAndStart: async () => ({ end: this.logged, start: 'first', isOneServer: true }),
        load: async (position: number) => this.history.entries[position - 1] ?? null,
        append: async (entry: AppendableEntry, after: LogPosition, by?: string) => {
          const failure = this.failures.shift() ?? null;
          this.appended.push({ entry, after, by });
          if (failure !== null) throw failure;
          const position = after.position + 1;
          return { position, id: entryId('a', epoch, position) };
        },
      },
      time: { monotonicMs: () => this.#now },
      replica: {
        epoch: this.replicaEpoch,
        position: this.logged,
        last: this.#end,
        logStart: 'first',
        reaches: async (position: number, timeoutMs: number) => {
          expect([position >= this.logged, timeoutMs]).toEqual([true, 2_000]);
          return this.reached.shift() ?? true;
        },
        stop: () => call('replica.stop'),
        skipTo: (place: LogPosition, start: string) => void this.restored.push({ place, start }),
        openRestored: async (opening: object) => void this.restored.push({ opening }),
      },
      lease: {
        release: () => call('release'),
        giveBack: () => call('giveBack'),
        renew: async () => {
          await call('renew');
          return this.renewals.shift() ?? true;
        },
      },
      rollCall: { ask: async () => [] },
      epochs: {
        raise: () => {
          this.claims += 1;
          return this.claim();
        },
        load: async () => 0,
      },
      member: this.#member(),
      membership: new Membership(
        { membersCount: null, ackCopies: 1, isLogSynced: true },
        { monotonicMs: () => this.#now },
      ),
      chain: {
        newest: {
          sequence: this.sequenceOf(this.held),
          chain: this.chainAt(this.sequenceOf(this.held)),
        },
        at: async (sequence: number) => this.chainAt(sequence),
        extend: (before: Chain, group: Uint8Array) => this.#extend(before, group),
      },
      journalEnd: async () => this.sequenceOf(this.held) as Sequence,
      ownRecords: {
        visit: (from: number, to: number, show: (group: OwnGroup) => Promise<void>) =>
          this.#visit(from, to, show),
      },
      origins: {
        between: (from: number, to: number) => {
          this.calls.push(`origins ${from} to ${to}`);
          return this.namedOrigins;
        },
      },
      loadKnownSequence: async () => this.known as Sequence | null,
      logger: pino({ level: 'silent' }),
    };
    return parts as unknown as EpochParts;
  }

  #member(): object {
    const promised = () => ({ epoch: this.promisedEpoch, candidate: 'c' });
    return {
      member: 'a',
      list: alone,
      get promised() {
        return promised();
      },
      epochAt: () => 6,
      promise: async () => true,
      saveList: async (list: MemberList) => void this.restored.push({ list }),
    };
  }

  #extend(before: Chain, group: Uint8Array): readonly Chain[] {
    const entry = this.history.entries.find((each) => each.group === group);
    expect(before).toBe(entry?.chain?.before);
    return ['in between', entry?.chain?.after ?? ''];
  }

  async #visit(from: number, to: number, show: (group: OwnGroup) => Promise<void>): Promise<void> {
    expect([from, to]).toEqual([this.sequenceOf(this.logged) + 1, this.sequenceOf(this.held)]);
    for (const entry of this.history.entries.slice(this.logged, this.held)) {
      const { rulesVersion, lastSequence, group } = entry;
      this.#now += this.msPerGroup;
      await show({ rulesVersion, lastSequence, group });
    }
  }
}

let candidate: Candidate;
beforeEach(() => {
  candidate = new Candidate();
});

const mark = { list: alone, isComplete: true, without: [] };

describe('an epoch of a process that holds what the log holds', () => {
  it('begins with one entry behind the end, and the process follows no more', async () => {
    expect(await candidate.begin()).toEqual({ epoch, logStart: 'first' });
    const chain = candidate.chainAt(9);
    expect(candidate.appended).toHaveLength(1);
    expect(candidate.appended[0]).toMatchObject({
      entry: { epoch, lastSequence: 9, isRestoring: false, logStart: 'first', mark },
      after: { position: 3, id: candidate.history.entries[2]?.id },
      by: undefined,
    });
    expect(candidate.appended[0]?.entry.chain).toEqual({ before: chain, after: chain });
    expect(candidate.calls).toEqual(['replica.stop']);
  });

  it('is given back if the process is too far behind, or the database holds more', async () => {
    candidate.reached = [false];
    expect(await candidate.begin()).toBeNull();
    candidate.known = 10;
    expect(await candidate.begin()).toBeNull();
    candidate.known = 9;
    expect(await candidate.begin()).not.toBeNull();
    expect(candidate.calls).toEqual(['giveBack', 'giveBack', 'replica.stop']);
  });

  it('is given back if another epoch has begun or was promised', async () => {
    candidate.replicaEpoch = epoch;
    expect(await candidate.begin()).toBeNull();
    candidate.replicaEpoch = 6;
    candidate.promisedEpoch = epoch + 1;
    expect(await candidate.begin()).toBeNull();
    expect(candidate.calls).toEqual(['giveBack', 'giveBack']);
    expect(candidate.appended).toEqual([]);
  });

  it('is released, as its number is used up, if its own entry is not reached', async () => {
    candidate.reached = [true, false];
    expect(await candidate.begin()).toBeNull();
    expect(candidate.calls).toEqual(['release']);
  });

  it('is appended by its place alone if the server has forgotten the id before it', async () => {
    candidate.failures = [new IdForgottenError('forgotten')];
    expect(await candidate.begin()).not.toBeNull();
    expect(candidate.appended.map(({ by }) => by)).toEqual([undefined, 'position']);
  });

  it.each([
    new FencedError('appended since'),
    new LogBehindError('behind'),
    new LogRestartedError('restarted'),
  ])('is tried again while the lease holds if the log refuses it: $name', async (refusal) => {
    candidate.failures = [refusal];
    expect(await candidate.begin()).not.toBeNull();
    expect([candidate.calls, candidate.claims]).toEqual([['renew', 'replica.stop'], 1]);
    candidate.failures = [refusal];
    candidate.renewals = [false];
    expect(await candidate.begin()).toBeNull();
  });

  it('is released with the error that no further try can mend', async () => {
    candidate.failures = [new Error('the connection is closed')];
    await expect(candidate.begin()).rejects.toThrow('the connection is closed');
    expect(candidate.calls).toEqual(['release']);
  });

  it('is given back if the log holds another history', async () => {
    const [, , last] = candidate.history.entries;
    candidate.history.entries[2] = { ...last!, chain: { before: 'other', after: 'other' } };
    candidate.chainAt = () => 'own';
    await expect(candidate.begin()).rejects.toThrow();
    expect(candidate.calls).toEqual(['giveBack']);
  });
});

describe('an epoch of a process that holds more than the log', () => {
  beforeEach(() => {
    candidate.logged = 1;
    candidate.isAhead = true;
  });

  it('opens only after all that the log lacks, each entry behind the one before', async () => {
    expect(await candidate.begin()).toEqual({ epoch, logStart: 'first' });
    const [first, second, third] = [3, 5, 9].map((sequence) => candidate.chainAt(sequence));
    expect(candidate.appended.map(({ entry }) => entry)).toMatchObject([
      { isRestoring: true, lastSequence: 3, mark, chain: { before: first, after: first } },
      { isRestoring: true, lastSequence: 5, mark: null, chain: { before: first, after: second } },
      { isRestoring: true, lastSequence: 9, mark: null, chain: { before: second, after: third } },
      { isRestoring: false, lastSequence: 9, mark, chain: { before: third, after: third } },
    ]);
    expect(candidate.appended.map(({ entry }) => entry.group.length > 0)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(candidate.appended.map(({ after }) => after.position)).toEqual([1, 2, 3, 4]);
    const place = { position: 5, id: entryId('a', epoch, 5) };
    const opening = { ...candidate.appended[0]?.entry, lastSequence: 9, isRestoring: false };
    expect(candidate.restored).toEqual([{ place, start: 'first' }, { opening }, { list: alone }]);
    expect(candidate.calls).toEqual(['origins 4 to 5', 'origins 6 to 9']);
  });

  it.each([
    ['names the requests of the commands that it puts back', [origin], [origin], true],
    ['says nothing of requests that it does not know', null, [], undefined],
  ] as const)('%s', async (_name, known, named, isNamed) => {
    candidate.namedOrigins = known;
    await candidate.begin();
    const { origins, namesOrigins } = candidate.appended[1]!.entry;
    expect([origins, namesOrigins]).toEqual([named, isNamed]);
  });

  it('renews its lease once as much time has passed, and not before', async () => {
    candidate.msPerGroup = defaultLeaseTiming.renewMs / 2;
    await candidate.begin();
    expect(candidate.calls.filter((name) => name === 'renew')).toHaveLength(1);
    candidate.calls.length = 0;
    candidate.msPerGroup = defaultLeaseTiming.renewMs / 2 - 1;
    await candidate.begin();
    expect(candidate.calls.filter((name) => name === 'renew')).toHaveLength(0);
    candidate.calls.length = 0;
    candidate.msPerGroup = defaultLeaseTiming.renewMs;
    await candidate.begin();
    expect(candidate.calls.filter((name) => name === 'renew')).toHaveLength(2);
  });

  it('does not open if it loses the lease on the way', async () => {
    candidate.msPerGroup = defaultLeaseTiming.renewMs;
    candidate.renewals = [false, false];
    expect(await candidate.begin()).toBeNull();
    expect(candidate.appended.map(({ entry }) => entry.lastSequence)).toEqual([3, 5]);
    expect(candidate.restored).toEqual([]);
  });

  it('does not go on once a later epoch is promised, and the number is used up', async () => {
    const promiseLater = { get: () => (candidate.appended.length > 1 ? epoch + 1 : 6) };
    Object.defineProperty(candidate, 'promisedEpoch', promiseLater);
    expect(await candidate.begin()).toBeNull();
    expect(candidate.appended.map(({ entry }) => entry.lastSequence)).toEqual([3, 5]);
    expect(candidate.calls.slice(-2)).toEqual(['renew', 'release']);
    expect(candidate.restored).toEqual([]);
  });
});

describe('the newest epoch that is known to be used', () => {
  it('is the highest of log, promise and database, of which the last may be silent', async () => {
    const { parts } = candidate;
    const of = (claimed: number | Error) =>
      usedEpoch({
        ...parts,
        epochs: {
          ...parts.epochs,
          load: async () => {
            if (claimed instanceof Error) throw claimed;
            return claimed;
          },
        },
      });
    expect(await of(9)).toBe(9);
    expect(await of(2)).toBe(6);
    candidate.promisedEpoch = 8;
    expect(await usedEpoch(candidate.parts)).toBe(8);
    expect(await of(new Error('the database does not answer'))).toBe(8);
  });
});
