import {
  type AppliedCommand,
  type Command,
  EngineRestartingError,
  type EngineView,
  type Exchange,
  type ExchangeState,
  type OrderMemory,
  type OutcomeLog,
} from '../application/ports/exchange.ts';
import { assert } from '../domain/assert.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { RequestDigest } from '../domain/request-digest.ts';
import type { Stamp, StateMachine } from '../engine/state-machine.ts';
import type { Disk, DiskLock } from '../journal/disk.ts';
import { recordBytesMax } from '../journal/journal-record.ts';
import { JournalWriter } from '../journal/journal-writer.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { type RecoveredJournal, recoverJournal } from '../journal/recovery.ts';
import type { KnownRules } from '../journal/rules-version.ts';
import { SnapshotStore } from '../journal/snapshot-store.ts';
import { systemRandom } from '../system/random-source.ts';
import { systemTime } from '../system/system-time.ts';
import type { Time } from '../system/time.ts';
import { CommandPipeline } from './command-pipeline.ts';
import { OutcomeReader } from './outcome-reader.ts';
import {
  defaultSequencerLimits,
  type SequencerLimits,
  type SequencerOptions,
} from './sequencer-options.ts';
import { type SequencerStatistics, StatisticsCounter } from './sequencer-statistics.ts';
import { SnapshotTaker } from './snapshot-taker.ts';

type Listener = (batch: readonly AppliedCommand[]) => void;

/** What exists once recovery has ended. */
interface Running {
  readonly machine: StateMachine;
  readonly journal: JournalWriter;
  readonly pipeline: CommandPipeline;
  readonly taker: SnapshotTaker;
  readonly lock: DiskLock;
  readonly journalId: string;
}

// A write takes half a second only on a disk in trouble; a healthy one takes under 1 ms.
const slowWriteMs = 500;

