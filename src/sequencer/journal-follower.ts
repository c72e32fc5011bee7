import type { Logger } from 'pino';
import type { OutcomeLog } from '../application/ports/exchange.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { AppliedCommand } from '../engine/events.ts';
import type { StateMachine, StateMachineFactory } from '../engine/state-machine.ts';
import type { Disk } from '../journal/disk.ts';
import { findReaderStart } from '../journal/journal-folder.ts';
import { JournalReader } from '../journal/journal-reader.ts';
import type { KnownRequests } from '../journal/known-requests.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { requireRules } from '../journal/rules-version.ts';
import { SnapshotStore } from '../journal/snapshot-store.ts';
import { systemTime } from '../system/system-time.ts';
import type { Time } from '../system/time.ts';
import type { DurableSignal } from './durable-signal.ts';
import { OutcomeReader } from './outcome-reader.ts';
import { defaultSequencerLimits } from './sequencer-options.ts';
import { SnapshotTaker } from './snapshot-taker.ts';

export interface FollowerOptions {
  /** The journal's folder, which the sequencer of this process owns. */
  readonly directory: string;
  readonly machines: StateMachineFactory;
  readonly logger: Logger;
  readonly durable: DurableSignal;
  readonly limits: FollowerLimits;
  readonly disk?: Disk;
  readonly time?: Time;
  /** Called with the state of each snapshot that was written. */
  readonly onSnapshot?: (state: Uint8Array, sequence: Sequence) => void;
  /** Called once, when everything that was durable at the start has been applied. */
  readonly onCaughtUp?: () => void;
}

export interface FollowerLimits {
  /** Commands between two snapshots. */
  readonly snapshotEvery: number;
  readonly outcomesKeptMax: number;
  readonly eventsKeptMax: number;
  /** How long to gather durable commands before reading them: each read costs a turn. */
  readonly gatherMs: number;
  /** The same under load: a batch in the database costs as much as a hundred commands. */
  readonly busyGatherMs: number;
}

interface Replica {
  readonly machine: StateMachine;
  readonly requests: KnownRequests;
  /** The end of the journal at the start. */
  readonly goal: Sequence;
  readonly reader: JournalReader;
  readonly taker: SnapshotTaker;
}

export const defaultFollowerLimits: FollowerLimits = {
  snapshotEvery: defaultSequencerLimits.snapshotEvery,
  outcomesKeptMax: defaultSequencerLimits.outcomesKeptMax,
  eventsKeptMax: defaultSequencerLimits.eventsKeptMax,
  gatherMs: 2,
  busyGatherMs: 50,
};

// The number that the projector writes in one batch.
const commandsPerStep = 2_000;
const busyCommands = 10;

/**
 * A second machine on another thread than the sequencer's. It reads the journal as far as it is
 * durable and applies the same commands. Outcomes for the database and snapshots are therefore made
 * without holding up trading, and only one number passes between the threads.
 */
