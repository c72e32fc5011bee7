import type { MarketFeed, Trade } from '../feed/market.ts';
import { formatDecimal, formatTime } from '../number/format.ts';
import * as texts from '../text/en/desk.ts';
import type { WrittenColumn } from './csv-file.ts';
import { Panel } from './panel.tsx';
import { CsvButton } from './table.tsx';

export interface TapePanelProps {
  readonly symbol: string;
  readonly feed: MarketFeed;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
}

const columns: readonly WrittenColumn<Trade>[] = [
  { title: texts.time, text: (trade) => new Date(trade.created_at).toISOString() },
  { title: texts.side, text: (trade) => trade.side },
  { title: texts.price, text: (trade) => trade.price },
  { title: texts.quantity, text: (trade) => trade.quantity },
];

/** The newest trades, newest first; the taker's side as an arrow and a color. */
export function TapePanel({ symbol, feed, priceDecimals, quantityDecimals }: TapePanelProps) {
  const trades = feed.tape.value;
  return (
    <Panel
      title={texts.trades}
      area="area-tape"
      staleSince={feed.staleSince.value}
      tools={<CsvButton name={`tape-${symbol}`} columns={columns} rows={trades} />}
    >
      <div class="scroll" tabIndex={0} role="region" aria-label={texts.newestTrades}>
        <ul class="tape">
          {trades.map((trade) => (
            <li key={trade.row}>
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
    </Panel>
  );
}
