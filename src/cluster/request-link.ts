import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Time } from '../system/time.ts';
import type { ClusterNames } from './cluster-names.ts';
import { decodePack, encodePack, type SentRequest, splitIntoPacks } from './request-pack.ts';

/** An owner's answer to a request that it did not accept; accepted commands appear in the log. */
export type Refusal = 'busy' | 'restarting' | 'invalid' | 'repeated' | 'expired' | 'absent';

export interface ReceivedRequest {
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
  listen(epoch: number, take: (request: ReceivedRequest) => void): () => void;
}

const refusals: readonly string[] = [
  'busy',
  'restarting',
  'invalid',
  'repeated',
  'expired',
] satisfies Refusal[];
const noResponders = 503;
// The server reports within milliseconds that a message had no listener; older packs arrived.
const packsKept = 256;
/** An owner that runs the preceding version of the program listens for single requests only. */
const singlesMs = 1_000;

export interface NatsLinkOptions {
  readonly connection: NatsConnection;
  readonly names: ClusterNames;
  readonly process: string;
  readonly time: Pick<Time, 'monotonicMs' | 'afterTurn'>;
  readonly logger: Logger;
  readonly isConnected: () => boolean;
}

interface Pack {
  readonly epoch: number;
  readonly requests: readonly SentRequest[];
}

/**
 * Requests as NATS messages: each arrives at most once, so the sender may have to send it again.
 * Those of one turn of the event loop go in one message, and so do the refusals of one turn.
 */
export class NatsRequestLink implements RequestLink {
  readonly #options: NatsLinkOptions;
  readonly #replies: string;
  #listener: (request: number, refusal: Refusal) => void = () => undefined;
  #turn: (SentRequest & { readonly epoch: number })[] = [];
  /** The newest packs, by the number in their reply subject. */
  readonly #packs = new Map<number, Pack>();
  #packNumber = 0;
  #singlesUntil = 0;

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
    if (this.#turn.length === 0) this.#options.time.afterTurn(this.#flush);
    this.#turn.push({ epoch, request, record });
  }

  onRefusal(listener: (request: number, refusal: Refusal) => void): void {
    this.#listener = listener;
  }

  listen(epoch: number, take: (request: ReceivedRequest) => void): () => void {
    const { connection, names, logger } = this.#options;
    const subscribe = (subject: string, receive: (message: Msg) => void): (() => void) => {
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          try {
            if (error !== null) throw error;
            receive(message);
          } catch (failure) {
            logger.warn({ err: failure }, 'a request cannot be read');
          }
        },
      });
      return () => subscription.unsubscribe();
    };
    const ends = [
      subscribe(names.packSubject(epoch), (message) => this.#takePack(message, take)),
      subscribe(names.submitSubject(epoch), (message) => takeSingle(message, take)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  readonly #flush = (): void => {
    const turn = this.#turn;
    this.#turn = [];
    for (const epoch of new Set(turn.map((sent) => sent.epoch))) {
      const packs = splitIntoPacks(turn.filter((sent) => sent.epoch === epoch));
      for (const requests of packs) this.#sendPack({ epoch, requests });
    }
  };

  #sendPack(pack: Pack): void {
    const { connection, names, time } = this.#options;
    if (connection.isClosed()) return;
    if (time.monotonicMs() < this.#singlesUntil) return this.#sendSingly(pack);
    this.#packNumber += 1;
    this.#packs.set(this.#packNumber, pack);
    this.#packs.delete(this.#packNumber - packsKept);
    connection.publish(names.packSubject(pack.epoch), encodePack(pack.requests), {
      reply: `${this.#replies}.p${this.#packNumber}`,
    });
  }

  #sendSingly({ epoch, requests }: Pack): void {
    const { connection, names } = this.#options;
    for (const { request, record } of requests) {
      const reply = `${this.#replies}.${request}`;
      connection.publish(names.submitSubject(epoch), record, { reply });
    }
  }

  #takePack(message: Msg, take: (request: ReceivedRequest) => void): void {
    const { connection, time } = this.#options;
    const process = (message.reply ?? '').split('.').at(-2);
    if (process === undefined) return;
    let refused: string[] = [];
    const respond = (): void => {
      if (!connection.isClosed()) message.respond(refused.join('\n'));
      refused = [];
    };
    for (const { request, record } of decodePack(message.data)) {
      const refuse = (refusal: Refusal): void => {
        if (refused.length === 0) time.afterTurn(respond);
        refused.push(`${request} ${refusal}`);
      };
      take({ process, request, record, refuse });
    }
  }

  #onMessage(message: Msg): void {
    const isAbsent = message.headers?.code === noResponders;
    const token = message.subject.slice(this.#replies.length + 1);
    if (!token.startsWith('p')) {
      return this.#refuse(Number(token), isAbsent ? 'absent' : message.string());
    }
    if (isAbsent) return this.#onPackAbsent(Number(token.slice(1)));
    for (const line of message.string().split('\n')) {
      const [request, refusal = ''] = line.split(' ');
      this.#refuse(Number(request), refusal);
    }
  }

  #onPackAbsent(number: number): void {
    const { connection, time } = this.#options;
    const pack = this.#packs.get(number);
    this.#packs.delete(number);
    this.#singlesUntil = time.monotonicMs() + singlesMs;
    if (pack !== undefined && !connection.isClosed()) this.#sendSingly(pack);
  }

  #refuse(request: number, text: string): void {
    const isKnown = text === 'absent' || refusals.includes(text);
    if (isKnown) this.#listener(request, text as Refusal);
  }
}

function takeSingle(message: Msg, take: (request: ReceivedRequest) => void): void {
  const [request, process] = (message.reply ?? '').split('.').reverse();
  if (request === undefined || process === undefined || !/^\d+$/.test(request)) return;
  take({
    process,
    request: Number(request),
    record: message.data,
    refuse: (refusal) => void message.respond(refusal),
  });
}
