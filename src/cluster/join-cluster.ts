import type { Sequence } from '../domain/identifiers.ts';
import { recordBytesMax } from '../journal/journal-record.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import { systemRandom } from '../system/random-source.ts';
import type { Time } from '../system/time.ts';
import { acknowledgedReach } from './acknowledged-reach.ts';
import type { ClockCheck } from './clock-check.ts';
import { ClockedLeaseStore } from './clocked-lease-store.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { CopyTracker } from './copy-tracker.ts';
import type { EpochParts } from './epoch-parts.ts';
import type { JoinedCluster } from './joined-cluster.ts';
import { LogAppender } from './log-appender.ts';
import { LogPlace } from './log-place.ts';
import { LogReplica } from './log-replica.ts';
import { openMemberState, requireNoMember } from './member-state.ts';
import type { Membership } from './membership.ts';
import { MembershipCoordinator } from './membership-coordinator.ts';
import { openWithRetry, type RetryOptions } from './open-with-retry.ts';
import { claimFolder, keepStamping, type OwnFolderParts } from './own-folder.ts';
import { defaultLeaseTiming, OwnerLease } from './owner-lease.ts';
import { RecentOrigins } from './recent-origins.ts';
import { RequestForwarder } from './request-forwarder.ts';
import { RequestServer, type RequestServerOptions } from './request-server.ts';
import type { SharedLog } from './shared-log.ts';
import type { ConnectedTransport } from './transport.ts';

/** What the parts of a joined process need from the process as a whole. */
export interface JoiningProcess {
  readonly process: string;
  readonly time: Time;
  readonly sequencer: Sequencer;
  readonly signal: AbortSignal;
  /** Where commands go now: the epoch of an owner that is alive; null if none is known. */
  readonly route: () => number | null;
  /** Takes another process's command; rejects unless this process is the owner. */
  readonly submit: RequestServerOptions['submit'];
  readonly epoch: () => number;
  readonly onEpoch: (epoch: number) => void;
  readonly epochParts: () => EpochParts;
  readonly membership: Membership;
  readonly clock: ClockCheck;
  readonly onFatal: (error: unknown) => void;
}

/** Connects the recovered process to the others; nothing is followed yet. */
export async function joinCluster(
  options: ClusterOptions,
  own: JoiningProcess,
  journalId: string,
): Promise<JoinedCluster> {
  const { transport, logger, waitingMax, timing = defaultLeaseTiming } = options;
  const { process, time, sequencer, onFatal, route, epochParts } = own;
  const { signal, membership } = own;
  const connection = { journalId, process, time, logger, signal, onClosed: onFatal };
  const connected = await transport.connect(connection);
  const { log, leaseStore: store, link, liveness } = connected;
  await requireSafeLog(log, membership, { time, logger, signal });
  const end = sequencer.appliedSequence;
  const { member, chain } = await openMemberState(options, time, { journalId, end });
  await claimNumber(options, own, { member, rollCall: connected.rollCall });
  const clocked = new ClockedLeaseStore(store, own.clock, time);
  const takesOnlyCancels = (): boolean => sequencer.statistics.takesOnlyCancels;
  const leased = { store: clocked, holder: process, timing, time, liveness };
  const lease = new OwnerLease({ ...leased, takesOnlyCancels });
  const forwarder = new RequestForwarder({ link, route, waitingMax, recordBytesMax, time });
  const server = new RequestServer({
    link,
    submit: own.submit,
    appliedSequence: () => sequencer.appliedSequence,
    own: { process, settle: (request, applied) => forwarder.settle(request, applied) },
  });
  const origins = new RecentOrigins(time, end);
  const replica = new LogReplica({
    log,
    time,
    chain,
    member,
    origins,
    sequencer,
    process,
    onTaken: (request, applied) => forwarder.settle(request, applied),
    onEpoch: (opened) => {
      own.onEpoch(opened.epoch);
      forwarder.beginEpoch(opened);
    },
    onConfirmed: (through) => copies.noteConfirmed(through),
    onDiscontinuity: (error) => place.lose(error),
  });
  const onEpoch = (epoch: number): void => {
    if (epoch <= own.epoch()) return;
    own.onEpoch(epoch);
    // What is being restored may still contain a request.
    forwarder.beginEpoch(replica.opened);
  };
  const { rollCall, reportLink } = connected;
  const loadReach = (): Promise<Sequence> => acknowledgedReach({ rollCall, member, membership });
  const placed = { log, replica, sequencer, time, logger, loadReach };
  const place: LogPlace = new LogPlace({ ...placed, onFatal, onEpoch });
  const confirmed = (): Sequence => copies.confirmed;
  const appends = new LogAppender({ server, origins, sequencer, confirmed, time, epochParts });
  attachShared(options, connected, process);
  const memberParts = { member, membership, rollCall, appends };
  const coordinator = new MembershipCoordinator({ ...memberParts, sequencer, time, logger });
  const copies: CopyTracker = new CopyTracker({
    link: reportLink,
    member,
    chain,
    time,
    written: () => sequencer.writtenSequence,
    openEpoch: () => replica.openEpoch,
    onUnknown: () => sequencer.giveUpUnconfirmed(),
  });
  const parts = { member, chain, replica, place, lease, forwarder, server, appends, origins };
  return { ...connected, ...parts, coordinator, copies };
}

// Until then nobody has heard of the number in the folder from this process.
async function claimNumber(
  { stamps, stampEveryMs, random = systemRandom, mayOwn, logger }: ClusterOptions,
  { process, time, signal, onFatal }: JoiningProcess,
  known: Pick<OwnFolderParts, 'member' | 'rollCall'>,
): Promise<void> {
  if (stamps !== undefined) {
    const parts = { ...known, stamps, random, process, retry: { time, logger, signal } };
    await claimFolder(parts);
    keepStamping(parts, time, stampEveryMs).catch(onFatal);
  }
  if (mayOwn === false) requireNoMember(known.member);
}

function attachShared(
  { counts, changes }: ClusterOptions,
  { countsLink, changesLink }: ConnectedTransport,
  process: string,
): void {
  if (countsLink !== undefined) counts?.attach(countsLink, process);
  if (changesLink !== undefined) changes?.attach(changesLink, process);
}

/** Stops all parts but the sequencer once enough others hold what was written, or after a limit. */
export async function endJoined(joined: JoinedCluster, written: Sequence): Promise<void> {
  const { forwarder, replica, copies, chain, member } = joined;
  forwarder.stop();
  await replica.stop();
  await copies.reach(written).catch(() => undefined);
  await chain.saveCheckpoint(written, true).catch(() => undefined);
  copies.stop();
  await member.close();
}

/**
 * With several servers a process cannot see whether one of them has lost entries, so every takeover
 * needs a roll call, which would have to wait for every member if one journal were enough for an
 * acknowledgement.
 */
async function requireSafeLog(
  log: SharedLog,
  { settings }: Membership,
  retry: RetryOptions,
): Promise<void> {
  if (settings.membersCount === null || settings.ackCopies > 1 || settings.isLogSynced) return;
  const { isOneServer } = await openWithRetry(() => log.loadEndAndStart(), retry);
  if (isOneServer) return;
  throw new Error('with several NATS servers ACK_COPIES=1 needs LOG_SYNCED=yes, or ACK_COPIES=2');
}
