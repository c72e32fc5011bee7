import { type Amount, amountFromDecimal, toAmount } from './amount.ts';
import type { Brand } from './brand.ts';
import type { Decimal } from './decimal.ts';
import { decimalOne } from './decimal.ts';
import type { MarketId, TimestampMs, TokenId } from './identifiers.ts';

/** A price in tick sizes of its market: a positive safe integer. */
export type Ticks = Brand<number, 'Ticks'>;
/** A quantity in lot sizes of its market: a non-negative safe integer. */
export type Lots = Brand<number, 'Lots'>;

export const spotMarketStatuses = ['listed', 'halted', 'delisted'] as const;
/** Whether a market trades: `halted` markets accept no orders, `delisted` is final. */
export type SpotMarketStatus = (typeof spotMarketStatuses)[number];

/** Maximum number of open orders of an account in one spot market. */
export const spotOrdersMax = 1_000;

/** The terms that an administrator sets when creating a market. */
export interface SpotMarketTerms {
  /** The market's public name, for example BTCUSDT; case-sensitive. */
  readonly symbol: string;
  readonly baseToken: string;
  readonly quoteToken: string;
  /** In quote tokens for one whole base token. */
  readonly tickSize: Decimal;
  /** In whole base tokens. */
  readonly lotSize: Decimal;
  /** Of an order, in the quote token. */
  readonly minNotional: Amount;
  /** Both at most `spotFeeBpsMax`. */
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
}

/** A spot market: its terms and what the engine derives from them. */
export interface SpotMarket extends SpotMarketTerms {
  readonly marketId: MarketId;
  readonly baseTokenId: TokenId;
  readonly quoteTokenId: TokenId;
  readonly status: SpotMarketStatus;
  /** The quantity of one lot in the base token. */
  readonly lotAmount: Amount;
  /** The price of one lot in the quote token at one tick. */
  readonly tickLotAmount: Amount;
  readonly createdAt: TimestampMs;
}

/** The units of prices, quantities and money in a spot or futures market. */
export type PriceGrid = Pick<SpotMarketTerms, 'tickSize'>;
/** The part of a market that quantities are counted in. */
export type QuantityGrid = Pick<SpotMarketTerms, 'lotSize'>;
/** The part of a market that money is counted in. */
export type MoneyGrid = Pick<SpotMarket, 'tickLotAmount'>;

/** The money units of a market, each a positive whole number of 10^-8. */
export interface MarketUnits {
  readonly lotAmount: Amount;
  readonly tickLotAmount: Amount;
}

const maxSafeCount = BigInt(Number.MAX_SAFE_INTEGER);

// The first character is a letter or digit, which excludes path segments such as `..` and
// `__proto__`.
const spotSymbolPattern = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,31}$/;

/** Whether a market can be created under this name: 1 to 32 ASCII characters, case-sensitive. */
export function isSpotSymbol(text: string): boolean {
  return spotSymbolPattern.test(text);
}

/**
 * The money units of a market; null if a size is not positive, or if a lot or tick x lot is not a
 * whole number of 10^-8, so that trades could not be settled exactly.
 */
export function marketUnits(tickSize: Decimal, lotSize: Decimal): MarketUnits | null {
  if (tickSize <= 0n || lotSize <= 0n) return null;
  const lotAmount = amountFromDecimal(lotSize);
  const product = tickSize * lotSize;
  if (lotAmount === null || product % decimalOne !== 0n) return null;
  const tickLotAmount = amountFromDecimal((product / decimalOne) as Decimal);
  return tickLotAmount === null ? null : { lotAmount, tickLotAmount };
}

/**
 * Converts a price to ticks; null if it is negative, no multiple of the tick, or above 2^53 - 1
 * ticks.
 */
export function ticksFromDecimal(market: PriceGrid, price: Decimal): Ticks | null {
  return wholeMultiple(price, market.tickSize) as Ticks | null;
}

/**
 * Converts a quantity to lots; null if it is negative, no multiple of the lot, or above 2^53 - 1
 * lots.
 */
export function lotsFromDecimal(market: QuantityGrid, quantity: Decimal): Lots | null {
  return wholeMultiple(quantity, market.lotSize) as Lots | null;
}

/** The price of that many ticks, in quote tokens for one whole base token. */
export function decimalFromTicks(market: PriceGrid, price: Ticks): Decimal {
  return (BigInt(price) * market.tickSize) as Decimal;
}

/** The quantity of that many lots, in whole base tokens. */
export function decimalFromLots(market: QuantityGrid, quantity: Lots): Decimal {
  return (BigInt(quantity) * market.lotSize) as Decimal;
}

/** The value of a quantity at a price, in the quote token; exact. */
export function notionalAmount(market: MoneyGrid, price: Ticks, quantity: Lots): Amount {
  return toAmount(BigInt(price) * BigInt(quantity) * market.tickLotAmount);
}

function wholeMultiple(value: Decimal, unit: Decimal): number | null {
  const count = value / unit;
  if (count * unit !== value) return null;
  return count > maxSafeCount || count < 0n ? null : Number(count);
}
