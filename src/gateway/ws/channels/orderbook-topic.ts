import type { BookMirror } from '../../../application/market-data/book-mirror.ts';
import type { BookLevel } from '../../../application/ports/exchange.ts';
import { type Decimal, formatDecimal } from '../../../domain/decimal.ts';
import { decimalFromLots, decimalFromTicks } from '../../../domain/spot-market.ts';
import type { Side } from '../../../domain/spot-order.ts';
import { encodeTextFrame } from '../frame.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type FramedMessages, Topic } from '../topic.ts';
import type { StreamMarket } from './stream-market.ts';

// The best 30 levels per side. A level that leaves the window is sent with quantity "0" like an
// empty level, and a level that enters it is sent like a new one: a client that applies every
// update always holds exactly the best 30. `seq` rises by one per message and starts at the book's
// own counter, so that it never decreases when the service restarts.

export const depthLevelsMax = 30;

// A grouped book reads many levels for each of its own, so it is sent less often.
const groupIntervalMs = 250;
const groupFactors = [10, 100, 1_000, 10_000] as const;

/** The step of a grouped book. */
export interface BookGroup {
  /** In ticks. */
  readonly step: number;
  /** As decimal text. */
  readonly text: string;
}

/** The steps by which a market's book can be grouped. */
export function bookGroupsOf({ tickSize }: Pick<StreamMarket, 'tickSize'>): readonly BookGroup[] {
  return groupFactors.map((step) => ({
    step,
    text: formatDecimal((tickSize * BigInt(step)) as Decimal),
  }));
}

interface PublishedLevel extends BookLevel {
  /** The price as JSON. */
  readonly priceText: string;
  /** Price and quantity as a JSON pair. */
  readonly pairText: string;
}

export class OrderbookTopic extends Topic {
  readonly #market: StreamMarket;
  readonly #mirror: BookMirror;
  readonly #clock: StreamClock;
  readonly #group: BookGroup | null;
  #bids: readonly PublishedLevel[] = [];
  #asks: readonly PublishedLevel[] = [];
  #seq: number;
  #seenUpdateId: number;
  #snapshot: Buffer | null = null;

  /** @param group Null: every price is a level. */
  constructor(
    market: StreamMarket,
    mirror: BookMirror,
    clock: StreamClock,
    group: BookGroup | null = null,
  ) {
    const target = { channel: 'orderbook', symbol: market.symbol, market: market.line };
    if (group === null) super(target, 0);
    else super({ ...target, group: group.text }, groupIntervalMs);
    this.#group = group;
    this.#market = market;
    this.#mirror = mirror;
    this.#clock = clock;
    this.#bids = this.#publish('buy', []).levels;
    this.#asks = this.#publish('sell', []).levels;
    this.#seenUpdateId = mirror.lastUpdateId;
    this.#seq = mirror.lastUpdateId;
  }

  override snapshot(): Buffer {
    this.#snapshot ??= this.#frame('snapshot', '', this.#bids.map(pairOf), this.#asks.map(pairOf));
    return this.#snapshot;
  }

  override takeUpdates(): FramedMessages | null {
    if (this.#mirror.lastUpdateId === this.#seenUpdateId) return null;
    this.#seenUpdateId = this.#mirror.lastUpdateId;
    const bids = this.#publish('buy', this.#bids);
    const asks = this.#publish('sell', this.#asks);
    if (bids.changes.length === 0 && asks.changes.length === 0) return null;
    this.#bids = bids.levels;
    this.#asks = asks.levels;
    const previous = `"prev_seq":${this.#seq},`;
    this.#seq += 1;
    this.#snapshot = null;
    return { bytes: this.#frame('update', previous, bids.changes, asks.changes), count: 1 };
  }

  #frame(
    type: 'snapshot' | 'update',
    previous: string,
    bids: readonly string[],
    asks: readonly string[],
  ): Buffer {
    const symbol = JSON.stringify(this.#market.symbol);
    const group = this.#group === null ? '' : `"group":"${this.#group.text}",`;
    return encodeTextFrame(
      `{"type":"${type}","channel":"orderbook","symbol":${symbol},` +
        `"market":"${this.#market.line}",${group}"seq":${this.#seq},${previous}` +
        `"last_update_id":${this.#seenUpdateId},"ts":${this.#clock.now()},` +
        `"data":{"bids":[${bids.join(',')}],"asks":[${asks.join(',')}]}}`,
    );
  }

  #publish(side: Side, published: readonly PublishedLevel[]): PublishedSide {
    const levels: PublishedLevel[] = [];
    const changes: string[] = [];
    const isBetter = side === 'buy' ? isHigher : isLower;
    let next = 0;
    for (const level of this.#readLevels(side)) {
      let known = published[next];
      while (known !== undefined && isBetter(known, level)) {
        changes.push(`[${known.priceText},"0"]`);
        next += 1;
        known = published[next];
      }
      const isKnown = known !== undefined && known.price === level.price;
      if (isKnown) next += 1;
      if (isKnown && known !== undefined && known.quantity === level.quantity) {
        levels.push(known);
        continue;
      }
      const fresh = this.#describe(level);
      levels.push(fresh);
      changes.push(fresh.pairText);
    }
    for (const gone of published.slice(next)) changes.push(`[${gone.priceText},"0"]`);
    return { levels, changes };
  }

  #readLevels(side: Side): readonly BookLevel[] {
    return this.#group === null
      ? this.#mirror.getTop(side, depthLevelsMax)
      : this.#mirror.getGroups(side, this.#group.step, depthLevelsMax);
  }

  #describe({ price, quantity }: BookLevel): PublishedLevel {
    const priceText = `"${formatDecimal(decimalFromTicks(this.#market, price))}"`;
    const quantityText = formatDecimal(decimalFromLots(this.#market, quantity));
    return { price, quantity, priceText, pairText: `[${priceText},"${quantityText}"]` };
  }
}

interface PublishedSide {
  readonly levels: readonly PublishedLevel[];
  readonly changes: readonly string[];
}

function pairOf(level: PublishedLevel): string {
  return level.pairText;
}

function isHigher(a: BookLevel, b: BookLevel): boolean {
  return a.price > b.price;
}

function isLower(a: BookLevel, b: BookLevel): boolean {
  return a.price < b.price;
}
