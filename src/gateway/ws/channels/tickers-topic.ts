import { encodeTextFrame } from '../frame.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type FramedMessages, Topic } from '../topic.ts';
import { type TickerTopic, tickerContent } from './ticker-topic.ts';

// The tickers of all markets of a business line: first those that have traded, then those that
// changed, at most once a second.

const tickersIntervalMs = 1_000;

export class TickersTopic extends Topic {
  readonly #clock: StreamClock;
  /** Each market's ticker with its last sent content. */
  readonly #sent = new Map<TickerTopic, string>();
  #seq = 0;
  #snapshot: Buffer | null = null;
  #snapshotAt = 0;

  constructor(line: 'spot' | 'futures', clock: StreamClock) {
    super({ channel: 'tickers', market: line }, tickersIntervalMs);
    this.#clock = clock;
  }

  add(ticker: TickerTopic): void {
    this.#sent.set(ticker, tickerContent(null));
  }

  /** Removes all markets. */
  reset(): void {
    this.#sent.clear();
    this.#snapshot = null;
  }

  override get snapshotItems(): number {
    return this.#sent.size;
  }

  override get isSnapshotKept(): boolean {
    return true;
  }

  override prepare(): Promise<void> | null {
    const loading = [...this.#sent.keys()].flatMap((ticker) => ticker.prepare() ?? []);
    return loading.length === 0 ? null : Promise.all(loading).then(() => undefined);
  }

  /** One that comes and goes must not have all markets read each time. */
  override discardUpdates(): void {
    if (!this.#hasSnapshot()) super.discardUpdates();
    else this.dueAt = Math.max(this.dueAt, this.#snapshotAt + tickersIntervalMs);
  }

  /** The same until the next update, for as long as updates are apart. */
  override snapshot(): Buffer {
    if (this.#snapshot === null || !this.#hasSnapshot()) {
      this.#snapshot = this.#makeSnapshot();
      this.#snapshotAt = this.#clock.elapsed();
    }
    return this.#snapshot;
  }

  #hasSnapshot(): boolean {
    const age = this.#clock.elapsed() - this.#snapshotAt;
    return this.#snapshot !== null && age < tickersIntervalMs;
  }

  #makeSnapshot(): Buffer {
    const all = [...this.#sent.keys()].map((ticker) => ticker.read());
    return this.#frame(
      'snapshot',
      all.filter((data) => data !== null),
    );
  }

  override takeUpdates(): FramedMessages | null {
    const changed: object[] = [];
    for (const [ticker, told] of this.#sent) {
      const data = ticker.read();
      const content = tickerContent(data);
      if (data === null || content === told) continue;
      this.#sent.set(ticker, content);
      changed.push(data);
    }
    if (changed.length === 0) return null;
    this.#seq += 1;
    this.#snapshot = null;
    return { bytes: this.#frame('update', changed), count: 1 };
  }

  #frame(type: 'snapshot' | 'update', data: readonly object[]): Buffer {
    const message = { type, ...this.target, seq: this.#seq, ts: this.#clock.now(), data };
    return encodeTextFrame(JSON.stringify(message));
  }
}
