import { encodeTextFrame } from '../frame.ts';
import type { Hub } from '../hub.ts';
import type { StreamMarketStatus } from '../protocol/stream-schemas.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type FramedMessages, Topic } from '../topic.ts';

// Which markets exist and whether they trade: first all of them, then each that is created, halted,
// listed or delisted.

export class MarketsTopic extends Topic {
  readonly #clock: StreamClock;
  readonly #hub: Hub;
  readonly #markets = new Map<string, StreamMarketStatus>();
  readonly #changed = new Set<string>();
  #seq = 0;
  #snapshot: Buffer | null = null;

  constructor(hub: Hub, clock: StreamClock) {
    super({ channel: 'markets' }, 0);
    this.#hub = hub;
    this.#clock = clock;
  }

  set(market: StreamMarketStatus): void {
    const key = `${market.market} ${market.symbol}`;
    if (this.#markets.get(key)?.status === market.status) return;
    this.#markets.set(key, market);
    this.#changed.add(key);
    this.#snapshot = null;
    this.#hub.markDirty(this);
  }

  override get snapshotItems(): number {
    return this.#markets.size;
  }

  override snapshot(): Buffer {
    this.#snapshot ??= this.#frame('snapshot', [...this.#markets.values()]);
    return this.#snapshot;
  }

  override takeUpdates(): FramedMessages | null {
    if (this.#changed.size === 0) return null;
    const data = [...this.#changed].flatMap((key) => this.#markets.get(key) ?? []);
    this.#changed.clear();
    this.#snapshot = null;
    this.#seq += 1;
    return { bytes: this.#frame('update', data), count: 1 };
  }

  #frame(type: 'snapshot' | 'update', data: readonly StreamMarketStatus[]): Buffer {
    const message = { type, ...this.target, seq: this.#seq, ts: this.#clock.now(), data };
    return encodeTextFrame(JSON.stringify(message));
  }
}
