import { EngineBusyError, EngineRestartingError } from '../../application/ports.ts';
import { timestampWindowMs } from '../auth/signed-request.ts';

// The same signed order sent twice makes one order: while its timestamp is within the window, the
// second gets the first's answer. Answers are kept by the timestamp that the request itself
// carries, so a lookup is one map access and a whole bucket is forgotten at once. Their texts lie
// in buffers, outside the reach of garbage collection: at full speed there are a million.

export interface TextAnswer {
  readonly status: number;
  readonly body: string;
}

export interface SignedOrder {
  /** Tells the routes that take orders apart. */
  readonly route: string;
  readonly signature: Buffer;
  /** The request's own timestamp, known to be within the window. */
  readonly timestampMs: number;
}

const bucketMs = 10_000;
const chunkBytes = 256 * 1024;
const answersBytesMax = 256 * 1024 * 1024;
// 16 of the signature's 32 bytes tell requests apart well enough: they cannot be chosen.
const keyBytes = 16;
const headBytes = 6;
/** The first is still being worked on. */
const pending = -1;
/** The first was answered, but its answer is not kept. */
const gone = -2;

/** The answers to signed orders that may still be repeated; one for the gateway. */
export class RepeatedOrders {
  readonly #now: () => number;
  readonly #buckets = new Map<number, Bucket>();
  readonly #waiting = new Map<string, Promise<TextAnswer>>();
  #chunks = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The order's answer: made now, or the first one's. Null where the first one's is not kept.
   * What is refused for lack of room was not taken and is made anew.
   */
  async once(order: SignedOrder, make: () => Promise<TextAnswer>): Promise<TextAnswer | null> {
    const bucket = this.#bucketOf(order.timestampMs);
    const key = order.route + order.signature.toString('latin1', 0, keyBytes);
    const position = bucket.positions.get(key);
    if (position === gone) return null;
    if (position === pending) return (await this.#waiting.get(key)) ?? null;
    if (position !== undefined) return bucket.read(position);
    bucket.positions.set(key, pending);
    const answering = make();
    this.#waiting.set(key, answering);
    try {
      const answer = await answering;
      if (wasTaken(answer.status)) bucket.positions.set(key, this.#keep(bucket, answer));
      else bucket.positions.delete(key);
      return answer;
    } catch (error) {
      // Only these two say that the order was not taken; after another error nobody knows.
      const isFree = error instanceof EngineBusyError || error instanceof EngineRestartingError;
      if (isFree) bucket.positions.delete(key);
      else bucket.positions.set(key, gone);
      throw error;
    } finally {
      this.#waiting.delete(key);
    }
  }

  #bucketOf(timestampMs: number): Bucket {
    const number = Math.floor(timestampMs / bucketMs);
    const known = this.#buckets.get(number);
    if (known !== undefined) return known;
    this.#forgetExpired();
    const bucket = new Bucket();
    this.#buckets.set(number, bucket);
    return bucket;
  }

  // A request whose timestamp has left the window is refused before it comes here.
  #forgetExpired(): void {
    const oldest = Math.floor((this.#now() - timestampWindowMs) / bucketMs);
    for (const [number, bucket] of this.#buckets) {
      if (number >= oldest) continue;
      this.#chunks -= bucket.chunkCount;
      this.#buckets.delete(number);
    }
  }

  #keep(bucket: Bucket, answer: TextAnswer): number {
    const before = bucket.chunkCount;
    const mayGrow = (this.#chunks + 1) * chunkBytes <= answersBytesMax;
    const position = bucket.write(answer, mayGrow);
    this.#chunks += bucket.chunkCount - before;
    return position;
  }
}

function wasTaken(status: number): boolean {
  return status !== 429 && status !== 503;
}

/** The orders whose timestamps lie in the same ten seconds. */
class Bucket {
  readonly positions = new Map<string, number>();
  readonly #chunks: Buffer[] = [];
  #used = chunkBytes;

  get chunkCount(): number {
    return this.#chunks.length;
  }

  write({ status, body }: TextAnswer, mayGrow: boolean): number {
    const length = Buffer.byteLength(body);
    const needed = headBytes + length;
    if (needed > chunkBytes) return gone;
    if (this.#used + needed > chunkBytes) {
      if (!mayGrow) return gone;
      this.#chunks.push(Buffer.allocUnsafe(chunkBytes));
      this.#used = 0;
    }
    const index = this.#chunks.length - 1;
    const chunk = this.#chunks[index];
    if (chunk === undefined) return gone;
    const offset = this.#used;
    chunk.writeUInt16LE(status, offset);
    chunk.writeUInt32LE(length, offset + 2);
    chunk.write(body, offset + headBytes);
    this.#used += needed;
    return index * chunkBytes + offset;
  }

  read(position: number): TextAnswer | null {
    const chunk = this.#chunks[Math.floor(position / chunkBytes)];
    if (chunk === undefined) return null;
    const offset = position % chunkBytes;
    const start = offset + headBytes;
    const length = chunk.readUInt32LE(offset + 2);
    return {
      status: chunk.readUInt16LE(offset),
      body: chunk.toString('utf8', start, start + length),
    };
  }
}
