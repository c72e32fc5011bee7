import { type CandleSource } from '../feed/candles.ts';
import * as texts from '../text/en/desk.ts';

export interface ChartProps {
  readonly source: CandleSource;
  readonly decimals: number;
}

/** What the chart shows, in words. */
export function nameOf({ symbol, interval, price }: CandleSource): string {
  return texts.candlesTitle(symbol, price === 'last' ? '' : texts.ofPrice(price), interval);
}
