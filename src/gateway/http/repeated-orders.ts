import {
  EngineBusyError,
  EngineRestartingError,
  type OrderMemory,
  type OrderReply,
  RequestExpiredError,
} from '../../application/ports/exchange.ts';
import { digestOf, type RequestDigest } from '../../domain/request-digest.ts';
import { timestampWindowMs } from '../auth/signed-request.ts';
import { SignatureTable } from './signature-table.ts';

// The same signed order sent twice makes one order: while its timestamp is within the window, the
// second gets the first one's answer. Answers are grouped by the timestamp that the request itself
// carries, so a lookup is one map access and a whole bucket is dropped at once. Their texts are in
// buffers, outside the garbage-collected heap: at full speed there are a million of them.

export type TextAnswer = OrderReply;

/** An answer with the length of its text in UTF-8, which is counted once. */
export interface MeasuredAnswer extends TextAnswer {
  readonly bodyBytes: number;
}

const bucketMs = 10_000;
const chunkBytes = 256 * 1024;
const answersBytesMax = 256 * 1024 * 1024;
const headBytes = 6;
/** No such signature. Positions start at 1. */
const none = 0;
/** The first request is still being processed. */
const pending = -1;
/** The first was answered, but its answer is not kept. */
const gone = -2;
/** The first was refused for lack of room: it can be sent again. */
const free = -3;
const unsharedMemory: OrderMemory = {
  isComplete: () => false,
  findReply: async () => null,
  shareReplies: () => undefined,
};

/** The memory for all answers together. */
export class AnswerMemory {
  #chunks = 0;
  // Touching new memory for the first time costs more than writing an answer.
  readonly #spare: Buffer[] = [];