/** The only writer: commands in, durable outcomes out, the journal in between. */
export class Sequencer implements Exchange {
  /** Durable outcomes from any position on, for the projector. */
  readonly outcomeLog: OutcomeLog;
  readonly #options: SequencerOptions;
  readonly #limits: SequencerLimits;
  readonly #disk: Disk;
  readonly #time: Time;
  readonly #snapshots: SnapshotStore;
  readonly #outcomes: OutcomeReader;
  readonly #listeners = new Set<Listener>();
  readonly #counter = new StatisticsCounter();
  #state: ExchangeState = 'restarting';
  #failure: Error | null = null;
  #running: Running | null = null;
  #starting: Promise<void> | null = null;
  #stopping: Promise<void> | null = null;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#limits = { ...defaultSequencerLimits, ...options.limits };
    const { groupBytesMax, segmentBytesFirst } = this.#limits;
    assert(groupBytesMax <= recordBytesMax, 'a group must not exceed the longest record');
    assert(segmentBytesFirst > 2 * groupBytesMax, 'a segment must be longer than a group');
    this.#disk = options.disk ?? nodeDisk;
    this.#time = options.time ?? systemTime;
    const time = this.#time;
    const { directory: folder, logger, machines } = options;
    this.#snapshots = new SnapshotStore({ disk: this.#disk, folder, machines, time, logger });
    this.#outcomes = new OutcomeReader({
      outcomesKeptMax: this.#limits.outcomesKeptMax,
      eventsKeptMax: this.#limits.eventsKeptMax,
      history: {
        disk: this.#disk,
        folder,
        time,
        snapshots: this.#snapshots,
      },
    });
    this.outcomeLog = this.#outcomes;
  }

  get state(): ExchangeState {
    return this.#state;
  }

  get durableSequence(): Sequence {
    return this.#running?.pipeline.durableSequence ?? (0 as Sequence);
  }

  /** The last command in this process's journal; with a shared log, fewer may be acknowledged. */
  get writtenSequence(): Sequence {
    return this.#running?.pipeline.writtenSequence ?? (0 as Sequence);
  }

  /** The newest applied command, durable or not; 0 until the journal is recovered. */
  get appliedSequence(): Sequence {
    return this.#running?.machine.sequence ?? (0 as Sequence);
  }

  /** Known once recovery has ended. */
  get journalId(): string | null {
    return this.#running?.journalId ?? null;
  }

  /** The version of the rules by which the next command is applied; 0 until recovery has ended. */
  get rules(): number {
    return this.#running?.machine.rules ?? 0;
  }

  get knownRules(): KnownRules {
    return this.#options.machines;
  }

  /** Whether every signed request that is accepted now is recognized if it is received again. */
  get isKeepingDigests(): boolean {
    return this.#running?.pipeline.isKeepingDigests ?? false;
  }

  /** What a process alone remembers of signed orders: also after a restart, but not its replies. */
  get orderMemory(): OrderMemory {
    return {
      isComplete: () => this.isKeepingDigests,
      findReply: async () => null,
      shareReplies: () => undefined,
    };
  }

  get statistics(): SequencerStatistics {
    const { pipeline, journal } = this.#running ?? {};
    return this.#counter.show(pipeline?.waiting ?? 0, journal);
  }

  /**
   * Recovers from the journal, then accepts commands. Until it resolves, callers get
   * EngineRestartingError. @throws JournalLockedError, JournalDamageError, RulesVersionError
   */
  start(): Promise<void> {
    assert(this.#starting === null, 'the sequencer is started twice');
    this.#starting = this.#start();
    return this.#starting;
  }

  /**
   * Accepts nothing more, makes everything accepted durable, writes a snapshot and releases the
   * journal.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Where the command came as a journal record, its bytes are journaled as they are. */
  submit(command: Command, digest: RequestDigest | null = null, record?: Uint8Array) {
    if (this.#state !== 'ready') return Promise.reject(notReady());
    return this.#running!.pipeline.submit({ command, digest, record });
  }

  /**
   * Applies a command of the shared log at the sequence and time it has there; resolves once the
   * journal holds it too.
   */
  follow(
    command: Command,
    stamp: Stamp,
    digest: RequestDigest | null = null,
    record?: Uint8Array,
  ): Promise<AppliedCommand> {
    if (this.#state !== 'ready') return Promise.reject(notReady());
    return this.#running!.pipeline.follow({ command, digest, record }, stamp);
  }

  /** Goes on by the newest rules, unless they are held back; resolves once that is durable. */
  async upgradeRules(): Promise<void> {
    const { logger, machines, areRulesHeld = false } = this.#options;
    const [from, to] = [this.rules, machines.newestRules];
    if (from === to) return;
    if (areRulesHeld) return logger.info({ rules: from, newest: to }, 'newer rules are on hold');
    const { pipeline } = this.#running!;
    // The owner of a shared log cannot wait here until other journals hold it.
    const upgraded = pipeline.submit({ command: { type: 'upgradeRules', rules: to } });
    await Promise.race([upgraded, pipeline.drain()]);
    upgraded.catch(() => undefined);
    logger.info({ from, to }, 'the rules are upgraded');
  }

  /** Rejects callers whose commands are in too few journals: their outcome is unknown. */
  giveUpUnconfirmed(): void {
    this.#running?.pipeline.giveUpUnconfirmed();
  }

  /** The same for commands that are still on their way to the log or the journal. */
  giveUpUnwritten(): void {
    this.#running?.pipeline.giveUpUnwritten();
  }

  /** Resolves once this process's journal holds everything accepted so far. */
  drain(): Promise<void> {
    if (this.#state !== 'ready') return Promise.reject(notReady());
    return this.#running!.pipeline.drain();
  }

  read<T>(query: (view: EngineView) => T): Promise<T> {
    if (this.#state !== 'ready') return Promise.reject(notReady());
    return this.#running!.pipeline.read(query);
  }

  peek<T>(query: (view: EngineView) => T): T {
    if (this.#state !== 'ready') throw notReady();
    return query(this.#running!.machine);
  }

  subscribe(listener: Listener): () => void {
    // A function can be registered twice, and each registration ends separately.
    const own: Listener = (batch) => {
      listener(batch);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  // The owner of a shared log upgrades it for all.
  get #isAlone(): boolean {
    return this.#options.shared === undefined;
  }

  async #start(): Promise<void> {
    let lock: DiskLock | null = null;
    try {
      await this.#disk.createFolder(this.#options.directory);
      lock = await this.#disk.lock(this.#options.directory);
      this.#running = await this.#recover(lock);
      if (this.#failure !== null) throw this.#failure;
      this.#outcomes.open(this.durableSequence);
      if (this.#isAlone) await this.upgradeRules();
      this.#options.follower?.publish(this.durableSequence);
      if (this.#state === 'restarting') this.#state = 'ready';
    } catch (error) {
      if (this.#state === 'restarting') this.#state = 'failed';
      await lock?.release();
      await this.#outcomes.close();
      throw error;
    }
  }

  async #recover(lock: DiskLock): Promise<Running> {
    const { directory: folder, machines, logger, areRulesHeld = false } = this.#options;
    this.#outcomes.release(await this.#snapshots.readReleased());
    const recovered = await recoverJournal(
      {
        disk: this.#disk,
        folder,
        machines,
        rulesOfNew: areRulesHeld ? machines.oldestRules : machines.newestRules,
        rulesNext: (rules) => (this.#isAlone && !areRulesHeld ? machines.newestRules : rules),
        segmentBytesFirst: this.#limits.segmentBytesFirst,
        time: this.#time,
        random: this.#options.random ?? systemRandom,
        journalId: this.#options.shared?.journalId,
        logger,
        onEndFound: (last) => this.#outcomes.expectEnd(last),
        wants: (replayed) => {
          if (this.#state !== 'restarting') throw notReady();
          return this.#options.follower === undefined && this.#outcomes.keeps(replayed);
        },
        onReplayed: (applied) => this.#outcomes.restore(applied),
      },
      this.#snapshots,
    );
    const journal = await this.#openWriter(recovered);
    await this.#options.clock.begin?.(recovered.timestamp);
    const pipeline = this.#createPipeline(recovered, journal);
    const taker = this.#createTaker(recovered, pipeline);
    const { machine: replayed, journalId } = recovered;
    return { machine: replayed, journal, pipeline, taker, lock, journalId };
  }

  #openWriter(recovered: RecoveredJournal): Promise<JournalWriter> {
    const { logger } = this.#options;
    const options = {
      disk: this.#disk,
      folder: this.#options.directory,
      time: this.#time,
      journalId: recovered.journalId,
      rules: () => Math.max(recovered.rules, recovered.machine.rules),
      segmentBytesMax: this.#limits.segmentBytesMax,
      spaceRetryMs: this.#limits.spaceRetryMs,
      onSpace: (isMissing: boolean, error: Error | null) => {
        this.#counter.isSpaceMissing = isMissing;
        if (isMissing) logger.error({ err: error }, 'no space for the next journal segment');
        else logger.info('the next journal segment is prepared again');
      },
      onFailure: (error: unknown) => {
        this.#fail(error);
      },
      writeFirst: this.#options.shared?.append,
    };
    return JournalWriter.open(options, recovered.writerStart);
  }

  #createPipeline(recovered: RecoveredJournal, journal: JournalWriter): CommandPipeline {
    const { machine, requests, sequence, timestamp } = recovered;
    return new CommandPipeline({
      machine,
      requests,
      journal,
      clock: this.#options.clock,
      time: this.#time,
      sequence,
      timestamp,
      waitingMax: this.#limits.waitingMax,
      groupBytesMax: this.#limits.groupBytesMax,
      onDurable: (outcomes, bytes, writeMs) => {
        this.#counter.countGroup(outcomes.length, bytes, writeMs);
        if (writeMs > slowWriteMs) this.#options.logger.warn({ writeMs }, 'the disk is slow');
        this.#keep(outcomes);
        for (const listener of this.#listeners) listener(outcomes);
      },
      onFatal: (error) => {
        this.#fail(error);
      },
      confirm: this.#options.shared?.confirm,
    });
  }

  #keep(outcomes: readonly AppliedCommand[]): void {
    const { follower } = this.#options;
    if (follower !== undefined) return follower.publish(this.durableSequence);
    this.#outcomes.push(outcomes);
    this.#running!.taker.takeIfDue();
  }

  #createTaker(recovered: RecoveredJournal, pipeline: CommandPipeline): SnapshotTaker {
    return new SnapshotTaker({
      machine: recovered.machine,
      requests: recovered.requests,
      time: this.#time,
      store: this.#snapshots,
      journalId: recovered.journalId,
      snapshotEvery: this.#limits.snapshotEvery,
      newest: recovered.snapshotSequence,
      logger: this.#options.logger,
      timestamp: () => pipeline.timestamp,
      drain: () => pipeline.drain(),
      released: () => this.#outcomes.released,
      onTaken: (encodeMs) => {
        this.#counter.countSnapshot(encodeMs);
      },
    });
  }

  #fail(error: unknown): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#options.logger.fatal({ err: error }, 'the engine stopped: no command is acknowledged');
    this.#running?.pipeline.fail(error);
    this.#options.onFatal(error);
  }

  async #stop(): Promise<void> {
    if (this.#state !== 'failed') this.#state = 'stopping';
    // The caller of start gets its result; here it only has to be over.
    await Promise.allSettled([this.#starting]);
    const running = this.#running;
    if (running !== null) {
      if (!this.#hasFailed()) await running.pipeline.drain();
      running.pipeline.giveUpUnconfirmed();
      if (!this.#hasFailed()) await running.taker.takeLast();
      await running.taker.finish();
      await running.journal.close();
      await running.lock.release();
    }
    await this.#outcomes.close();
  }

  #hasFailed(): boolean {
    return this.#state === 'failed';
  }
}

/** A sequencer over the journal in the folder; `start` recovers and then takes commands. */
export function openSequencer(options: SequencerOptions): Sequencer {
  return new Sequencer(options);
}

function notReady(): EngineRestartingError {
  return new EngineRestartingError('the engine is not ready');
}
