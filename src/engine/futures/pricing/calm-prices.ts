import { type FuturesMarketState } from '../markets/futures-market-state.ts';
import { indexPriceAgeMax } from '../risk-limits.ts';
import { isFresh } from './price-state.ts';

/** The markets, and the accounts that are being closed. */
interface PricedMarkets {
  readonly markets: readonly FuturesMarketState[];
  readonly closeOuts: { readonly size: number };
  readonly now: number;
}

/**
 * Whether every price with open positions is fresh and all accounts were judged at it, so that all
 * equity carries new risk. Every order checks this, so the answer is cached until a price changes
 * or becomes stale.
 */
export class CalmPrices {
  private isKnown = false;
  private isCalm = false;
  private calmUntil = 0;

  /**
   * Must be called when a price, its age or its judged range changes, or a market gets its first
   * position.
   */
  forget(): void {
    this.isKnown = false;
  }

  /** False while any account is being closed. */
  areCalm(state: PricedMarkets): boolean {
    if (state.closeOuts.size > 0) return false;
    if (!this.isKnown || (this.isCalm && state.now > this.calmUntil)) this.examine(state);
    return this.isCalm;
  }

  private examine({ markets, now }: PricedMarkets): void {
    this.isKnown = true;
    this.isCalm = markets.every((market) => isCalm(market, now));
    this.calmUntil = Math.min(...markets.map(freshUntil));
  }
}

function isCalm(market: FuturesMarketState, now: number): boolean {
  return market.openInterest === 0 || (isFresh(market, now) && !market.isUnjudged);
}

function freshUntil({ terms, indexPriceAt, openInterest }: FuturesMarketState): number {
  const isAgeing = terms.indexPriceSource !== 'book' && openInterest > 0;
  return isAgeing ? indexPriceAt + indexPriceAgeMax : Number.POSITIVE_INFINITY;
}
