import type { MarketFeed } from '../feed/market.ts';
import { formatDecimal, formatTime } from '../number/format.ts';
import * as texts from '../text/en/frame.ts';

export interface TapeProps {
  readonly feed: MarketFeed;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
}

/** The newest trades, newest first; the taker's side as an arrow and a color. */
export function Tape({ feed, priceDecimals, quantityDecimals }: TapeProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={texts.newestTrades}>
      <ul class="tape">
        {feed.tape.value.map((trade) => (
          <li key={trade.trade_id}>
            <span class={trade.side === 'buy' ? 'up' : 'down'}>
              {trade.side === 'buy' ? '▲' : '▼'}
              {formatDecimal(trade.price, priceDecimals)}
            </span>
            <span>{formatDecimal(trade.quantity, Math.min(quantityDecimals, 5))}</span>
            <span class="dim">{formatTime(trade.created_at)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
