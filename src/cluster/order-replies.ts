import type { NatsConnection } from '@nats-io/transport-node';
import type { FindOwnReply, OrderReply } from '../application/ports/exchange.ts';
import type { ClusterNames } from './cluster-names.ts';

/** Lets the processes of one exchange ask each other for their replies to signed orders. */
export interface OrderReplies {
  /** The reply that another process gave to the order; null if none answers in time. */
  find(signature: string): Promise<OrderReply | null>;
  /** Sets where this process's own replies are found. */
  share(find: FindOwnReply): void;
}

// A process that is still placing the order answers once it has the reply.
const timeoutMs = 1_000;

export class NatsOrderReplies implements OrderReplies {
  readonly #connection: NatsConnection;
  readonly #subject: string;
  readonly #process: string;

  constructor(connection: NatsConnection, names: ClusterNames, process: string) {
    this.#connection = connection;
    this.#subject = names.repliesSubject;
    this.#process = process;
  }

  async find(signature: string): Promise<OrderReply | null> {
    try {
      const question = `${this.#process} ${signature}`;
      const timeout = timeoutMs;
      return (await this.#connection.request(this.#subject, question, { timeout })).json();
    } catch {
      // The order was accepted in any case; only its reply is unknown.
      return null;
    }
  }

  share(find: FindOwnReply): void {
    this.#connection.subscribe(this.#subject, {
      callback: (error, message) => {
        if (error !== null) return;
        const [process, signature = ''] = message.string().split(' ');
        if (process === this.#process) return;
        find(signature).then(
          (reply) => reply !== null && message.respond(JSON.stringify(reply)),
          () => undefined,
        );
      },
    });
  }
}
