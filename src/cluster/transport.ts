import type { Logger } from 'pino';
import type { Time } from '../system/time.ts';
import { type Broadcast, NatsBroadcast } from './broadcast.ts';
import { BucketLeaseStore } from './bucket-lease-store.ts';
import { clusterNames } from './cluster-names.ts';
import type { ChangeMessage } from './confirmed-changes.ts';
import { connectNats } from './connect-nats.ts';
import { type JournalReportLink, NatsJournalReportLink } from './journal-report.ts';
import { openWithRetry } from './open-with-retry.ts';
import { NatsOperatorLink, type OperatorLink } from './operator.ts';
import { NatsOrderReplies, type OrderReplies } from './order-replies.ts';
import type { LeaseStore } from './owner-lease.ts';
import { NatsProcessLiveness, type ProcessLiveness } from './process-liveness.ts';
import { NatsRequestLink, type RequestLink } from './request-link.ts';
import { NatsRollCall, type RollCall } from './roll-call.ts';
import type { CountsMessage } from './shared-counts.ts';
import type { SharedLog } from './shared-log.ts';
import { StreamLog } from './stream-log.ts';

export interface ConnectOptions {
  readonly journalId: string;
  readonly process: string;
  readonly time: Time;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly onClosed: (error: Error) => void;
}

/** The connections between the processes of one exchange. */
export interface ConnectedTransport {
  readonly log: SharedLog;
  readonly leaseStore: LeaseStore;
  readonly link: RequestLink;
  readonly replies: OrderReplies;
  readonly liveness: ProcessLiveness;
  readonly rollCall: RollCall;
  readonly operator: OperatorLink;
  readonly reportLink: JournalReportLink;
  /** Absent if processes share no counts and no changes. */
  readonly countsLink?: Broadcast<CountsMessage<unknown>>;
  readonly changesLink?: Broadcast<ChangeMessage>;
  readonly leave: () => Promise<void>;
}

export interface ClusterTransport {
  connect(options: ConnectOptions): Promise<ConnectedTransport>;
}

/** NATS with JetStream. */
export function natsTransport(url: string): ClusterTransport {
  return {
    connect: async ({ journalId, process, time, logger, signal, onClosed }) => {
      const nats = await connectNats(url, process, logger, onClosed);
      const { connection } = nats;
      const isConnected = (): boolean => nats.isConnected;
      const names = clusterNames(journalId);
      const { connectOnce } = nats;
      const streamOptions = { connection, connectOnce, names, process, time, logger };
      const log = await StreamLog.open(streamOptions, signal);
      const openLease = (): Promise<LeaseStore> => BucketLeaseStore.open(connection, names);
      return {
        log,
        leaseStore: await openWithRetry(openLease, { time, logger, signal }),
        link: new NatsRequestLink({ connection, names, process, time, logger, isConnected }),
        rollCall: new NatsRollCall(connection, names, process),
        liveness: new NatsProcessLiveness(connection, names, process, time),
        replies: new NatsOrderReplies(connection, names, process),
        reportLink: new NatsJournalReportLink(connection, names),
        countsLink: new NatsBroadcast(connection, names.countsSubject),
        changesLink: new NatsBroadcast(connection, names.changesSubject),
        operator: new NatsOperatorLink(connection, names),
        leave: async () => {
          await log.close();
          await connection.close();
        },
      };
    },
  };
}
