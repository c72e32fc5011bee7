import type { SpotOrderTerms } from '../../../application/trading/validate-spot-order.ts';
import { type Amount, amountFromDecimal, amountMax } from '../../../domain/amount.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import type { RejectionReason } from '../../../domain/rejection.ts';
import {
  lotsFromDecimal,
  notionalAmount,
  type SpotMarket,
  ticksFromDecimal,
} from '../../../domain/spot-market.ts';
import type { Side, SpotTimeInForce } from '../../../domain/spot-order.ts';
import { binanceSpotErrors as errors } from '../../errors/binance-spot-errors.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import type { FapiFields } from '../fapi/fapi-fields.ts';

// Converts Binance's spot parameters to this exchange's terms.

const sideWords: Readonly<Record<string, Side>> = { BUY: 'buy', SELL: 'sell' };
const timeInForceWords: Readonly<Record<string, SpotTimeInForce>> = {
  GTC: 'gtc',
  IOC: 'ioc',
  FOK: 'fok',
};
/** Binance order types that this exchange refuses on spot. */
const refusedTypes: Readonly<Record<string, ErrorRow>> = {
  STOP_LOSS: errors.stopLossUnsupported,
  STOP_LOSS_LIMIT: errors.stopLossLimitUnsupported,
  TAKE_PROFIT: errors.takeProfitUnsupported,
  TAKE_PROFIT_LIMIT: errors.takeProfitLimitUnsupported,
};

export type ReadOrder =
  | { readonly kind: 'terms'; readonly terms: SpotOrderTerms }
  | { readonly kind: 'row'; readonly row: ErrorRow; readonly parameter?: string }
  | { readonly kind: 'rejection'; readonly reason: RejectionReason & SimpleReason };

type SimpleReason = 'price_off_tick' | 'quantity_off_lot' | 'amount_out_of_range';

const row = (found: ErrorRow): ReadOrder => ({ kind: 'row', row: found });

/** The order's terms, or why there are none; the fields can also hold a failure. */
export function readSpotOrder(fields: FapiFields, market: SpotMarket): ReadOrder {
  const sideText = fields.requiredText('side');
  const type = fields.requiredText('type');
  const side = sideWords[sideText];
  if (sideText !== '' && side === undefined) return row(errors.invalidSide);
  const refusedType = Object.hasOwn(refusedTypes, type) ? refusedTypes[type] : undefined;
  if (refusedType !== undefined) return row(refusedType);
  if (fields.has('icebergQty')) return row(errors.icebergUnsupported);
  if (fields.has('trailingDelta')) return row(errors.trailingUnsupported);
  if (fields.has('stopPrice')) fields.fail('parameter_not_required', 'stopPrice');
  switch (type) {
    case 'LIMIT':
    case 'LIMIT_MAKER':
      return readLimit(fields, market, side ?? 'buy', type);
    case 'MARKET':
      return readMarketOrder(fields, market, side ?? 'buy');
    default:
      return row(errors.invalidOrderType);
  }
}

function readLimit(
  fields: FapiFields,
  market: SpotMarket,
  side: Side,
  type: 'LIMIT' | 'LIMIT_MAKER',
): ReadOrder {
  const timeInForce = readTimeInForce(fields, type);
  if (typeof timeInForce === 'object') return row(timeInForce);
  const quantity = requiredDecimal(fields, 'quantity');
  const price = requiredDecimal(fields, 'price');
  if (fields.has('quoteOrderQty')) fields.fail('parameter_not_required', 'quoteOrderQty');
  const ticks = price === null ? null : ticksFromDecimal(market, price);
  const lots = quantity === null ? null : lotsFromDecimal(market, quantity);
  if (price !== null && ticks === null) return { kind: 'rejection', reason: 'price_off_tick' };
  if (quantity !== null && lots === null) return { kind: 'rejection', reason: 'quantity_off_lot' };
  return {
    kind: 'terms',
    terms: {
      side,
      orderType: 'limit',
      timeInForce,
      price: ticks,
      quantity: lots,
      quoteQuantity: null,
    },
  };
}

function readMarketOrder(fields: FapiFields, market: SpotMarket, side: Side): ReadOrder {
  if (fields.has('timeInForce')) return row(errors.timeInForceNotRequired);
  if (fields.has('price')) fields.fail('parameter_not_required', 'price');
  const quantity = fields.decimal('quantity');
  const money = fields.decimal('quoteOrderQty');
  if (quantity !== null && money !== null) fields.fail('parameter_combination', 'quoteOrderQty');
  if (quantity === null && money === null && fields.failure === null) {
    return row(errors.eitherParameter);
  }
  const lots = quantity === null ? null : lotsFromDecimal(market, quantity);
  if (quantity !== null && lots === null) return { kind: 'rejection', reason: 'quantity_off_lot' };
  const quoteQuantity = money === null ? null : quoteAmount(money);
  if (money !== null && quoteQuantity === null) {
    return { kind: 'rejection', reason: 'amount_out_of_range' };
  }
  return {
    kind: 'terms',
    terms: {
      side,
      orderType: 'market',
      timeInForce: 'ioc',
      price: null,
      quantity: lots,
      quoteQuantity,
    },
  };
}

function readTimeInForce(
  fields: FapiFields,
  type: 'LIMIT' | 'LIMIT_MAKER',
): SpotTimeInForce | ErrorRow {
  const text = fields.text('timeInForce');
  if (type === 'LIMIT_MAKER') {
    return text === null || text === 'GTC' ? 'post_only' : errors.timeInForceNotRequired;
  }
  if (text === null) {
    fields.fail('parameter_missing', 'timeInForce');
    return 'gtc';
  }
  return timeInForceWords[text] ?? errors.invalidTimeInForce;
}

function requiredDecimal(fields: FapiFields, name: string): Decimal | null {
  if (!fields.has(name)) fields.fail('parameter_missing', name);
  return fields.decimal(name);
}

/** Truncates to the quote asset's precision; null if the result is zero or too large. */
function quoteAmount(money: Decimal): Amount | null {
  const unit = 10n ** 10n;
  const amount = amountFromDecimal((money - (money % unit)) as Decimal);
  return amount === null || amount <= 0n || amount > amountMax ? null : amount;
}

/** True if a limit order is below its market's minimum notional; the engine checks every order. */
export function isBelowMinimum(market: SpotMarket, { price, quantity }: SpotOrderTerms): boolean {
  if (price === null || quantity === null) return false;
  return notionalAmount(market, price, quantity) < market.minNotional;
}
