import type { PublicSpotTradeView } from '../../../application/market-data/market-views.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import { decimalFromLots, decimalFromTicks } from '../../../domain/spot-market.ts';
import { encodeTextFrame } from '../frame.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type FramedMessages, Topic } from '../topic.ts';
import type { TimedTrade } from './baseline.ts';
import type { StreamMarket } from './stream-market.ts';

// Every trade of a market. The snapshot holds the newest ones, oldest first, like the updates.

export const snapshotTradesMax = 50;
const tradesPerMessageMax = 100;

export class TradesTopic extends Topic {
  readonly #market: StreamMarket;
  readonly #clock: StreamClock;
  readonly #pending: TimedTrade[] = [];
  #recent: readonly TimedTrade[] = [];
  /** Trades from history, as JSON, oldest first. */
  #past: readonly string[] = [];
  #firstTradeId = Number.POSITIVE_INFINITY;
  #seq = 0;
  #snapshot: Buffer | null = null;

  constructor(market: StreamMarket, clock: StreamClock) {
    super({ channel: 'trades', symbol: market.symbol, market: market.line }, 0);
    this.#market = market;
    this.#clock = clock;
  }

  add(timed: TimedTrade): void {
    this.#firstTradeId = Math.min(this.#firstTradeId, timed.trade.tradeId);
    this.#pending.push(timed);
    // Without subscribers, only what a snapshot would show is kept.
    if (!this.hasAudience && this.#pending.length >= 2 * snapshotTradesMax) this.#publish();
  }

  /** Puts trades of history, newest first, before those that were seen live. */
  addPast(trades: readonly PublicSpotTradeView[]): void {
    this.#past = trades
      .filter((trade) => Number(trade.trade_id) < this.#firstTradeId)
      .map((trade) => JSON.stringify({ ...trade, created_at: Date.parse(trade.created_at) }))
      .reverse();
    this.#snapshot = null;
  }

  override snapshot(): Buffer {
    this.#snapshot ??= this.#frame('snapshot', this.#lastTrades());
    return this.#snapshot;
  }

  #lastTrades(): readonly string[] {
    const live = this.#recent.map((each) => this.#describe(each));
    return [...this.#past, ...live].slice(-snapshotTradesMax);
  }

  override takeUpdates(): FramedMessages | null {
    const trades = this.#publish();
    if (trades.length === 0) return null;
    const frames: Buffer[] = [];
    for (let start = 0; start < trades.length; start += tradesPerMessageMax) {
      this.#seq += 1;
      const part = trades.slice(start, start + tradesPerMessageMax);
      frames.push(
        this.#frame(
          'update',
          part.map((each) => this.#describe(each)),
        ),
      );
    }
    const [first] = frames;
    const bytes = frames.length === 1 && first !== undefined ? first : Buffer.concat(frames);
    return { bytes, count: frames.length };
  }

  #publish(): readonly TimedTrade[] {
    const trades = this.#pending.splice(0);
    if (trades.length > 0) this.#snapshot = null;
    this.#recent = [...this.#recent, ...trades.slice(-snapshotTradesMax)].slice(-snapshotTradesMax);
    return trades;
  }

  #frame(type: 'snapshot' | 'update', trades: readonly string[]): Buffer {
    const symbol = JSON.stringify(this.#market.symbol);
    return encodeTextFrame(
      `{"type":"${type}","channel":"trades","symbol":${symbol},"market":"${this.#market.line}",` +
        `"seq":${this.#seq},"ts":${this.#clock.now()},"data":[${trades.join(',')}]}`,
    );
  }

  #describe({ trade, time }: TimedTrade): string {
    return JSON.stringify({
      trade_id: String(trade.tradeId),
      price: formatDecimal(decimalFromTicks(this.#market, trade.price)),
      quantity: formatDecimal(decimalFromLots(this.#market, trade.quantity)),
      quote_quantity: formatAmount(trade.quoteAmount),
      side: trade.takerSide,
      created_at: time,
    });
  }
}