export class JournalFollower {
  /** Durable outcomes from any position on, for the projector. */
  readonly outcomeLog: OutcomeLog;
  readonly #options: FollowerOptions;
  readonly #disk: Disk;
  readonly #time: Time;
  readonly #snapshots: SnapshotStore;
  readonly #outcomes: OutcomeReader;
  #journalId: string | null = null;
  #timestamp = 0 as TimestampMs;
  /** The number of commands in the newest step, a measure of the load. */
  #lastCount = 0;
  #isGatherDue = false;
  #isStopped = false;
  #running: Promise<void> | null = null;
  #onReleased: () => void = () => undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#disk = options.disk ?? nodeDisk;
    this.#time = options.time ?? systemTime;
    const time = this.#time;
    const { directory: folder, machines, logger, limits } = options;
    this.#snapshots = new SnapshotStore({ disk: this.#disk, folder, machines, time, logger });
    this.#outcomes = new OutcomeReader({
      outcomesKeptMax: limits.outcomesKeptMax,
      eventsKeptMax: limits.eventsKeptMax,
      journalEnd: () => options.durable.sequence,
      history: {
        disk: this.#disk,
        folder,
        time,
        snapshots: this.#snapshots,
      },
    });
    this.outcomeLog = {
      read: (after, limitMax, signal) => this.#outcomes.read(after, limitMax, signal),
      release: (upTo) => {
        this.#outcomes.release(upTo);
        this.#onReleased();
      },
    };
  }

  /** Known before the first outcome can be read. */
  get journalId(): string | null {
    return this.#journalId;
  }

  /** Follows until it is stopped. Rejects if the journal cannot be followed, which is a bug. */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#options.durable.wake();
    this.#onReleased();
    await Promise.allSettled([this.#running]);
  }

  async #run(): Promise<void> {
    const replica = await this.#begin();
    if (replica === null) return;
    try {
      while (!this.#isStopped && replica.machine.sequence < replica.goal) await this.#step(replica);
      if (!this.#isStopped) this.#options.onCaughtUp?.();
      while (!this.#isStopped) await this.#step(replica);
    } finally {
      await replica.reader.close();
      await replica.taker.finish();
      await this.#outcomes.close();
    }
  }

  async #begin(): Promise<Replica | null> {
    const { durable, limits, logger, directory } = this.#options;
    while (durable.sequence === null) {
      if (this.#isStopped) return null;
      await durable.changedFrom(null);
    }
    const goal = durable.sequence;
    const { machine, requests, sequence, timestamp } = await this.#snapshots.restore(goal);
    this.#timestamp = timestamp;
    const start = await findReaderStart(this.#disk, directory, sequence);
    this.#journalId = start.journalId;
    const reader = new JournalReader(this.#disk, start, this.#time);
    const taker = new SnapshotTaker({
      machine,
      requests,
      time: this.#time,
      store: this.#snapshots,
      journalId: start.journalId,
      snapshotEvery: limits.snapshotEvery,
      newest: sequence,
      logger,
      timestamp: () => this.#timestamp,
      // What this machine has applied is durable.
      drain: async () => undefined,
      released: () => this.#outcomes.released,
      onTaken: () => undefined,
      onWritten: (state, written) => this.#options.onSnapshot?.(state, written),
    });
    this.#outcomes.open(sequence);
    return { machine, requests, goal, reader, taker };
  }

  async #step({ machine, requests, reader, taker }: Replica): Promise<void> {
    const { durable, limits } = this.#options;
    const end = durable.sequence ?? machine.sequence;
    const waiting = end - machine.sequence;
    if (waiting === 0) {
      const since = this.#time.monotonicMs();
      await durable.changedFrom(end);
      if (this.#time.monotonicMs() - since > limits.busyGatherMs) this.#lastCount = 0;
    }
    if (waiting === 0 || this.#isGatherDue) {
      this.#isGatherDue = false;
      const isBusy = this.#lastCount >= busyCommands;
      await this.#time.sleep(isBusy ? limits.busyGatherMs : limits.gatherMs);
      return;
    }
    if (this.#isFull() && waiting < limits.snapshotEvery) {
      await this.#nextRelease();
      return;
    }
    const outcomes: AppliedCommand[] = [];
    // All processes take their snapshots at the same commands, so that they can be compared.
    const { snapshotEvery } = limits;
    const nextSnapshot = (Math.floor(machine.sequence / snapshotEvery) + 1) * snapshotEvery;
    const through = Math.min(end, nextSnapshot, machine.sequence + this.#stepCommands);
    const isThere = await reader.read(through, (command, sequence, timestamp, segment) => {
      requireRules(this.#options.machines, command, sequence, segment);
      requests.note(command, reader.digest, timestamp, machine.rules);
      outcomes.push(machine.apply(command, { sequence, timestamp }));
      this.#timestamp = timestamp;
    });
    if (!isThere) throw reader.missingRecord;
    this.#lastCount = outcomes.length;
    // Few commands have arrived meanwhile, and a batch of them would cost as much as a large one.
    this.#isGatherDue = through === end && this.#lastCount >= busyCommands;
    this.#outcomes.push(outcomes);
    taker.takeIfDue();
  }

  get #stepCommands(): number {
    return Math.min(commandsPerStep, this.#options.limits.outcomesKeptMax);
  }

  // The database keeps its own pace; outcomes dropped before it has taken them would have to be
  // made again. The replica continues without it only once a whole snapshot's worth of commands is
  // waiting.
  #isFull(): boolean {
    const { outcomesKeptMax } = this.#options.limits;
    return this.#outcomes.keptCount + this.#stepCommands > outcomesKeptMax;
  }

  #nextRelease(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#time.after(releaseWaitMs, resolve);
      this.#onReleased = () => {
        cancel();
        resolve();
      };
    });
  }
}

// An unreachable database releases nothing, and a snapshot may become due meanwhile.
const releaseWaitMs = 1_000;
