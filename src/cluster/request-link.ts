import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { ClusterNames } from './cluster-names.ts';

/** An owner's answer to a request that it did not accept; accepted commands appear in the log. */
export type Refusal = 'busy' | 'restarting' | 'invalid' | 'repeated' | 'expired' | 'absent';

export interface TakenRequest {
  readonly process: string;
  readonly request: number;
  /** A journal record that is not sequenced yet: its sequence and time are 0. */
  readonly record: Uint8Array;
  refuse(refusal: Exclude<Refusal, 'absent'>): void;
}

/** How the processes of one exchange send requests to its owner. */
export interface RequestLink {
  /** Whether a message sent now is transmitted immediately. */
  readonly isConnected: boolean;
  send(epoch: number, request: number, record: Uint8Array): void;
  /** 'absent': no process listens for that epoch. */
  onRefusal(listener: (request: number, refusal: Refusal) => void): void;
  /** Receives the requests sent to the epoch; returns a function that stops it. */
  listen(epoch: number, take: (request: TakenRequest) => void): () => void;
}

const refusals: readonly string[] = [
  'busy',
  'restarting',
  'invalid',
  'repeated',
  'expired',
] satisfies Refusal[];
const noResponders = 503;

export interface NatsLinkOptions {
  readonly connection: NatsConnection;
  readonly names: ClusterNames;
  readonly process: string;
  readonly logger: Logger;
  readonly isConnected: () => boolean;
}

/**
 * Requests as NATS messages: each arrives at most once, so the sender may have to send it again.
 */
export class NatsRequestLink implements RequestLink {
  readonly #options: NatsLinkOptions;
  readonly #replies: string;
  #listener: (request: number, refusal: Refusal) => void = () => undefined;

  constructor(options: NatsLinkOptions) {
    this.#options = options;
    this.#replies = options.names.replySubject(options.process);
    options.connection.subscribe(`${this.#replies}.*`, {
      callback: (error, message) => {
        if (error === null) this.#onMessage(message);
        else options.logger.warn({ err: error }, 'a reply of the owner cannot be read');
      },
    });
  }

  get isConnected(): boolean {
    return this.#options.isConnected();
  }

  send(epoch: number, request: number, record: Uint8Array): void {
    const { connection, names } = this.#options;
    connection.publish(names.submitSubject(epoch), record, {
      reply: `${this.#replies}.${request}`,
    });
  }

  onRefusal(listener: (request: number, refusal: Refusal) => void): void {
    this.#listener = listener;
  }

  listen(epoch: number, take: (request: TakenRequest) => void): () => void {
    const { connection, names, logger } = this.#options;
    const subscription: Subscription = connection.subscribe(names.submitSubject(epoch), {
      callback: (error, message) => {
        if (error !== null) return logger.warn({ err: error }, 'a request cannot be read');
        const [request, process] = (message.reply ?? '').split('.').reverse();
        if (request === undefined || process === undefined || !/^\d+$/.test(request)) return;
        take({
          process,
          request: Number(request),
          record: message.data,
          refuse: (refusal) => void message.respond(refusal),
        });
      },
    });
    return () => subscription.unsubscribe();
  }

  #onMessage(message: Msg): void {
    const request = Number(message.subject.slice(this.#replies.length + 1));
    if (message.headers?.code === noResponders) return this.#listener(request, 'absent');
    const text = message.string();
    if (refusals.includes(text)) this.#listener(request, text as Refusal);
  }
}
