import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import type { ReadBarrier } from '../../../src/application/ports/database.ts';
import type { AppliedCommand, Exchange } from '../../../src/application/ports/exchange.ts';
import { acknowledgedSequence } from '../../../src/cluster/acknowledged-sequence.ts';
import { ClusterExchange } from '../../../src/cluster/cluster-exchange.ts';
import type { LeaseTiming } from '../../../src/cluster/owner-lease.ts';
import {
  DatabaseAheadError,
  requireJournalBeyond,
} from '../../../src/database/projector/journal-end.ts';
import { PositionBarrier } from '../../../src/database/projector/position-barrier.ts';
import { Projector } from '../../../src/database/projector/projector.ts';
import { ProjectorTurn } from '../../../src/database/projector/projector-turn.ts';
import { SharedBarrier } from '../../../src/database/projector/shared-barrier.ts';
import type { Sequence } from '../../../src/domain/identifiers.ts';
import { engineFactory } from '../../../src/engine/engine.ts';
import type { StateMachineFactory } from '../../../src/engine/state-machine.ts';
import type { DurableSignal } from '../../../src/sequencer/durable-signal.ts';
import { ExchangeClock } from '../../../src/sequencer/exchange-clock.ts';
import { JournalFollower } from '../../../src/sequencer/journal-follower.ts';
import { openSequencer, type Sequencer } from '../../../src/sequencer/sequencer.ts';
import type { SharedJournal } from '../../../src/sequencer/sequencer-options.ts';
import type { Time } from '../../../src/system/time.ts';
import { previousVersion } from '../../support/previous-version.ts';
import { Draws } from './draws.ts';
import type { MemoryBatches } from './memory-batches.ts';
import type { NatsModel } from './nats-model.ts';
import { type DiskCopy, SimDisk } from './sim-disk.ts';
import { SimSignal } from './sim-signal.ts';
import { MachineClock, simTime, trueWallMs } from './sim-time.ts';
import type { SharingMachine, SnapshotStoreModel } from './snapshot-store-model.ts';
import type { Actor, World } from './world.ts';

export const journalFolder = '/journal';
const journalId = '0123456789abcdef';
const checkClockMs = 1_000;
const barrierMs = 2_000;

/** Limits that take tens of thousands of commands in service take hundreds here. */
export interface Sizes {
  readonly snapshotEvery: number;
  readonly outcomesKeptMax: number;
  readonly segmentBytes: number;
  readonly waitingMax: number;
}

export interface MachineOptions {
  readonly world: World;
  readonly number: number;
  /** Null: the process is the only one. */
  readonly nats: NatsModel | null;
  readonly database: MemoryBatches;
  readonly processesCount: number;
  readonly ackCopies: number;
  readonly timing: LeaseTiming;
  readonly sizes: Sizes;
  /** Null: every process begins with the whole log. */
  readonly snapshotStore: SnapshotStoreModel | null;
  readonly onStart: (machine: Machine, process: RunningProcess) => void;
  readonly onDurable: (machine: Machine, outcomes: readonly AppliedCommand[]) => void;
  readonly onEnd: (machine: Machine, error: unknown) => void;
}

/** The previous version, this one with the rules held back, or this one. */
export type Program = 'previous' | 'held' | 'new';

/** One run of the program. */
export interface RunningProcess {
  readonly actor: Actor;
  readonly exchange: Exchange & { start(): Promise<void>; stop(): Promise<void> };
  readonly sequencer: Sequencer;
  readonly cluster: ClusterExchange | null;
  readonly projector: Projector;
  readonly follower: JournalFollower;
  readonly barrier: ReadBarrier;
  readonly time: Time;
  readonly logger: Logger;
}

/** A machine with a disk and a clock, and the process that runs there at present. */
export class Machine {
  readonly number: number;
  readonly disk: SimDisk;
  readonly clock = new MachineClock();
  process: RunningProcess | null = null;
  /** The program that the next start runs. */
  program: Program = 'new';
  /** What the present run, or else the last one, has logged as fatal. */
  lastWords: string[] = [];
  isStopping = false;
  isListenerFailing = false;
  /** The number of starts of the program so far. */
  starts = 0;
  /** Whether the disk holds a copy of another machine's. */
  #ownFolder: DiskCopy | null = null;
  readonly #options: MachineOptions;

  constructor(options: MachineOptions) {
    this.#options = options;
    this.number = options.number;
    const { world, number } = options;
    this.disk = new SimDisk(world, new Draws(world.seed, `disk ${number}`));
  }

  get isReady(): boolean {
    return this.process?.exchange.state === 'ready';
  }

