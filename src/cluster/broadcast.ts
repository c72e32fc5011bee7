import type { NatsConnection } from '@nats-io/transport-node';

/** Sends a message to all processes of one exchange; messages can be lost. */
export interface Broadcast<Message> {
  tell(message: Message): void;
  /** Receives every message, including those that this process has sent. */
  onTold(listener: (message: Message) => void): void;
}

/** As NATS messages without JetStream. */
export class NatsBroadcast<Message> implements Broadcast<Message> {
  readonly #connection: NatsConnection;
  readonly #subject: string;

  constructor(connection: NatsConnection, subject: string) {
    this.#connection = connection;
    this.#subject = subject;
  }

  tell(message: Message): void {
    if (this.#connection.isClosed()) return;
    this.#connection.publish(this.#subject, JSON.stringify(message));
  }

  onTold(listener: (message: Message) => void): void {
    this.#connection.subscribe(this.#subject, {
      callback: (error, message) => {
        if (error === null) listener(message.json<Message>());
      },
    });
  }
}
