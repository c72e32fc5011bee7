import type { NatsConnection } from '@nats-io/transport-node';
import type { Chain } from './chain.ts';
import type { ClusterNames } from './cluster-names.ts';

/** What a member's journal holds, synced: everything up to that command, with that chain. */
export interface JournalReport {
  readonly member: string;
  /** The last epoch whose opening the journal holds. */
  readonly epoch: number;
  readonly sequence: number;
  readonly chain: Chain;
  /** The newest promised epoch: if it is later, this counts for no acknowledgement. */
  readonly promised: number;
}

/** How the processes of one exchange tell each other what their journals hold. */
export interface JournalReportLink {
  announce(report: JournalReport): void;
  onReport(listener: (report: JournalReport) => void): void;
}

/** As NATS messages without JetStream: one that is lost is repeated by the next. */
export class NatsJournalReportLink implements JournalReportLink {
  readonly #connection: NatsConnection;
  readonly #subject: string;

  constructor(connection: NatsConnection, names: ClusterNames) {
    this.#connection = connection;
    this.#subject = names.reportSubject;
  }

  announce(report: JournalReport): void {
    if (!this.#connection.isClosed())
      this.#connection.publish(this.#subject, JSON.stringify(report));
  }

  onReport(listener: (report: JournalReport) => void): void {
    this.#connection.subscribe(this.#subject, {
      callback: (error, message) => {
        if (error === null) listener(message.json<JournalReport>());
      },
    });
  }
}
