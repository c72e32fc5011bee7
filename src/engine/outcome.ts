import type { Lots, Ticks } from '../domain/spot-market.ts';
import { sides } from '../domain/spot-order.ts';
import type { BookSide } from './book/order-book.ts';
import type { BookLevelChanged, EngineEvent } from './events.ts';
import type { SpotMarketState } from './spot/spot-market-state.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface LevelChange {
  readonly market: SpotMarketState;
  readonly event: Mutable<BookLevelChanged>;
}

/** What the running command has done so far. Levels wait for its end, when they are final. */
export class Outcome {
  events: EngineEvent[] = [];
  private levels: LevelChange[] = [];

  begin(): void {
    this.events = [];
  }

  changeLevel(market: SpotMarketState, side: BookSide, price: number, quantity: number): void {
    const event: Mutable<BookLevelChanged> = {
      type: 'bookLevelChanged',
      marketId: market.terms.marketId,
      side: sides[side],
      price: price as Ticks,
      quantity: quantity as Lots,
      updateId: 0,
    };
    this.levels.push({ market, event });
  }

  /** Keeps the last change of each level, in the order of first change: for bulk commands. */
  mergeLevels(): void {
    const firsts = new Map<string, LevelChange>();
    for (const change of this.levels) {
      const { marketId, side, price, quantity } = change.event;
      const key = `${marketId}:${side}:${price}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, change);
      else first.event.quantity = quantity;
    }
    this.levels = [...firsts.values()];
  }

  /** Numbers the level changes and puts them behind the other events. */
  reportLevels(): void {
    for (const { market, event } of this.levels) {
      market.lastUpdateId += 1;
      event.updateId = market.lastUpdateId;
      this.events.push(event);
    }
    this.levels.length = 0;
  }
}
