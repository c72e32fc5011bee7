import type { BookMirror } from '../../../application/market-data/book-mirror.ts';
import { assert } from '../../../domain/assert.ts';
import { encodeTextFrame } from '../frame.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type FramedMessages, Topic } from '../topic.ts';

// Binance's market streams have no snapshot. Each is sent bare or, on combined connections, in a
// wrapper that names it. A client too slow for a stream is closed, as it could not be notified of
// what it missed.

const nothing = Buffer.alloc(0);

/** The form of a stream's messages on a connection. */
export interface EventForm {
  readonly streamName: string;
  readonly isCombined: boolean;
}

export abstract class EventTopic extends Topic {
  readonly #form: EventForm;

  constructor(form: EventForm, intervalMs: number) {
    super({ channel: form.streamName }, intervalMs);
    this.#form = form;
  }

  override snapshot(): Buffer {
    return nothing;
  }

  override resync(): null {
    return null;
  }

  /** The payload, JSON text, as a frame of this form. */
  protected frame(payload: string): Buffer {
    return encodeTextFrame(wrapEvent(this.#form, payload));
  }
}

/** The payload in the connection's form. */
export function wrapEvent({ streamName, isCombined }: EventForm, payload: string): string {
  return isCombined ? `{"stream":${JSON.stringify(streamName)},"data":${payload}}` : payload;
}

/** Sends every event, in order. */
export class QueueTopic extends EventTopic {
  #waiting: Buffer[] = [];

  push(payload: string): void {
    if (this.hasAudience) this.#waiting.push(this.frame(payload));
  }

  override takeUpdates(): FramedMessages | null {
    const frames = this.#waiting;
    if (frames.length === 0) return null;
    this.#waiting = [];
    return { bytes: Buffer.concat(frames), count: frames.length };
  }
}

/** The fields of an event after its name and time. */
export type EventFields = Readonly<Record<string, unknown>>;

export interface StateTopicParts {
  readonly form: EventForm;
  readonly intervalMs: number;
  readonly clock: StreamClock;
  /** The event's name, its field `e`; null: the fields are sent alone. */
  readonly event: string | null;
  /** The current state, or null if there is none yet. */
  readonly read: () => EventFields | null;
  /** Resolves once the state can be read; null or absent if it always can. */
  readonly prepare?: () => Promise<void> | null;
  /** Sends the state at each interval, even if it is unchanged. */
  readonly isRepeated?: boolean;
}

/** Sends only the newest state, and only if it changed or is repeated. */
export class StateTopic extends EventTopic {
  readonly #parts: StateTopicParts;
  #published: string | null = null;

  constructor(parts: StateTopicParts) {
    super(parts.form, parts.intervalMs);
    this.#parts = parts;
  }

  override prepare(): Promise<void> | null {
    return this.#parts.prepare?.() ?? null;
  }

  override takeUpdates(): FramedMessages | null {
    const { read, event, clock, isRepeated = false } = this.#parts;
    const fields = this.hasAudience ? read() : null;
    if (fields === null) return null;
    if (!isRepeated) {
      const content = JSON.stringify(fields);
      if (content === this.#published) return null;
      this.#published = content;
    }
    return { bytes: this.frame(eventText(event, clock.now(), fields)), count: 1 };
  }
}

/** The events of many markets in one array: those since the last round. */
export class ListTopic extends EventTopic {
  readonly #prepareAll: () => Promise<void> | null;
  readonly #waiting = new Map<string, string>();

  /** `prepareAll` resolves once the state of every market can be read; null if it already can. */
  constructor(form: EventForm, intervalMs: number, prepareAll: () => Promise<void> | null) {
    super(form, intervalMs);
    this.#prepareAll = prepareAll;
  }

  override prepare(): Promise<void> | null {
    return this.#prepareAll();
  }

  /** A later event of the same key replaces the earlier one. */
  put(key: string, payload: string): void {
    if (this.hasAudience) this.#waiting.set(key, payload);
  }

  override takeUpdates(): FramedMessages | null {
    const payloads = [...this.#waiting.values()];
    this.#waiting.clear();
    if (payloads.length === 0) return null;
    return { bytes: this.frame(`[${payloads.join(',')}]`), count: 1 };
  }
}

/** An event as JSON text: its name, when it is sent, and its fields. */
export function namedEvent(event: string, now: number, fields: EventFields): string {
  return JSON.stringify({ e: event, E: now, ...fields });
}

/** The same, but without name and time if the event has no name. */
export function eventText(event: string | null, now: number, fields: EventFields): string {
  return event === null ? JSON.stringify(fields) : namedEvent(event, now, fields);
}

/** The changes of a book between two update ids. */
export interface DepthChanges {
  readonly firstUpdateId: number;
  readonly lastUpdateId: number;
  readonly previousUpdateId: number;
  /** Current quantities in lots by price in ticks. */
  readonly bids: ReadonlyMap<number, number>;
  readonly asks: ReadonlyMap<number, number>;
}

/** Book changes without gaps: each event begins right after the previous one. */
export class DepthTopic extends EventTopic {
  readonly #mirror: BookMirror;
  readonly #describe: (changes: DepthChanges) => string;
  #bids = new Map<number, number>();
  #asks = new Map<number, number>();
  #sentUpdateId: number;

  constructor(
    form: EventForm,
    intervalMs: number,
    mirror: BookMirror,
    describe: (changes: DepthChanges) => string,
  ) {
    super(form, intervalMs);
    this.#mirror = mirror;
    this.#describe = describe;
    this.#sentUpdateId = mirror.lastUpdateId;
  }

  /** To be called after the mirror has applied the change. */
  change(side: 'buy' | 'sell', price: number, quantity: number): void {
    if (this.hasAudience) (side === 'buy' ? this.#bids : this.#asks).set(price, quantity);
  }

  override takeUpdates(): FramedMessages | null {
    const previousUpdateId = this.#sentUpdateId;
    const { lastUpdateId } = this.#mirror;
    const [bids, asks] = [this.#bids, this.#asks];
    this.#sentUpdateId = lastUpdateId;
    this.#bids = new Map();
    this.#asks = new Map();
    if (!this.hasAudience || lastUpdateId === previousUpdateId) return null;
    assert(bids.size + asks.size > 0, 'an update id rises with a level only');
    const firstUpdateId = previousUpdateId + 1;
    const payload = this.#describe({ firstUpdateId, lastUpdateId, previousUpdateId, bids, asks });
    return { bytes: this.frame(payload), count: 1 };
  }
}
