import { pino } from 'pino';
import { vi } from 'vitest';
import type { AppliedCommand } from '../../src/application/ports/exchange.ts';
import type { Weakness } from '../../src/cluster/candidacy.ts';
import { ClusterExchange } from '../../src/cluster/cluster-exchange.ts';
import type { SnapshotSharing } from '../../src/cluster/cluster-options.ts';
import type { EpochStore } from '../../src/cluster/epoch-store.ts';
import type { FolderStamp, StampStore } from '../../src/cluster/folder-stamp.ts';
import type { LeaseTiming } from '../../src/cluster/owner-lease.ts';
import { toAmount } from '../../src/domain/amount.ts';
import type { Address, Sequence } from '../../src/domain/identifiers.ts';
import type { CreditBalance } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import type { StateMachineFactory } from '../../src/engine/state-machine.ts';
import type { Disk } from '../../src/journal/disk.ts';
import { openSequencer } from '../../src/sequencer/sequencer.ts';
import type { Clock } from '../../src/sequencer/sequencer-options.ts';
import { systemTime } from '../../src/system/system-time.ts';
import type { Time } from '../../src/system/time.ts';
import { MemoryDisk } from './memory-disk.ts';
import { MemoryHub } from './memory-transport.ts';

/** Long enough for a loaded machine, when nothing is to expire. */
export const steady = { renewMs: 100, watchMs: 5, expireMs: 8_000, holdMs: 6_000, silentMs: 4_000 };
/** For tests of takeovers, in which only the intended process may take over. */
export const brisk = { renewMs: 100, watchMs: 5, expireMs: 1_600, holdMs: 1_300, silentMs: 1_000 };
/** Where a candidate may take over. */
export const quick = { renewMs: 30, watchMs: 5, expireMs: 400, holdMs: 300, silentMs: 250 };
const journalId = '0123456789abcdef';

export interface ClusterMember {
  readonly exchange: ClusterExchange;
  readonly process: string;
  readonly failures: unknown[];
}

/** What the database keeps of epochs. */
class MemoryEpochs implements EpochStore {
  isAway = false;
  epoch = 0;

  async load(): Promise<number> {
    if (this.isAway) throw new Error('the database does not answer');
    return this.epoch;
  }

  async raise(epoch: number): Promise<boolean> {
    if (epoch <= (await this.load())) return false;
    this.epoch = epoch;
    return true;
  }
}

/** What the database keeps of the members' folders. */
export class MemoryStamps implements StampStore {
  isAway = false;
  /** How often it was asked while it was away. */
  refusals = 0;
  known: Map<string, FolderStamp>;

  constructor(known = new Map<string, FolderStamp>()) {
    this.known = known;
  }

  async load(member: string): Promise<FolderStamp | null> {
    this.#requireAnswer();
    return this.known.get(member) ?? null;
  }

  async replace(member: string, before: FolderStamp | null, stamp: FolderStamp): Promise<void> {
    this.#requireAnswer();
    if (this.known.get(member)?.token === before?.token) this.known.set(member, stamp);
  }

  #requireAnswer(): void {
    if (!this.isAway) return;
    this.refusals += 1;
    throw new Error('the database does not answer');
  }
}

/** Processes of one exchange in the memory of one, with a hub for NATS between them. */
export class MemoryCluster {
  readonly hub = new MemoryHub();
  timing: LeaseTiming = steady;
  /** Of the processes that are opened from now on. */
  clock: Clock = { now: Date.now };
  /** Of the processes that are opened from now on. */
  time: Time = systemTime;
  machines: StateMachineFactory = engineFactory;
  areRulesHeld = false;
  snapshotEvery = 1_000_000;
  /** Of the processes that are opened from now on. */
  snapshotSharing: SnapshotSharing | null = null;
  /** What the database holds, as far as it answers. */
  knownSequence: Sequence | null = null;
  membersCount: number | null = null;
  /** What is wrong with a process, by its number from 0 in the order of opening. */
  weaknessOf: (number: number) => Weakness | null = () => null;
  /** Whether a process that is opened from now on may own the exchange. */
  mayOwn = true;
  #opened = 0;
  ackCopies = 1;
  readonly epochs = new MemoryEpochs();
  /** Of the processes that are opened from now on. */
  stamps = new MemoryStamps();
  /** Of the processes that are opened from now on; long enough that none stamps by default. */
  stampEveryMs = 3_600_000;
  readonly #members: ClusterMember[] = [];

