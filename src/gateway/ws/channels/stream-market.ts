import { type SpotMarket } from '../../../domain/spot-market.ts';

/** What the public streams need from a market, spot or futures. */
export interface StreamMarket
  extends Pick<SpotMarket, 'symbol' | 'tickSize' | 'lotSize' | 'lotAmount'> {
  readonly line: 'spot' | 'futures';
}