  /** A chunk to write to, or null if there is no more room. */
  take(): Buffer | null {
    const spare = this.#spare.pop();
    if (spare !== undefined) return spare;
    if ((this.#chunks + 1) * chunkBytes > answersBytesMax) return null;
    this.#chunks += 1;
    return Buffer.allocUnsafeSlow(chunkBytes);
  }

  giveBack(chunks: readonly Buffer[]): void {
    this.#spare.push(...chunks);
  }
}

/** The answers to signed orders that can still be repeated; shared by all ways orders arrive. */
export class RepeatedOrders {
  readonly #now: () => number;
  readonly #context: OrderContext;
  readonly #buckets = new Map<number, Bucket>();

  constructor(room: AnswerMemory, now: () => number, memory: OrderMemory = unsharedMemory) {
    this.#now = now;
    this.#context = { room, memory, making: [] };
    memory.shareReplies((signature) => this.#findReply(signature));
  }

  /** Records a signature that is new here: its order is about to be made. */
  begin(order: SignedOrder): OrderInMaking {
    const bucket = this.#bucketOf(order.digest);
    bucket.positions.set(order.digest, pending);
    return new OrderInMaking(order, bucket, this.#context);
  }

  /**
   * The first one's answer if the signature was seen before: null if it is not kept. Undefined: the
   * signature is new.
   */
  find({ digest }: SignedOrder): TextAnswer | null | undefined {
    const bucket = this.#bucketOf(digest);
    const position = bucket.positions.get(digest);
    if (position === none || position === pending || position === free) return undefined;
    return position === gone ? null : bucket.read(position);
  }

  /** True if the signature is unknown, so that its order has to be made. */
  isNew({ digest }: SignedOrder): boolean {
    const position = this.#bucketOf(digest).positions.get(digest);
    return position === none || position === free;
  }

  /** The answer that is still being made for the signature, or undefined. */
  findPending(signature: string): Promise<TextAnswer> | undefined {
    return this.#context.making.find((each) => each.signature === signature)?.answered();
  }

  async #findReply(signature: string): Promise<TextAnswer | null> {
    const making = this.#context.making.find((each) => each.signature === signature);
    if (making !== undefined) return making.isOwn ? making.answered() : null;
    const digest = digestOf(signature, 0);
    for (const bucket of this.#buckets.values()) {
      const position = bucket.positions.get(digest);
      if (position > none) return bucket.read(position);
    }
    return null;
  }

  #bucketOf({ timestampMs }: RequestDigest): Bucket {
    const number = Math.floor(timestampMs / bucketMs);
    const known = this.#buckets.get(number);
    if (known !== undefined) return known;
    this.#forgetExpired();
    const bucket = new Bucket();
    this.#buckets.set(number, bucket);
    return bucket;
  }

  // A request whose timestamp is outside the window is refused before it gets here.
  #forgetExpired(): void {
    const oldest = Math.floor((this.#now() - timestampWindowMs) / bucketMs);
    for (const [number, bucket] of this.#buckets) {
      if (number >= oldest) continue;
      this.#context.room.giveBack(bucket.close());
      this.#buckets.delete(number);
    }
  }
}

/** Identifies a signed order. */
export interface SignedOrder {
  /** In hex. */
  readonly signature: string;
  readonly digest: RequestDigest;
}

/** The order of that signature and of the time that the request itself states, in ms since 1970. */
export function signedOrder(signature: string, timestampMs: number): SignedOrder {
  return { signature, digest: digestOf(signature, timestampMs) };
}

interface OrderContext {
  readonly room: AnswerMemory;
  readonly memory: OrderMemory;
  /** Unordered: it is searched only when a request is repeated, which is rare. */
  readonly making: OrderInMaking[];
}

const nobody: readonly Listener[] = [];

interface Listener {
  readonly resolve: (answer: TextAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** An order from the moment that its signature is known until its answer is. */
export class OrderInMaking {
  readonly signature: string;
  readonly #digest: RequestDigest;
  readonly #bucket: Bucket;
  readonly #context: OrderContext;
  #listeners: Listener[] | null = null;
  #isRecalled = false;
  /** Its index among all that are being made. */
  #place: number;

  constructor({ signature, digest }: SignedOrder, bucket: Bucket, context: OrderContext) {
    this.signature = signature;
    this.#digest = digest;
    this.#bucket = bucket;
    this.#context = context;
    this.#place = context.making.push(this) - 1;
  }

  /**
   * The exchange has accepted the order before: returns the answer that another process gave to it,
   * or null if that is unknown.
   */
  recall(): Promise<TextAnswer | null> {
    this.#isRecalled = true;
    return this.#context.memory.findReply(this.signature);
  }

  /** Ends with an answer that is not the first one's, which is unknown. */
  forget(answer: TextAnswer): void {
    this.#end(gone);
    for (const { resolve } of this.#listeners ?? nobody) resolve(answer);
  }

  /** False if this process itself waits for another one's answer. */
  get isOwn(): boolean {
    return !this.#isRecalled;
  }

  /** The answer for a repeated request that arrives meanwhile. */
  answered(): Promise<TextAnswer> {
    return new Promise((resolve, reject) => {
      this.#listeners ??= [];
      this.#listeners.push({ resolve, reject });
    });
  }

  finish(answer: MeasuredAnswer): void {
    const isFree = isAnswerNotTaken(answer);
    this.#end(isFree ? free : this.#bucket.write(answer, this.#context.room));
    for (const { resolve } of this.#listeners ?? nobody) resolve(answer);
  }

  fail(error: unknown): void {
    // A process with a complete memory knows the outcome of an order whose outcome is unknown here.
    const isFree = isErrorNotTaken(error) || this.#context.memory.isComplete();
    this.#end(isFree ? free : gone);
    for (const { reject } of this.#listeners ?? nobody) reject(error);
  }

  #end(position: number): void {
    const { making } = this.#context;
    this.#bucket.positions.set(this.#digest, position);
    // The last one moves to its index.
    const last = making.pop();
    if (last === undefined || last === this) return;
    making[this.#place] = last;
    last.#place = this.#place;
  }
}

// An order refused for lack of room was not accepted and can be sent again.
function isAnswerNotTaken({ status }: TextAnswer): boolean {
  return status === 429 || status === 503;
}

// Only these mean that the order was not accepted; after any other error that is unknown.
function isErrorNotTaken(error: unknown): boolean {
  return (
    error instanceof EngineBusyError ||
    error instanceof EngineRestartingError ||
    error instanceof RequestExpiredError
  );
}

/** The orders whose timestamps are in the same ten seconds. */
class Bucket {
  readonly positions = new SignatureTable();
  #chunks: Buffer[] = [];
  #used = chunkBytes;
  #isClosed = false;

  /** Releases its chunks for other buckets; an answer that arrives later is not kept. */
  close(): readonly Buffer[] {
    const chunks = this.#chunks;
    this.#isClosed = true;
    this.#chunks = [];
    return chunks;
  }

  write({ status, body, bodyBytes: length }: MeasuredAnswer, room: AnswerMemory): number {
    const needed = headBytes + length;
    if (needed > chunkBytes || this.#isClosed) return gone;
    if (this.#used + needed > chunkBytes) {
      const chunk = room.take();
      if (chunk === null) return gone;
      this.#chunks.push(chunk);
      this.#used = 0;
    }
    const index = this.#chunks.length - 1;
    const chunk = this.#chunks[index];
    if (chunk === undefined) return gone;
    const offset = this.#used;
    chunk.writeUInt16LE(status, offset);
    chunk.writeUInt32LE(length, offset + 2);
    // Plain ASCII, as in orders, needs no encoding.
    chunk.write(body, offset + headBytes, length === body.length ? 'latin1' : 'utf8');
    this.#used += needed;
    return index * chunkBytes + offset + 1;
  }

  read(position: number): TextAnswer | null {
    const chunk = this.#chunks[Math.floor((position - 1) / chunkBytes)];
    if (chunk === undefined) return null;
    const offset = (position - 1) % chunkBytes;
    const start = offset + headBytes;
    const length = chunk.readUInt32LE(offset + 2);
    return {
      status: chunk.readUInt16LE(offset),
      body: chunk.toString('utf8', start, start + length),
    };
  }
}
