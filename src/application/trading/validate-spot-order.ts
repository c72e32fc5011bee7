import { type Amount, amountMax } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { Rejection } from '../../domain/rejection.ts';
import {
  lotsFromDecimal,
  type SpotMarket,
  type SpotMarketTerms,
  ticksFromDecimal,
} from '../../domain/spot-market.ts';
import {
  type Side,
  type SpotOrderType,
  type SpotTimeInForce,
  sides,
  spotOrderTypes,
  spotTimesInForce,
} from '../../domain/spot-order.ts';
import type { PlaceSpotOrder } from '../../engine/commands.ts';

// The rows of the spot error table that an order's own fields decide, in the table's order: market
// status, side, type, tif, missing fields, tick, lot. The engine judges the rows below them.

/** An order as the caller specifies it; the numbers are well-formed and positive. */
export interface SpotOrderRequest {
  /** Case-sensitive. */
  readonly symbol: string;
  readonly side: string | null;
  readonly type: string | null;
  readonly timeInForce: string | null;
  readonly price: Decimal | null;
  readonly quantity: Decimal | null;
  readonly quoteQuantity: Amount | null;
  readonly clientOrderId: string | null;
}

/** What the engine needs of an order besides its account and market. */
export type SpotOrderTerms = Pick<
  PlaceSpotOrder,
  'side' | 'orderType' | 'timeInForce' | 'price' | 'quantity' | 'quoteQuantity'
>;

interface OrderWords {
  readonly side: Side;
  readonly orderType: SpotOrderType;
  readonly timeInForce: SpotTimeInForce;
}

/** The order in the market's units, or the first refusal in the order of the spot error table. */
export function validateSpotOrder(
  market: SpotMarket,
  request: SpotOrderRequest,
): Outcome<SpotOrderTerms> {
  const closed = judgeStatus(market);
  if (closed !== null) return refused(closed);
  const words = judgeWords(request);
  if (words.kind === 'refused') return words;
  const missing = judgeMissing(words.value, request) ?? judgeSuperfluous(words.value, request);
  if (missing !== null) return refused(missing);
  return judgeUnits(market, request, words.value);
}

function judgeStatus(market: SpotMarket): Rejection | null {
  switch (market.status) {
    case 'listed':
      return null;
    case 'halted':
      return { reason: 'market_halted' };
    case 'delisted':
      return { reason: 'market_delisted' };
    default:
      // A restored state may contain a status that is unknown to this version.
      return { reason: 'market_status_unknown' };
  }
}

function judgeWords(request: SpotOrderRequest): Outcome<OrderWords> {
  const side = sides.find((known) => known === request.side);
  if (side === undefined) return refused({ reason: 'side_unknown' });
  const orderType = spotOrderTypes.find((known) => known === request.type);
  if (orderType === undefined) return refused({ reason: 'order_type_unknown' });
  const timeInForce = judgeTimeInForce(orderType, request.timeInForce ?? 'gtc');
  if (timeInForce === null) return refused({ reason: 'time_in_force_unknown' });
  return done({ side, orderType, timeInForce });
}

function judgeTimeInForce(orderType: SpotOrderType, text: string): SpotTimeInForce | null {
  const timeInForce = spotTimesInForce.find((known) => known === text);
  if (timeInForce === undefined || orderType === 'limit') return timeInForce ?? null;
  // A market order is always ioc. Clients send the default along, so gtc is accepted as ioc; fok
  // and post_only request what a market order does not do.
  return timeInForce === 'gtc' || timeInForce === 'ioc' ? 'ioc' : null;
}

function judgeMissing(words: OrderWords, request: SpotOrderRequest): Rejection | null {
  if (words.orderType === 'limit') {
    if (request.price === null) return { reason: 'limit_price_missing' };
    return request.quantity === null ? { reason: 'limit_quantity_missing' } : null;
  }
  if (words.side === 'sell') {
    return request.quantity === null ? { reason: 'market_sell_quantity_missing' } : null;
  }
  return request.quoteQuantity === null ? { reason: 'market_buy_quote_missing' } : null;
}

/** A field that the order would silently ignore is refused, as the caller expects it to matter. */
function judgeSuperfluous(words: OrderWords, request: SpotOrderRequest): Rejection | null {
  const kind = words.orderType === 'limit' ? 'limit order' : `market ${words.side}`;
  const isMarketBuy = words.orderType === 'market' && words.side === 'buy';
  if (words.orderType === 'market' && request.price !== null) return notTaken('price', kind);
  if (isMarketBuy && request.quantity !== null) return notTaken('quantity', kind);
  if (!isMarketBuy && request.quoteQuantity !== null) return notTaken('quote_quantity', kind);
  return null;
}

function notTaken(field: string, kind: string): Rejection {
  return { reason: 'parameter_invalid', detail: `${field}: not allowed for a ${kind}` };
}

function judgeUnits(
  market: SpotMarketTerms,
  request: SpotOrderRequest,
  words: OrderWords,
): Outcome<SpotOrderTerms> {
  const { price, quantity, quoteQuantity } = request;
  const ticks = price === null ? null : ticksFromDecimal(market, price);
  const lots = quantity === null ? null : lotsFromDecimal(market, quantity);
  const arePositive = ticks !== 0 && lots !== 0;
  const areWhole = (price === null) === (ticks === null) && (quantity === null) === (lots === null);
  const isTooMuch = quoteQuantity !== null && quoteQuantity > amountMax;
  if (!arePositive || !areWhole || isTooMuch) return refused(nameViolation(market, request));
  // Field by field: fields next to a spread cost microseconds at run time.
  const { side, orderType, timeInForce } = words;
  return done({ side, orderType, timeInForce, price: ticks, quantity: lots, quoteQuantity });
}

function nameViolation(
  market: SpotMarketTerms,
  { price, quantity }: Pick<SpotOrderRequest, 'price' | 'quantity'>,
): Rejection {
  if (price !== null && (price <= 0n || price % market.tickSize !== 0n)) {
    return { reason: 'price_off_tick' };
  }
  if (quantity !== null && (quantity <= 0n || quantity % market.lotSize !== 0n)) {
    return { reason: 'quantity_off_lot' };
  }
  return { reason: 'amount_out_of_range' };
}
