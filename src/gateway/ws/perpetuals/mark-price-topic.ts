import { formatRate } from '../../../application/futures/futures-views.ts';
import type { Amount } from '../../../domain/amount.ts';
import { formatAmount } from '../../../domain/amount.ts';
import type { Rate } from '../../../domain/futures-market.ts';
import { encodeTextFrame } from '../frame.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type FramedMessages, Topic } from '../topic.ts';

// Mark and index price of a perpetual with its funding rate: sent when one of them changes, at most
// four times a second. Data is null before the first price.

const markPriceIntervalMs = 250;

export interface MarkPrice {
  readonly markPrice: Amount;
  readonly indexPrice: Amount;
  readonly isIndexStale: boolean;
  readonly fundingRate: Rate;
  readonly nextFundingTime: number;
}

export class MarkPriceTopic extends Topic {
  readonly #symbol: string;
  readonly #clock: StreamClock;
  #current: MarkPrice | null;
  #hasChanged = false;
  #seq = 0;

  constructor(symbol: string, clock: StreamClock, current: MarkPrice | null) {
    super({ channel: 'mark_price', symbol, market: 'futures' }, markPriceIntervalMs);
    this.#symbol = symbol;
    this.#clock = clock;
    this.#current = current;
  }

  set(current: MarkPrice): void {
    this.#current = current;
    this.#hasChanged = true;
  }

  override snapshot(): Buffer {
    return this.#frame('snapshot');
  }

  override takeUpdates(): FramedMessages | null {
    if (!this.#hasChanged) return null;
    this.#hasChanged = false;
    this.#seq += 1;
    return { bytes: this.#frame('update'), count: 1 };
  }

  #frame(type: 'snapshot' | 'update'): Buffer {
    const message = { type, ...this.target, seq: this.#seq, ts: this.#clock.now() };
    return encodeTextFrame(JSON.stringify({ ...message, data: this.#view() }));
  }

  #view(): object | null {
    if (this.#current === null) return null;
    const { markPrice, indexPrice, isIndexStale, fundingRate, nextFundingTime } = this.#current;
    return {
      symbol: this.#symbol,
      mark_price: formatAmount(markPrice),
      index_price: formatAmount(indexPrice),
      is_index_stale: isIndexStale,
      funding_rate: formatRate(fundingRate),
      next_funding_time: nextFundingTime,
    };
  }
}
