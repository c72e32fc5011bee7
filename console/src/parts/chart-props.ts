import { type CandleSource } from '../feed/candles.ts';

export interface ChartProps {
  readonly source: CandleSource;
  readonly decimals: number;
}

/** What the chart shows, in words. */
export function nameOf({ symbol, interval, price }: CandleSource): string {
  return `Candles of ${symbol}${price === 'last' ? '' : `, ${price} price`}, ${interval}`;
}
