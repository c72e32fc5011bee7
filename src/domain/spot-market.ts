import { type Amount, amountFromDecimal, toAmount } from './amount.ts';
import type { Brand } from './brand.ts';
import type { Decimal } from './decimal.ts';
import type { MarketId, TimestampMs, TokenId } from './identifiers.ts';

/** A price counted in tick sizes of its market: a positive safe integer. */
export type Ticks = Brand<number, 'Ticks'>;
/** A quantity counted in lot sizes of its market: a non-negative safe integer. */
export type Lots = Brand<number, 'Lots'>;

export const spotMarketStatuses = ['listed', 'halted', 'delisted'] as const;
export type SpotMarketStatus = (typeof spotMarketStatuses)[number];

/** The most open orders that an account can have in one spot market. */
export const spotOrdersMax = 1_000;

/** What an administrator says of a market when creating it. */
export interface SpotMarketTerms {
  /** The market's public name, for example BTCUSDT; case-sensitive. */
  readonly symbol: string;
  readonly baseToken: string;
  readonly quoteToken: string;
  readonly tickSize: Decimal;
  readonly lotSize: Decimal;
  readonly minNotional: Amount;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
}

export interface SpotMarket extends SpotMarketTerms {
  readonly marketId: MarketId;
  readonly baseTokenId: TokenId;
  readonly quoteTokenId: TokenId;
  readonly status: SpotMarketStatus;
  /** What one lot is in the base token. */
  readonly lotAmount: Amount;
  /** What one lot costs in the quote token at a price of one tick. */
  readonly tickLotAmount: Amount;
  readonly createdAt: TimestampMs;
}

/** What prices, quantities and money of a market are counted in; of spot and futures alike. */
export type PriceGrid = Pick<SpotMarketTerms, 'tickSize'>;
export type QuantityGrid = Pick<SpotMarketTerms, 'lotSize'>;
export type MoneyGrid = Pick<SpotMarket, 'tickLotAmount'>;

export interface MarketUnits {
  readonly lotAmount: Amount;
  readonly tickLotAmount: Amount;
}

const decimalOne = 10n ** 18n;
const maxSafeCount = BigInt(Number.MAX_SAFE_INTEGER);

// It starts with a letter or digit, so that no path segment like `..` and no `__proto__` is one.
const spotSymbolPattern = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,31}$/;

/** Whether a market may be created under this name; case-sensitive, 1 to 32 ASCII characters. */
export function isSpotSymbol(text: string): boolean {
  return spotSymbolPattern.test(text);
}

/**
 * The money of one lot, or null where a lot or a tick times a lot is no whole number of the
 * engine's money units (10^-8), so that a trade could not be settled exactly.
 */
export function marketUnits(tickSize: Decimal, lotSize: Decimal): MarketUnits | null {
  if (tickSize <= 0n || lotSize <= 0n) return null;
  const lotAmount = amountFromDecimal(lotSize);
  const product = tickSize * lotSize;
  if (lotAmount === null || product % decimalOne !== 0n) return null;
  const tickLotAmount = amountFromDecimal((product / decimalOne) as Decimal);
  return tickLotAmount === null ? null : { lotAmount, tickLotAmount };
}

/** The price in ticks; null where it is no multiple of the tick or passes 2^53 ticks. */
export function ticksFromDecimal(market: PriceGrid, price: Decimal): Ticks | null {
  return wholeMultiple(price, market.tickSize) as Ticks | null;
}

/** The quantity in lots; null where it is no multiple of the lot or passes 2^53 lots. */
export function lotsFromDecimal(market: QuantityGrid, quantity: Decimal): Lots | null {
  return wholeMultiple(quantity, market.lotSize) as Lots | null;
}

export function decimalFromTicks(market: PriceGrid, price: Ticks): Decimal {
  return (BigInt(price) * market.tickSize) as Decimal;
}

export function decimalFromLots(market: QuantityGrid, quantity: Lots): Decimal {
  return (BigInt(quantity) * market.lotSize) as Decimal;
}

/** The quote money of a quantity at a price; exact. */
export function notionalAmount(market: MoneyGrid, price: Ticks, quantity: Lots): Amount {
  return toAmount(BigInt(price) * BigInt(quantity) * market.tickLotAmount);
}

function wholeMultiple(value: Decimal, unit: Decimal): number | null {
  const count = value / unit;
  if (count * unit !== value) return null;
  return count > maxSafeCount || count < 0n ? null : Number(count);
}
