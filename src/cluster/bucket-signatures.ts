import { JetStreamApiError, jetstream, StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import {
  EngineRestartingError,
  type OrderReply,
  type OrderSignatures,
} from '../application/ports.ts';
import type { Time } from '../system/time.ts';

export interface BucketSignaturesOptions {
  readonly connection: NatsConnection;
  readonly bucket: string;
  readonly process: string;
  readonly isConnected: () => boolean;
  readonly time: Time;
  readonly logger: Logger;
}

interface StoredSignature {
  /** The process that is placing the order. */
  readonly process: string;
  /** Null while the order is being placed. */
  readonly reply: OrderReply | null;
}

// A signature may be repeated for 120 s after its first use.
const keptMs = 130_000;
const answerPatienceMs = 3_000;
const lookAgainMs = 20;
const answerTimeoutMs = 2_000;
// The server's code for an existing key; any other error reveals nothing about the signature.
const wrongLastSequence = 10_071;

/** The signatures of orders in a key-value bucket whose entries expire on their own. */
export class BucketSignatures implements OrderSignatures {
  readonly #options: BucketSignaturesOptions;
  readonly #bucket: KV;
  /** The signatures whose orders this process is placing now. */
  readonly #making = new Set<string>();

  private constructor(options: BucketSignaturesOptions, bucket: KV) {
    this.#options = options;
    this.#bucket = bucket;
  }

  static async open(options: BucketSignaturesOptions): Promise<BucketSignatures> {
    const client = jetstream(options.connection, { timeout: answerTimeoutMs });
    const bucket = await new Kvm(client).create(options.bucket, {
      description: 'signed orders that may be repeated',
      history: 1,
      storage: StorageType.File,
      ttl: keptMs,
    });
    return new BucketSignatures(options, bucket);
  }

  async claim(signature: string): Promise<'first' | OrderReply | null> {
    if (!this.#options.isConnected()) throw notReady();
    try {
      if (await this.#create(signature)) return 'first';
      return await this.#waitForReply(signature);
    } catch (error) {
      // The key may have been stored; but this process knows that the order was not placed.
      throw notReady(error);
    }
  }

  settle(signature: string, reply: OrderReply | null): void {
    this.#making.delete(signature);
    const stored: StoredSignature = { process: this.#options.process, reply };
    const written =
      reply === null
        ? this.#bucket.purge(signature)
        : this.#bucket.put(signature, JSON.stringify(stored));
    written.catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, "an order's answer was not shared");
    });
  }

  async #create(signature: string): Promise<boolean> {
    const stored: StoredSignature = { process: this.#options.process, reply: null };
    try {
      await this.#bucket.create(signature, JSON.stringify(stored));
      this.#making.add(signature);
      return true;
    } catch (error) {
      const isThere = error instanceof JetStreamApiError && error.code === wrongLastSequence;
      if (isThere) return false;
      throw error;
    }
  }

  async #waitForReply(signature: string): Promise<'first' | OrderReply | null> {
    const end = this.#options.time.monotonicMs() + answerPatienceMs;
    for (;;) {
      const entry = await this.#bucket.get(signature);
      if (entry === null || entry.operation !== 'PUT') {
        // The order was not accepted after all.
        if (await this.#create(signature)) return 'first';
      } else {
        const { process, reply } = entry.json<StoredSignature>();
        if (reply !== null) return reply;
        const isAbandoned = process === this.#options.process && !this.#making.has(signature);
        if (isAbandoned) {
          this.#making.add(signature);
          return 'first';
        }
      }
      if (this.#options.time.monotonicMs() > end) return null;
      await this.#options.time.sleep(lookAgainMs);
    }
  }
}

function notReady(cause?: unknown): EngineRestartingError {
  return new EngineRestartingError('the signatures of orders cannot be looked up', { cause });
}
