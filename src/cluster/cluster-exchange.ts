import {
  type AppliedCommand,
  type Command,
  EngineBusyError,
  type EngineView,
  type Exchange,
  type ExchangeState,
  type RequestDigest,
} from '../application/ports/exchange.ts';
import { assert } from '../domain/assert.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import { systemRandom } from '../system/random-source.ts';
import { systemTime } from '../system/system-time.ts';
import type { Time } from '../system/time.ts';
import { answerOperator } from './answer-operator.ts';
import { beginEpoch, usedEpoch } from './begin-epoch.ts';
import { Candidacy } from './candidacy.ts';
import type { ClusterOptions, ClusterRole, ClusterStatus } from './cluster-options.ts';
import { describeStatus } from './cluster-status.ts';
import { type EpochParts } from './epoch-parts.ts';
import { ForkedError, TailSetAsideError } from './fork-errors.ts';
import { endJoined, type JoiningProcess, joinCluster } from './join-cluster.ts';
import type { JoinedCluster } from './joined-cluster.ts';
import { isCandidate } from './may-begin.ts';
import type { MemberFile } from './member-file.ts';
import { joinRollCall, type OwnReport, setAsidePlannedTail } from './member-state.ts';
import { Membership } from './membership.ts';
import { notReady } from './not-ready.ts';
import type { OperatorAnswer, OperatorQuestion } from './operator.ts';
import { OwnRecords } from './own-records.ts';
import { defaultLeaseTiming } from './owner-lease.ts';
import { OwnerWatchers } from './owner-watchers.ts';
import { FencedError } from './shared-log.ts';
import { SharedOrderMemory } from './shared-order-memory.ts';
import { waitWithTimeout } from './wait-with-timeout.ts';

const finalErrors = [FencedError, ForkedError, TailSetAsideError];
const recheckMs = 50;
const readTimeoutMs = 2_000;
const turnTimeoutMs = 3_000;

/**
 * One exchange in several processes. Each holds the whole state and a copy of the log; one of them
 * owns the exchange and orders the commands. The others send it theirs and read the outcomes from
 * the log.
 */
