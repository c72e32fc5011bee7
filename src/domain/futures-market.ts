import { type Amount, toAmount } from './amount.ts';
import type { Brand } from './brand.ts';
import type { Decimal } from './decimal.ts';
import type { TimestampMs } from './identifiers.ts';

/** Rising from 0 in the order of creation; given by the engine; apart from spot's markets. */
export type FuturesMarketId = Brand<number, 'FuturesMarketId'>;

/** A rate as a whole number of 10^-9: fees, funding and margin rates are exact in it. */
export type Rate = Brand<bigint, 'Rate'>;
export const rateScale = 9;
export const rateOne = 1_000_000_000n as Rate;

export const futuresMarketStatuses = ['listed', 'halted', 'delisted'] as const;
export type FuturesMarketStatus = (typeof futuresMarketStatuses)[number];

/** Where a market's index price comes from: its own mid and trades, or an administrator. */
export const indexPriceSources = ['book', 'admin'] as const;
export type IndexPriceSource = (typeof indexPriceSources)[number];

/**
 * What a market's value price is worth: there is none yet; it follows the index; a push was too
 * far away and waits for its confirmation; the index is older than 60 s; or it is the settlement
 * price of a delisted market.
 */
export const priceStates = ['unpriced', 'fresh', 'held', 'stale', 'final'] as const;
export type PriceState = (typeof priceStates)[number];

/** What an administrator says of a USDT perpetual when creating it. */
export interface FuturesMarketTerms {
  /** The market's public name, for example BTCUSDT; upper case. */
  readonly symbol: string;
  readonly baseAsset: string;
  readonly tickSize: Decimal;
  readonly lotSize: Decimal;
  readonly minNotional: Amount;
  readonly maxNotional: Amount;
  readonly maxLeverage: number;
  /** Of the lowest bracket; the brackets above it are derived from it. */
  readonly maintenanceMarginRate: Rate;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  readonly indexPriceSource: IndexPriceSource;
  /** A pushed price further than this from a fresh index waits for a confirmation; 0: none does. */
  readonly indexJumpBps: number;
  /** No trade is made further than this from the value price. */
  readonly tradeBandBps: number;
  /** What all long positions together may be worth, in USDT. */
  readonly maxOpenInterest: Amount;
}

/** The terms that keep prices and positions within bounds, where nobody has said others. */
export function defaultGuards(
  maxNotional: Amount,
): Pick<FuturesMarketTerms, 'indexJumpBps' | 'tradeBandBps' | 'maxOpenInterest'> {
  return { indexJumpBps: 0, tradeBandBps: 1_000, maxOpenInterest: toAmount(maxNotional * 10n) };
}

/** The highest price in ticks: twice as many and one are still a whole number to a double. */
export const futuresPriceMax = 2 ** 52 - 1;

/** One row of a market's maintenance margin table; notional floors inclusive, caps exclusive. */
export interface LeverageBracket {
  /** Rising from 1. */
  readonly bracket: number;
  readonly maxLeverage: number;
  readonly notionalFloor: Amount;
  readonly notionalCap: Amount;
  readonly maintenanceMarginRate: Rate;
  /** Subtracted so that maintenance margin is continuous at the floor (Binance's `cum`). */
  readonly maintenanceAmount: Amount;
}

export interface FuturesMarket extends FuturesMarketTerms {
  readonly marketId: FuturesMarketId;
  readonly status: FuturesMarketStatus;
  readonly brackets: readonly LeverageBracket[];
  /** What one lot costs in USDT at a price of one tick. */
  readonly tickLotAmount: Amount;
  readonly createdAt: TimestampMs;
}

/** A market's prices; null before the first. Prices are USDT for one whole base asset. */
export interface FuturesPrices {
  readonly indexPrice: Amount | null;
  /** When the index price was last set; older than 60 s it is stale. */
  readonly indexPriceAt: TimestampMs | null;
  readonly isIndexStale: boolean;
  readonly priceState: PriceState;
  readonly markPrice: Amount | null;
  readonly lastPrice: Amount | null;
  /** Estimate of the rate that the next funding will charge. */
  readonly fundingRate: Rate;
  readonly lastFundingRate: Rate;
  readonly nextFundingTime: TimestampMs;
  /** When a planned delisting begins; null where none is planned. */
  readonly delistingAt: TimestampMs | null;
}
