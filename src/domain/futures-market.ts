import { type Amount, toAmount } from './amount.ts';
import type { Brand } from './brand.ts';
import type { Decimal } from './decimal.ts';
import type { TimestampMs } from './identifiers.ts';

/** Assigned by the engine in the order of creation, from 0; separate from spot market ids. */
export type FuturesMarketId = Brand<number, 'FuturesMarketId'>;

/** A rate as a whole number of 10^-9. Fees, funding and margin rates are exact in this unit. */
export type Rate = Brand<bigint, 'Rate'>;
export const rateScale = 9;
export const rateOne = 1_000_000_000n as Rate;

export const futuresMarketStatuses = ['listed', 'halted', 'delisted'] as const;
/** Whether a market trades: `halted` markets accept no orders, `delisted` is final. */
export type FuturesMarketStatus = (typeof futuresMarketStatuses)[number];

export const indexPriceSources = ['book', 'admin'] as const;
/** Source of a market's index price: its own mid and trades, or an administrator. */
export type IndexPriceSource = (typeof indexPriceSources)[number];

export const priceStates = ['unpriced', 'fresh', 'held', 'stale', 'final'] as const;
/**
 * State of a market's valuation price: `unpriced` before the first price, `fresh` while it follows
 * the index, `held` while a push that was too far off waits for its confirmation, `stale` once the
 * index is older than 60 s, `final` for the settlement price of a delisted market.
 */
export type PriceState = (typeof priceStates)[number];

/** The terms that an administrator sets when creating a USDT perpetual. */
export interface FuturesMarketTerms {
  /** The market's public name in upper case, for example BTCUSDT. */
  readonly symbol: string;
  readonly baseAsset: string;
  /** In USDT for one whole base asset. */
  readonly tickSize: Decimal;
  /** In whole base assets. */
  readonly lotSize: Decimal;
  /** Both of one order, in USDT. */
  readonly minNotional: Amount;
  readonly maxNotional: Amount;
  /** From 1 to 125. */
  readonly maxLeverage: number;
  /** Rate of the lowest bracket; the brackets above it are derived from it. */
  readonly maintenanceMarginRate: Rate;
  /** Both at most `futuresFeeBpsMax`, before an account's discounts. */
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  readonly indexPriceSource: IndexPriceSource;
  /**
   * A pushed price further than this from a fresh index waits for a confirmation; 0 turns the check
   * off.
   */
  readonly indexJumpBps: number;
  /** Maximum distance of a trade from the valuation price. */
  readonly tradeBandBps: number;
  /** Maximum value of all long positions together, in USDT. */
  readonly maxOpenInterest: Amount;
}

/**
 * Default terms that bound prices and positions: no jump check, trades within 10 % of the valuation
 * price, and open interest of ten times the largest notional.
 */
export function defaultGuards(
  maxNotional: Amount,
): Pick<FuturesMarketTerms, 'indexJumpBps' | 'tradeBandBps' | 'maxOpenInterest'> {
  return { indexJumpBps: 0, tradeBandBps: 1_000, maxOpenInterest: toAmount(maxNotional * 10n) };
}

/** The highest price in ticks: 2 x price + 1 is still an exact double. */
export const futuresPriceMax = 2 ** 52 - 1;

/**
 * One row of a market's maintenance margin table. Notional floors are inclusive, caps exclusive;
 * amounts are USDT.
 */
export interface LeverageBracket {
  /** From 1, ascending. */
  readonly bracket: number;
  readonly maxLeverage: number;
  readonly notionalFloor: Amount;
  readonly notionalCap: Amount;
  readonly maintenanceMarginRate: Rate;
  /** Subtracted so that maintenance margin is continuous at the floor (Binance's `cum`). */
  readonly maintenanceAmount: Amount;
}

/** A futures market: its terms and what the engine derives from them. */
export interface FuturesMarket extends FuturesMarketTerms {
  readonly marketId: FuturesMarketId;
  readonly status: FuturesMarketStatus;
  readonly brackets: readonly LeverageBracket[];
  /** The price of one lot in USDT at one tick. */
  readonly tickLotAmount: Amount;
  readonly createdAt: TimestampMs;
}

/** A market's prices in USDT for one whole base asset; null before the first. */
export interface FuturesPrices {
  readonly indexPrice: Amount | null;
  /** When the index price was last set; it is stale after 60 s. */
  readonly indexPriceAt: TimestampMs | null;
  readonly isIndexStale: boolean;
  readonly priceState: PriceState;
  readonly markPrice: Amount | null;
  readonly lastPrice: Amount | null;
  /** Estimate of the rate that the next funding charges; positive if longs pay. */
  readonly fundingRate: Rate;
  readonly lastFundingRate: Rate;
  readonly nextFundingTime: TimestampMs;
  /** When a planned delisting begins; null if none is planned. */
  readonly delistingAt: TimestampMs | null;
}
