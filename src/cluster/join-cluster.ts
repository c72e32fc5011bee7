import type { AppliedCommand, Command, RequestDigest } from '../application/ports.ts';
import { recordBytesMax } from '../journal/journal-record.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Time } from '../system/time.ts';
import type { EpochParts } from './begin-epoch.ts';
import type { ClusterOptions } from './cluster-options.ts';
import type { Joined } from './joined-cluster.ts';
import { LogPlace } from './log-place.ts';
import { LogReplica } from './log-replica.ts';
import { openNotes } from './open-notes.ts';
import { OwnAppends } from './own-appends.ts';
import { defaultLeaseTiming, OwnerLease } from './owner-lease.ts';
import { RequestForwarder } from './request-forwarder.ts';
import { RequestServer } from './request-server.ts';

/** What the parts of a joined process need from the process as a whole. */
export interface JoiningProcess {
  readonly process: string;
  readonly time: Time;
  readonly sequencer: Sequencer;
  readonly signal: AbortSignal;
  /** Where commands go now: the epoch of an owner that is alive; null if none is known. */
  readonly route: () => number | null;
  /** Takes another process's command; rejects unless this process is the owner. */
  readonly submit: (command: Command, digest: RequestDigest | null) => Promise<AppliedCommand>;
  readonly epoch: () => number;
  readonly onEpoch: (epoch: number) => void;
  /** Whether it follows the log for the first time, and so has sent no requests. */
  readonly isStarting: () => boolean;
  readonly epochParts: () => EpochParts;
  readonly onFatal: (error: unknown) => void;
}

/** Connects the recovered process to the others; nothing is followed yet. */
export async function joinCluster(
  options: ClusterOptions,
  own: JoiningProcess,
  journalId: string,
): Promise<Joined> {
  const { transport, logger, waitingMax, timing = defaultLeaseTiming } = options;
  const { process, time, sequencer, onFatal, route, epochParts } = own;
  const { signal } = own;
  const connection = { journalId, process, time, logger, signal, onClosed: onFatal };
  const connected = await transport.connect(connection);
  const { log, leaseStore: store, link, lifeSigns } = connected;
  const end = sequencer.appliedSequence;
  const { member, chain } = await openNotes(options, time, { journalId, end });
  const lease = new OwnerLease({ store, holder: process, timing, time, lifeSigns });
  const forwarder = new RequestForwarder({ link, route, waitingMax, recordBytesMax, time });
  const server = new RequestServer({
    link,
    submit: own.submit,
    appliedSequence: () => sequencer.appliedSequence,
    own: { process, settle: (request, applied) => forwarder.settle(request, applied) },
  });
  const replica = new LogReplica({
    log,
    time,
    chain,
    member,
    sequencer,
    process,
    onTaken: (request, applied) => forwarder.settle(request, applied),
    onEpoch: (epoch, isRestored) => {
      own.onEpoch(epoch);
      forwarder.beginEpoch(epoch, isRestored);
    },
    onOutOfPlace: (error) => place.lose(error),
  });
  const onEpoch = (epoch: number): void => {
    if (epoch <= own.epoch()) return;
    own.onEpoch(epoch);
    // The log may have been restored; a process that is starting has sent no requests yet.
    forwarder.beginEpoch(epoch, !own.isStarting());
  };
  const place: LogPlace = new LogPlace({ log, replica, sequencer, logger, onFatal, onEpoch });
  const appends = new OwnAppends({ server, sequencer, time, epochParts });
  return { ...connected, member, chain, replica, place, lease, forwarder, server, appends };
}
