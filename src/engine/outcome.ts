import type { MarketId } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import { sides } from '../domain/spot-order.ts';
import type { BookSide } from './book/order-book.ts';
import type { EngineEvent } from './events.ts';
import { compact } from './storage/compact.ts';
import { grownFloats } from './storage/int64.ts';

const changeFloats = 4;
const capacityMin = 64;

// The numbers of a level change.
const marketAt = 0;
const sideAt = 1;
const priceAt = 2;
const quantityAt = 3;

/** What level changes need of a market. */
interface NumberedBook {
  /** The number of the book's last level change. */
  lastUpdateId: number;
}

/**
 * What the running command has done so far. Level changes wait for its end, when they are final.
 */
export class Outcome {
  /**
   * If false, nobody reads the events: callers may skip making them, and pushed ones are dropped.
   */
  isObserved = true;
  /** Filled up to the count; the rest is left over from earlier commands. */
  private readonly events: EngineEvent[] = [];
  private eventCount = 0;
  private levels = new Float64Array(capacityMin * changeFloats);
  private levelCount = 0;

  /** Appends an event, unless nobody reads them. */
  push(event: EngineEvent): void {
    if (!this.isObserved) return;
    this.events[this.eventCount] = event;
    this.eventCount += 1;
  }

  /** Returns the events in an array of exactly their number, and starts over. */
  take(): EngineEvent[] {
    const { events, eventCount } = this;
    this.eventCount = 0;
    // A resting order and a cancel have two or three events; a literal costs less than a copy.
    if (eventCount === 2) return [events[0], events[1]] as EngineEvent[];
    if (eventCount === 3) return [events[0], events[1], events[2]] as EngineEvent[];
    return events.slice(0, eventCount);
  }

  /** Appends the lots that now rest at a price in ticks; 0 if the level is gone. */
  changeLevel(marketId: MarketId, side: BookSide, price: number, quantity: number): void {
    const at = this.levelCount * changeFloats;
    if (at === this.levels.length) this.levels = grownFloats(this.levels, at + changeFloats);
    const { levels } = this;
    levels[at + marketAt] = marketId;
    levels[at + sideAt] = side;
    levels[at + priceAt] = price;
    levels[at + quantityAt] = quantity;
    this.levelCount += 1;
  }

  /** Keeps only the last change of each level, in the order of first change; for bulk commands. */
  mergeLevels(): void {
    const { levels } = this;
    const firsts = new Map<string, number>();
    let kept = 0;
    for (let from = 0; from < this.levelCount * changeFloats; from += changeFloats) {
      const key = levels.subarray(from, from + quantityAt).join(':');
      const first = firsts.get(key);
      if (first === undefined) {
        firsts.set(key, kept);
        levels.copyWithin(kept, from, from + changeFloats);
        kept += changeFloats;
      } else {
        levels[first + quantityAt] = levels[from + quantityAt] as number;
      }
    }
    this.levelCount = kept / changeFloats;
  }

  /** Numbers the level changes by their markets' counters and appends them to the events. */
  reportLevels(markets: readonly NumberedBook[]): void {
    const { levels, levelCount } = this;
    for (let at = 0; at < levelCount * changeFloats; at += changeFloats) {
      const marketId = levels[at + marketAt] as MarketId;
      const market = markets[marketId] as NumberedBook;
      market.lastUpdateId += 1;
      if (!this.isObserved) continue;
      this.push({
        type: 'bookLevelChanged',
        marketId: compact(marketId) as MarketId,
        side: sides[levels[at + sideAt] as BookSide],
        price: compact(levels[at + priceAt] as number) as Ticks,
        quantity: compact(levels[at + quantityAt] as number) as Lots,
        updateId: market.lastUpdateId,
      });
    }
    this.levelCount = 0;
  }
}
