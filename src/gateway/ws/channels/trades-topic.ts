import { formatAmount } from '../../../domain/amount.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import { decimalFromLots, decimalFromTicks, type SpotMarket } from '../../../domain/spot-market.ts';
import type { SpotTrade } from '../../../domain/spot-order.ts';
import { encodeTextFrame } from '../frame.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type FramedMessages, Topic } from '../topic.ts';

// Every trade of a market. The snapshot holds the newest ones, oldest first, as updates do.

const snapshotTradesMax = 50;
const tradesPerMessageMax = 100;

interface TimedTrade {
  readonly trade: SpotTrade;
  readonly timestamp: TimestampMs;
}

export class TradesTopic extends Topic {
  readonly #market: SpotMarket;
  readonly #clock: StreamClock;
  readonly #pending: TimedTrade[] = [];
  #recent: readonly TimedTrade[] = [];
  #seq = 0;

  constructor(market: SpotMarket, clock: StreamClock) {
    super({ channel: 'trades', symbol: market.symbol, market: 'spot' }, 0);
    this.#market = market;
    this.#clock = clock;
  }

  add(trade: SpotTrade, timestamp: TimestampMs): void {
    this.#pending.push({ trade, timestamp });
    // Nobody listens: only what a snapshot would show is kept.
    if (!this.hasAudience && this.#pending.length >= 2 * snapshotTradesMax) this.#publish();
  }

  override snapshot(): Buffer {
    return this.#frame('snapshot', this.#recent);
  }

  override takeUpdates(): FramedMessages | null {
    const trades = this.#publish();
    if (trades.length === 0) return null;
    const frames: Buffer[] = [];
    for (let start = 0; start < trades.length; start += tradesPerMessageMax) {
      this.#seq += 1;
      frames.push(this.#frame('update', trades.slice(start, start + tradesPerMessageMax)));
    }
    const [first] = frames;
    const bytes = frames.length === 1 && first !== undefined ? first : Buffer.concat(frames);
    return { bytes, count: frames.length };
  }

  #publish(): readonly TimedTrade[] {
    const trades = this.#pending.splice(0);
    this.#recent = [...this.#recent, ...trades.slice(-snapshotTradesMax)].slice(-snapshotTradesMax);
    return trades;
  }

  #frame(type: 'snapshot' | 'update', trades: readonly TimedTrade[]): Buffer {
    const data = trades.map((each) => this.#describe(each)).join(',');
    const symbol = JSON.stringify(this.#market.symbol);
    return encodeTextFrame(
      `{"type":"${type}","channel":"trades","symbol":${symbol},"market":"spot",` +
        `"seq":${this.#seq},"ts":${this.#clock.now()},"data":[${data}]}`,
    );
  }

  #describe({ trade, timestamp }: TimedTrade): string {
    return JSON.stringify({
      trade_id: String(trade.tradeNumber),
      price: formatDecimal(decimalFromTicks(this.#market, trade.price)),
      quantity: formatDecimal(decimalFromLots(this.#market, trade.quantity)),
      quote_quantity: formatAmount(trade.quoteAmount),
      side: trade.takerSide,
      created_at: timestamp,
    });
  }
}
