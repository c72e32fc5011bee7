import type { MarketId } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import { sides } from '../domain/spot-order.ts';
import type { BookSide } from './book/order-book.ts';
import type { BookLevelChanged, EngineEvent } from './events.ts';
import type { SpotMarketState } from './spot/spot-market-state.ts';
import { compact } from './storage/compact.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type LevelEvent = Mutable<BookLevelChanged>;

/** What the running command has done so far. Levels wait for its end, when they are final. */
export class Outcome {
  /** Filled up to the count; the rest is left over from commands before. */
  private readonly events: EngineEvent[] = [];
  private eventCount = 0;
  private readonly levels: LevelEvent[] = [];
  private levelCount = 0;

  push(event: EngineEvent): void {
    this.events[this.eventCount] = event;
    this.eventCount += 1;
  }

  /** Hands out the events in an array of just their number, and starts afresh. */
  take(): EngineEvent[] {
    const { events, eventCount } = this;
    this.eventCount = 0;
    // A resting order and a cancel have three events; a literal costs less than a copy.
    if (eventCount === 3) return [events[0], events[1], events[2]] as EngineEvent[];
    return events.slice(0, eventCount);
  }

  changeLevel(marketId: MarketId, side: BookSide, price: number, quantity: number): void {
    this.levels[this.levelCount] = {
      type: 'bookLevelChanged',
      marketId,
      side: sides[side],
      price: compact(price) as Ticks,
      quantity: compact(quantity) as Lots,
      updateId: 0,
    };
    this.levelCount += 1;
  }

  /** Keeps the last change of each level, in the order of first change: for bulk commands. */
  mergeLevels(): void {
    const firsts = new Map<string, LevelEvent>();
    for (const event of this.levels.slice(0, this.levelCount)) {
      const key = `${event.marketId}:${event.side}:${event.price}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, event);
      else first.quantity = event.quantity;
    }
    this.levelCount = 0;
    for (const event of firsts.values()) {
      this.levels[this.levelCount] = event;
      this.levelCount += 1;
    }
  }

  /** Numbers the level changes by their markets' counters and puts them behind the others. */
  reportLevels(markets: readonly SpotMarketState[]): void {
    for (let at = 0; at < this.levelCount; at += 1) {
      const event = this.levels[at] as LevelEvent;
      const market = markets[event.marketId] as SpotMarketState;
      market.lastUpdateId += 1;
      event.updateId = market.lastUpdateId;
      this.push(event);
    }
    this.levelCount = 0;
  }
}