  get #machines(): StateMachineFactory {
    return this.program === 'previous' ? previousVersion : engineFactory;
  }

  start(): void {
    const { world, database } = this.#options;
    this.starts += 1;
    this.lastWords = [];
    this.isStopping = false;
    const actor = world.createActor();
    const time = simTime(world, actor, this.clock);
    const log = this.#createLogger();
    const signal = new SimSignal(world, actor);
    const onFatal = (error: unknown): void => {
      if (this.process?.actor !== actor) return;
      this.kill(false);
      this.#options.onEnd(this, error);
    };
    const opened = this.#openExchange(actor, time, log, signal, onFatal);
    const { sequencer, cluster } = opened;
    const follower = new JournalFollower({
      directory: journalFolder,
      machines: this.#machines,
      logger: log,
      durable: signal,
      limits: {
        snapshotEvery: this.#options.sizes.snapshotEvery,
        outcomesKeptMax: this.#options.sizes.outcomesKeptMax,
        eventsKeptMax: 10 * this.#options.sizes.outcomesKeptMax,
        gatherMs: 2,
        busyGatherMs: 50,
      },
      disk: this.disk.openFor(actor),
      time,
    });
    const lead = new ProjectorTurn(cluster === null);
    cluster?.watchOwner((isOwner) => {
      lead.isLeading = isOwner;
    });
    const barrier = new PositionBarrier(barrierMs, time);
    const projector = new Projector({
      store: database.openFor(actor, time),
      prepare: () => database.migrate(actor),
      outcomes: follower.outcomeLog,
      journalEnd: () => signal.sequence,
      log,
      lead,
      time,
      observer: {
        onPosition: (position) => barrier.moveTo(position),
        onBatch: () => undefined,
        onFailure: (error) => {
          barrier.fail(error);
          if (error instanceof DatabaseAheadError) onFatal(error);
        },
      },
    });
    const history =
      cluster === null ? barrier : new SharedBarrier(barrier, () => acknowledgedSequence(cluster));
    const process = { ...opened, actor, projector, follower, time, logger: log, barrier: history };
    this.process = process;
    sequencer.subscribe((outcomes) => {
      this.disk.forgetClaims();
      this.#options.onDurable(this, outcomes);
      if (!this.isListenerFailing) return;
      this.isListenerFailing = false;
      throw new Error('a listener fails');
    });
    void this.#begin(opened, actor, onFatal);
    follower.run().catch(onFatal);
    projector.start();
    world.note(`process ${this.number} starts`);
    if (this.process === process) this.#options.onStart(this, process);
  }

  async #begin(
    { exchange, sequencer, cluster }: Pick<RunningProcess, 'exchange' | 'sequencer' | 'cluster'>,
    actor: Actor,
    onFatal: (error: unknown) => void,
  ): Promise<void> {
    const { database } = this.#options;
    const load = database.ask(actor, () => database.position).catch(() => null);
    try {
      const held = cluster === null ? await load : null;
      await exchange.start();
      if (held !== null) requireJournalBeyond(held, sequencer.durableSequence);
    } catch (error) {
      onFatal(error);
    }
  }

  /** The process is gone at once; with the power, the machine forgets what was not synced. */
  kill(withPower: boolean): void {
    const { process } = this;
    const { nats, database } = this.#options;
    if (process === null) return;
    this.process = null;
    process.actor.isAlive = false;
    process.actor.held = null;
    nats?.forget(process.actor);
    if (!withPower) return this.disk.endProcess();
    // For a single process, only the database can tell what a disk that lied has lost.
    const isTold = process.sequencer.durableSequence === database.position;
    if (nats === null && !isTold) this.disk.settleLies();
    this.disk.cutPower();
  }

  /** The process ends at one of its next disk operations; null: no longer. */
  endWithin(operations: number | null): void {
    this.disk.endUser(operations, () => this.kill(false));
  }

  /** The process ends when it awaits for the n-th time from now on; null: no longer. */
  endAtAwait(eventsLeft: number | null, end = () => this.kill(false)): void {
    if (this.process === null) return;
    this.process.actor.ending = eventsLeft === null ? null : { eventsLeft, end };
  }

  /** Returns what ends the process and leaves the disk as it is now. */
  keepOlder(): () => void {
    const { nats, database } = this.#options;
    const older = this.disk.copy();
    const end = this.process?.sequencer.durableSequence ?? Infinity;
    return () => {
      // For a single process, only the database can tell what is missing.
      if (this.process === null || (nats === null && database.position <= end)) return;
      // It has just started with an older one: the operator still has the newest.
      if (this.disk.isDamaged) return;
      this.kill(false);
      this.disk.putBack(older);
    };
  }

  get isForeign(): boolean {
    return this.#ownFolder !== null;
  }

  /** The process ends; from now on the disk has what that of the other machine has. */
  takeFolderOf({ disk }: Machine): void {
    this.kill(false);
    this.#ownFolder = this.disk.copy();
    this.disk.replaceWith(disk.copy());
  }

  takeBackFolder(): void {
    if (this.#ownFolder === null) return;
    this.kill(false);
    this.disk.replaceWith(this.#ownFolder);
    this.#ownFolder = null;
  }

  /** Like SIGTERM: the process accepts nothing more and ends on its own. */
  async stop(): Promise<void> {
    const { process } = this;
    if (process === null) return;
    this.isStopping = true;
    try {
      await process.projector.stop();
      await process.follower.stop();
      await process.exchange.stop();
    } catch (error) {
      this.#options.world.note(`process ${this.number} does not stop cleanly: ${String(error)}`);
    }
    if (this.process !== process) return;
    this.kill(false);
    this.#options.world.note(`process ${this.number} has ended`);
  }

  #openExchange(
    actor: Actor,
    time: Time,
    logger: Logger,
    follower: DurableSignal,
    onFatal: (error: unknown) => void,
  ): Pick<RunningProcess, 'exchange' | 'sequencer' | 'cluster'> {
    const { world, nats, database, sizes, timing, processesCount } = this.#options;
    const disk = this.disk.openFor(actor);
    const random = new Draws(world.seed, `chance ${this.number} ${this.starts}`);
    const clock = this.#createClock(actor, time, logger);
    const open = (shared?: SharedJournal): Sequencer =>
      openSequencer({
        directory: journalFolder,
        machines: this.#machines,
        areRulesHeld: this.program === 'held',
        clock,
        logger,
        onFatal,
        limits: {
          waitingMax: sizes.waitingMax,
          groupBytesMax: 4_096,
          segmentBytesFirst: sizes.segmentBytes,
          segmentBytesMax: sizes.segmentBytes,
          snapshotEvery: sizes.snapshotEvery,
        },
        follower,
        disk,
        time,
        random,
        ...(shared === undefined ? {} : { shared }),
      });
    if (nats === null) {
      const sequencer = open();
      return { exchange: sequencer, sequencer, cluster: null };
    }
    const loadProjected = (): Promise<Sequence | null> =>
      database.ask<Sequence | null>(actor, () => database.position).catch(() => null);
    const cluster = new ClusterExchange({
      transport: nats.transportFor(this.number, actor),
      journalId: async () => journalId,
      openSequencer: open,
      journalFolder,
      disk,
      time,
      random,
      loadKnownSequence: loadProjected,
      epochs: database.epochsFor(actor),
      databaseTime: () => database.ask(actor, () => trueWallMs(world)).catch(() => null),
      members: {
        membersCount: processesCount,
        ackCopies: this.#options.ackCopies,
        isLogSynced: false,
      },
      label: `machine ${this.number}`,
      waitingMax: sizes.waitingMax,
      logger,
      onFatal,
      timing,
      ...this.#snapshotSharingFor({ actor, disk, time, random, logger, loadProjected }),
    });
    return { exchange: cluster, sequencer: cluster.sequencer, cluster };
  }

  #snapshotSharingFor(
    user: Omit<SharingMachine, 'folder' | 'journalId' | 'snapshotEvery' | 'rules'>,
  ) {
    const { snapshotStore, sizes } = this.#options;
    if (snapshotStore === null) return {};
    const { snapshotEvery } = sizes;
    const rules = this.#machines;
    const own = { folder: journalFolder, journalId, snapshotEvery, rules };
    return { snapshotSharing: snapshotStore.useFor({ ...user, ...own }) };
  }

  #createClock(actor: Actor, time: Time, logger: Logger): ExchangeClock {
    const { world, database } = this.#options;
    const clock = new ExchangeClock({
      time,
      readSecondClock: () => database.ask(actor, () => trueWallMs(world)).catch(() => null),
      logger,
    });
    let isChecking = false;
    time.every(checkClockMs, () => {
      if (isChecking) return;
      isChecking = true;
      void clock.check().finally(() => {
        isChecking = false;
      });
    });
    return clock;
  }

  #createLogger(): Logger {
    const { world } = this.#options;
    const write = (line: string): void => {
      const { msg, err, level } = JSON.parse(line) as LogLine;
      if (level >= pino.levels.values['fatal']!) this.lastWords.push(msg);
      world.note(`process ${this.number}: ${msg}${err === undefined ? '' : ` (${err.message})`}`);
    };
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        write(chunk.toString());
        done();
      },
    });
    return pino({ level: 'warn', base: null, timestamp: false }, output);
  }
}

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly message: string };
}
