import { vi } from 'vitest';
import { type AppliedCommand, EngineBusyError } from '../../src/application/ports/exchange.ts';
import { ChainHash, type ChainPoint } from '../../src/cluster/chain.ts';
import { entryId, type PlacedEntry } from '../../src/cluster/log-entry.ts';
import { LogReplica } from '../../src/cluster/log-replica.ts';
import { type MemberList, noMembers } from '../../src/cluster/member-list.ts';
import type { OpenedEpoch } from '../../src/cluster/request-forwarder.ts';
import type { Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import { FieldWriter } from '../../src/journal/field-writer.ts';
import { writeRecord } from '../../src/journal/journal-record.ts';
import { credit } from './memory-cluster.ts';

const rules = 13;
/** Of the histories in the log. */
export const chainHash = new ChainHash('0123456789abcdef');

function recordOf(sequence: number): Buffer {
  const fields = new FieldWriter();
  fields.bytes = new Uint8Array(1_000);
  fields.offset = 0;
  const stamp = { sequence: sequence as Sequence, timestamp: 1_000 as TimestampMs };
  writeRecord(fields, credit(`the ${sequence}th`), stamp, 0, null);
  return Buffer.from(fields.bytes.subarray(0, fields.offset));
}

/** A log of entries that continue each other, and a replica that begins with an empty journal. */
export class ReplicaWorld {
  readonly entries: PlacedEntry[] = [];
  beginning = 1;
  /** The journal's history. */
  newest: ChainPoint = { sequence: 0, chain: chainHash.first };
  disagreesAt = 0;
  writtenSequence = 0;
  drains = 0;
  /** How often the engine refuses the next command because it has no room. */
  busy = 0;
  readonly followed: number[] = [];
  readonly reported: OpenedEpoch[] = [];
  readonly confirmed: number[] = [];
  readonly taken: number[] = [];
  readonly discontinuities: string[] = [];
  readonly fatal: Error[] = [];
  readonly unknownThrough: number[] = [];
  readonly opened: { epoch: number; sequence: number }[] = [];
  list = noMembers;
  knownEpoch = 0;
  knownRules = { oldestRules: 11, newestRules: rules };
  appliedSequence = 0;
  readonly replica: LogReplica;

  constructor() {
    const { entries } = this;
    const parts = {
      log: {
        load: async (position: number) =>
          position < this.beginning ? null : (entries[position - 1] ?? null),
        loadBeginning: async () => this.beginning,
        loadEnd: async () => entries.length,
        follow: async (from: number, visit: (entry: PlacedEntry) => Promise<void>) => {
          for (const entry of entries.slice(from - 1)) await visit(entry);
        },
      },
      time: { after: () => () => undefined, sleep: async () => undefined },
      sequencer: sequencerOf(this),
      chain: chainOf(this),
      member: memberOf(this),
      origins: {
        note: () => undefined,
        noteUnknown: (last: number) => void this.unknownThrough.push(last),
      },
      onConfirmed: (through: number) => void this.confirmed.push(through),
      process: 'own',
      onTaken: (request: number) => void this.taken.push(request),
      onEpoch: (epoch: OpenedEpoch) => void this.reported.push(epoch),
      onDiscontinuity: ({ message }: Error) => void this.discontinuities.push(message),
    };
    this.replica = new LogReplica(parts as unknown as ConstructorParameters<typeof LogReplica>[0]);
  }

  /** Appends an entry with these commands after those that there are. */
  append(count: number, entry: Partial<PlacedEntry> = {}, by = 'owner'): void {
    const last = this.entries.at(-1);
    const position = this.entries.length + 1;
    const epoch = entry.epoch ?? last?.epoch ?? 1;
    const from = last?.lastSequence ?? 0;
    const records = Array.from({ length: count }, (_, index) => recordOf(from + index + 1));
    const group = Buffer.concat(records);
    const before = last?.chain?.after ?? chainHash.first;
    const after = chainHash.extendBy({ sequence: from, chain: before }, group).at(-1) ?? before;
    this.entries.push({
      position,
      id: entryId(by, epoch, position),
      after: last?.id ?? null,
      epoch,
      rulesVersion: rules,
      lastSequence: (from + count) as Sequence,
      origins: [],
      group,
      logStart: 'start',
      isRestoring: false,
      chain: { before, after },
      mark: null,
      ...entry,
    });
  }

  /** The journal holds the log's commands up to that one. */
  hold(sequence: number): void {
    this.newest = { sequence, chain: 'any' };
    this.appliedSequence = sequence;
    this.writtenSequence = sequence;
  }

  /** Applies the log from where the replica stands to its end. */
  async follow(): Promise<void> {
    this.replica.start((error) => void this.fatal.push(error));
    await vi.waitUntil(
      () =>
        this.replica.position === this.entries.length ||
        this.fatal.length + this.discontinuities.length > 0,
      { interval: 1, timeout: 10_000 },
    );
    await this.replica.stop();
  }
}

function sequencerOf(world: ReplicaWorld): object {
  return {
    get appliedSequence() {
      return world.appliedSequence;
    },
    get writtenSequence() {
      return world.writtenSequence;
    },
    rules,
    get knownRules() {
      return world.knownRules;
    },
    drain: async () => {
      world.drains += 1;
      world.writtenSequence = world.appliedSequence;
    },
    follow: (_command: unknown, stamp: { sequence: number }): Promise<AppliedCommand> => {
      if (world.busy > 0) {
        world.busy -= 1;
        return Promise.reject(new EngineBusyError('no room'));
      }
      world.followed.push(stamp.sequence);
      world.appliedSequence = stamp.sequence;
      return Promise.resolve({} as AppliedCommand);
    },
  };
}

function chainOf(world: ReplicaWorld): object {
  return {
    get newest() {
      return world.newest;
    },
    agrees: async ({ position }: PlacedEntry) => position !== world.disagreesAt,
    at: async () => '',
    extend: () => [],
    extendedBy: (group: Uint8Array) => chainHash.extendBy(world.newest, group),
    advance: (chains: readonly string[]) => {
      const sequence = world.newest.sequence + chains.length;
      world.newest = { sequence, chain: chains.at(-1) ?? world.newest.chain };
    },
  };
}

function memberOf(world: ReplicaWorld): object {
  return {
    get list() {
      return world.list;
    },
    epochAt: () => world.knownEpoch,
    open: async (opening: { epoch: number; sequence: number }) => {
      world.opened.push(opening);
      world.knownEpoch = opening.epoch;
    },
    saveList: async (next: MemberList) => {
      world.list = next;
    },
    planSetAside: async () => undefined,
  };
}