  /** A process that is not started. */
  open(disk: Disk = new MemoryDisk()): Omit<ClusterMember, 'process'> {
    const failures: unknown[] = [];
    const logger = pino({ level: 'silent' });
    const number = this.#opened;
    this.#opened += 1;
    const exchange = new ClusterExchange({
      transport: this.hub.transport(),
      journalId: async () => journalId,
      openSequencer: (shared) =>
        openSequencer({
          directory: '/journal',
          machines: this.machines,
          areRulesHeld: this.areRulesHeld,
          clock: this.clock,
          logger,
          onFatal: (error) => failures.push(error),
          limits: { snapshotEvery: this.snapshotEvery },
          disk,
          shared,
        }),
      journalFolder: '/journal',
      disk,
      loadKnownSequence: async () => this.knownSequence,
      epochs: this.epochs,
      stamps: this.stamps,
      stampEveryMs: this.stampEveryMs,
      weakness: () => this.weaknessOf(number),
      mayOwn: this.mayOwn,
      members: { membersCount: this.membersCount, ackCopies: this.ackCopies, isLogSynced: false },
      waitingMax: 1_000,
      time: this.time,
      logger,
      onFatal: (error) => failures.push(error),
      timing: this.timing,
      ...(this.snapshotSharing === null ? {} : { snapshotSharing: this.snapshotSharing }),
    });
    return { exchange, failures };
  }

  async join(disk?: Disk): Promise<ClusterMember> {
    const known = new Set(this.hub.processes);
    const { exchange, failures } = this.open(disk);
    await exchange.start();
    const process = this.hub.processes.find((each) => !known.has(each))!;
    const member = { exchange, process, failures };
    this.#members.push(member);
    return member;
  }

  /** Resolves once all that joined are members, as far as members are counted. */
  async settle(): Promise<void> {
    const { membersCount } = this;
    if (membersCount === null) return;
    const count = Math.min(membersCount, this.#members.length);
    const isSettled = ({ exchange }: ClusterMember): boolean =>
      exchange.memberFile?.list.members.length === count &&
      exchange.memberFile.list.before === null;
    await vi.waitUntil(() => this.#members.every(isSettled), { interval: 2, timeout: 10_000 });
  }

  async joinTwo(): Promise<{ readonly owner: ClusterMember; readonly standby: ClusterMember }> {
    const owner = await this.join();
    const standby = await this.join();
    await this.settle();
    return { owner, standby };
  }

  async close(): Promise<void> {
    for (const { process } of this.#members) this.hub.resume(process);
    await Promise.allSettled(this.#members.map(({ exchange }) => exchange.stop()));
  }
}

let credits = 0;

/** A command that shows whether it was taken twice: the same reference would count once. */
export function credit(reason: string | null = null): CreditBalance {
  credits += 1;
  const address = `0x${String(1 + (credits % 5)).padStart(40, '0')}` as Address;
  return {
    type: 'creditBalance',
    address,
    token: 'USDT',
    amount: toAmount(100_000_000n),
    actor: 'admin_api_key',
    reason: reason ?? `credit ${credits}`,
    reference: null,
  };
}

export function reasonOf({ events }: AppliedCommand): string | null {
  const event = events.find(({ type }) => type === 'balanceCredited');
  return event?.type === 'balanceCredited' ? event.reason : null;
}

/** Every credit that the member's engine counts from now on, in order. */
export function creditsOf({ exchange }: ClusterMember): string[] {
  const seen: string[] = [];
  exchange.subscribe((batch) => {
    for (const applied of batch) {
      const reason = reasonOf(applied);
      if (reason !== null) seen.push(reason);
    }
  });
  return seen;
}