export class ClusterExchange implements Exchange {
  readonly sequencer: Sequencer;
  readonly orderMemory: SharedOrderMemory;
  readonly #options: ClusterOptions;
  readonly #process: string;
  readonly #time: Time;
  readonly #ownRecords: OwnRecords;
  readonly #stopping = new AbortController();
  #role: ClusterRole = 'starting';
  #epoch = 0;
  readonly #ownerWatchers = new OwnerWatchers();
  #joined: JoinedCluster | null = null;
  readonly #membership: Membership;
  #endSharing: (() => Promise<void>) | undefined;
  #failure: unknown = null;
  readonly #candidacy: Candidacy;
  #turn: Promise<void> = Promise.resolve();
  #handingOver: Promise<void> | null = null;
  #ending: Promise<void> | null = null;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#time = options.time ?? systemTime;
    this.#process = (options.random ?? systemRandom).hex(6);
    this.#ownRecords = new OwnRecords(options.disk ?? nodeDisk, options.journalFolder, this.#time);
    const alone = { membersCount: null, ackCopies: 1, isLogSynced: false };
    this.#membership = new Membership(options.members ?? alone, this.#time);
    this.sequencer = options.openSequencer({
      journalId: options.journalId,
      append: (group) => this.#append(group),
      confirm: (through) => this.#joined?.copies.confirm(through) ?? null,
    });
    this.orderMemory = new SharedOrderMemory(
      () => this.sequencer.isKeepingDigests,
      () => this.#joined?.replies,
    );
    this.#candidacy = new Candidacy({ ...options, sequencer: this.sequencer, time: this.#time });
  }

  get state(): ExchangeState {
    const { state } = this.sequencer;
    if (state !== 'ready') return state;
    return this.#route() === null ? 'restarting' : 'ready';
  }

  get durableSequence(): Sequence {
    return this.sequencer.durableSequence;
  }

  get status(): ClusterStatus {
    return describeStatus({
      role: this.#role,
      epoch: this.#epoch,
      sequence: this.sequencer.appliedSequence,
      joined: this.#joined,
      isEnding: this.#handingOver !== null,
      failure: this.#failure,
      unfitness: this.#candidacy.unfitness,
      hasOwner: this.#route() !== null,
    });
  }

  /** What this process keeps besides its journal; null until it has joined. */
  get memberFile(): Pick<MemberFile, 'member' | 'list' | 'beginning'> | null {
    return this.#joined?.member ?? null;
  }

  /** Whether this process owns the exchange and may accept orders now. */
  get isOwner(): boolean {
    return this.#role === 'owner' && this.#joined!.lease.isHeld;
  }

  get waiting(): number {
    return this.#joined?.forwarder.waiting ?? 0;
  }

  /** Resolves once this process has the whole log and some process, possibly this one, is owner. */
  async start(): Promise<void> {
    await setAsidePlannedTail(this.#options, this.#time);
    await this.#options.snapshotSharing?.seed(this.#stopping.signal);
    await this.sequencer.start();
    const { journalId } = this.sequencer;
    assert(journalId !== null, 'a recovered journal has an identity');
    await this.#join(journalId);
    this.#elect().catch(this.#fail);
    const { signal } = this.#stopping;
    while (this.#route() === null) await this.#time.sleep(recheckMs, signal);
  }

  submit(command: Command, digest: RequestDigest | null = null): Promise<AppliedCommand> {
    if (this.#role === 'owner') return this.#submitHere(command, digest);
    if (this.#joined === null) return Promise.reject(notReady());
    // An owner with older rules cannot decode a digest.
    const sent = this.sequencer.isKeepingDigests ? digest : null;
    return this.#joined.forwarder.submit(command, sent);
  }

  async read<T>(query: (view: EngineView) => T): Promise<T> {
    await this.catchUp();
    return this.sequencer.read(query);
  }

  peek<T>(query: (view: EngineView) => T): T {
    return this.sequencer.peek(query);
  }

  subscribe(listener: (batch: readonly AppliedCommand[]) => void): () => void {
    return this.sequencer.subscribe(listener);
  }

  /** Calls the watcher now and on every change with whether this process owns the exchange. */
  watchOwner(watcher: (isOwner: boolean) => void): void {
    this.#ownerWatchers.add(watcher, this.#role === 'owner');
  }

  /**
   * Resolves once this process has applied everything that any process had acknowledged when this
   * was called. The owner asks too: its lease may be taken before it expires.
   * @throws EngineRestartingError if that cannot be determined
   */
  async catchUp(): Promise<void> {
    const joined = this.#joined;
    if (joined?.link.isConnected !== true) throw notReady();
    await joined.place.catchUp(readTimeoutMs);
    await joined.copies.reach(this.sequencer.writtenSequence);
  }

  /**
   * Lets another process take over at once; this one continues as a gateway. Everything accepted is
   * durable when this resolves.
   */
  handOver(): Promise<void> {
    this.#handingOver ??= this.#handOver();
    return this.#handingOver;
  }

  stop(): Promise<void> {
    this.#ending ??= this.#stop();
    return this.#ending;
  }

  async #handOver(): Promise<void> {
    const joined = this.#joined;
    this.#candidacy.end();
    await this.#endTurn();
    if (joined === null || this.#role !== 'owner' || this.sequencer.state !== 'ready') return;
    if (this.#failure !== null) return; // Another process already owns the exchange.
    await this.#giveUp(joined, 'retired', () => this.#endTurn());
  }

  async #stop(): Promise<void> {
    await this.handOver();
    this.#role = 'stopped';
    this.#stopping.abort();
    const joined = this.#joined;
    await this.#endSharing?.();
    if (joined !== null) await endJoined(joined, this.sequencer.writtenSequence);
    await this.sequencer.stop();
    await joined?.leave();
  }

  // Everything accepted is durable before another process can take over.
  async #giveUp(
    { replica, lease, server, appends }: JoinedCluster,
    then: 'retired' | 'standby',
    settle: () => Promise<void>,
  ): Promise<void> {
    this.#role = 'leaving';
    await this.sequencer.drain();
    await appends.end();
    this.#role = then;
    this.#ownerWatchers.tell(false);
    replica.start(this.#fail);
    await settle();
    await lease.release().catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'the lease could not be given back; it expires');
    });
    // Requests that arrived meanwhile were refused as restarting.
    server.stop();
    this.#options.logger.info({ epoch: this.#epoch }, 'handed the exchange over');
  }

  // Where commands go now: the epoch that this process saw begin, if its owner is alive.
  #route(): number | null {
    const joined = this.#joined;
    if (joined === null || this.#epoch === 0 || joined.place.isAhead) return null;
    if (joined.copies.isStalled || !joined.link.isConnected) return null;
    return joined.lease.hasLiveOwner ? this.#epoch : null;
  }

  #submitHere(command: Command, digest: RequestDigest | null, record?: Uint8Array) {
    // Without the lease, another process may be about to take over.
    const { lease, log, copies, link } = this.#joined!;
    const isAble = lease.isHeld && link.isConnected && !copies.isStalled;
    if (!isAble) return Promise.reject(notReady());
    if (log.isFull) return Promise.reject(new EngineBusyError('the shared log has no space'));
    return this.sequencer.submit(command, digest, record);
  }

  async #join(journalId: string): Promise<void> {
    const own: JoiningProcess = {
      process: this.#process,
      time: this.#time,
      sequencer: this.sequencer,
      signal: this.#stopping.signal,
      route: () => this.#route(),
      submit: (...request) =>
        this.#role === 'owner' ? this.#submitHere(...request) : Promise.reject(notReady()),
      epoch: () => this.#epoch,
      onEpoch: (epoch) => {
        this.#epoch = epoch;
      },
      epochParts: () => this.#epochParts(),
      membership: this.#membership,
      clock: this.#candidacy.clock,
      onFatal: this.#fail,
    };
    const joined = await joinCluster(this.#options, own, journalId);
    this.#joined = joined;
    const { place, member, replies, operator } = joined;
    replies.share((signature) => this.orderMemory.findOwnReply(signature));
    await place.enter(this.#stopping.signal);
    await joinRollCall(joined, () => this.#report());
    operator.answer((question) => this.answerOperator(question));
    this.#role = 'standby';
    const isOwner = (): boolean => this.isOwner;
    this.#endSharing = this.#options.snapshotSharing?.start({ ...joined, journalId, isOwner });
    const seen = { process: this.#process, member: member.member, epoch: this.#epoch };
    this.#options.logger.info(seen, 'joined the exchange');
  }

  #report(): OwnReport {
    const { writtenSequence: sequence } = this.sequencer;
    const { label = '' } = this.#options;
    const { report } = this.#candidacy;
    // A process that is not a member yet may not begin an epoch, so no owner may hand over to it.
    const isFit = report.isFit && this.#joined !== null && isCandidate(this.#joined);
    return { process: this.#process, label, sequence, ...report, isFit };
  }

  /** Does what an operator asks of this process; null if another process has to answer. */
  answerOperator(question: OperatorQuestion): Promise<OperatorAnswer | null> {
    if (this.#joined === null) return Promise.resolve(null);
    const { isOwner } = this;
    const asked = { isOwner, epoch: this.#epoch, membership: this.#membership };
    return answerOperator(question, { ...this.#joined, ...asked });
  }

  // Watches the lease, takes it when it is free, and then renews it.
  async #elect(): Promise<void> {
    const { timing = defaultLeaseTiming } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted && this.#failure === null) {
      try {
        this.#turn = this.#takeTurn(this.#joined!);
        await this.#turn;
      } catch (error) {
        if (finalErrors.some((each) => error instanceof each)) throw error;
        if (!signal.aborted) this.#options.logger.warn({ err: error }, 'NATS does not answer');
      }
      const waitMs = this.isOwner ? timing.renewMs : timing.watchMs;
      await this.#time.sleep(waitMs, signal).catch(() => undefined);
    }
  }

  async #takeTurn(joined: JoinedCluster): Promise<void> {
    const { lease, place, log, replica, appends, chain, coordinator, copies } = joined;
    this.#candidacy.check();
    await chain.saveCheckpoint(this.sequencer.writtenSequence, false);
    if (this.#role === 'owner' || this.#role === 'leaving') {
      if (!(await lease.renew())) throw new FencedError('another process holds the lease');
      if (this.#role !== 'owner') return;
      const { position } = replica;
      await appends.confirmEnd(await log.loadEndAndStart(), position);
      coordinator.tend(this.#epoch);
      copies.requireCounted(this.#epoch);
      place.noteAgreement();
      if (!(await this.#candidacy.mustStepDown(joined.rollCall))) return;
      return this.#giveUp(joined, 'standby', async () => undefined);
    }
    await place.check();
    const { hasLiveOwner } = lease;
    if (!this.#candidacy.mayTake(joined.member, hasLiveOwner)) return lease.watch();
    const epoch = await lease.tryTake(() => usedEpoch(this.#epochParts()));
    if (epoch !== null) await this.#becomeOwner(epoch);
  }

  // Without NATS a turn can take long, but a stop must not wait for it.
  #endTurn(): Promise<void> {
    return waitWithTimeout(this.#turn, turnTimeoutMs, this.#time);
  }

  async #becomeOwner(epoch: number): Promise<void> {
    const { server, place, appends } = this.#joined!;
    const { logger } = this.#options;
    const { sequencer } = this;
    const own = await beginEpoch(this.#epochParts(), epoch);
    if (own === null) {
      this.#candidacy.pause();
      return;
    }
    await sequencer.drain();
    place.settle();
    appends.begin(own);
    this.#role = 'owner';
    this.#candidacy.begin();
    await sequencer.upgradeRules();
    server.start(epoch);
    this.#ownerWatchers.tell(true);
    logger.info({ epoch, sequence: sequencer.appliedSequence }, 'this process owns the exchange');
  }

  #epochParts(): EpochParts {
    const { logger, loadKnownSequence, epochs } = this.#options;
    const { sequencer } = this;
    const joined = this.#joined!;
    return {
      ...joined,
      process: this.#process,
      epochs,
      sequencer,
      journalEnd: () => sequencer.drain().then(() => sequencer.appliedSequence),
      time: this.#time,
      ownRecords: this.#ownRecords,
      isAhead: joined.place.isAhead,
      loadKnownSequence,
      membership: this.#membership,
      logger,
    };
  }

  // Followed commands are in the log already.
  async #append(group: Uint8Array): Promise<void> {
    const isOwn = this.#role === 'owner' || this.#role === 'leaving';
    if (!isOwn) return;
    try {
      await this.#joined!.appends.appendGroup(group);
    } catch (error) {
      if (!(error instanceof FencedError)) throw error;
      // The log has refused the group permanently, so none of it was accepted.
      throw notReady(error);
    }
  }

  readonly #fail = (error: unknown): void => {
    if (this.#role === 'stopped' || this.#failure !== null) return;
    this.#failure = error;
    this.#options.logger.fatal({ err: error }, 'this process is leaving the exchange');
    this.#options.onFatal(error);
  };
}
