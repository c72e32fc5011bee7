import type { FuturesOrderTerms } from '../../../application/futures/enter-futures-order.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type {
  CallbackBps,
  FuturesOrderType,
  FuturesTimeInForce,
  PriceMatch,
  SelfTradeMode,
  TriggerPriceKind,
} from '../../../domain/futures-order.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import type { Side } from '../../../domain/spot-order.ts';
import type { FapiFields } from './fapi-fields.ts';
import { cutToLots, filterPrice } from './market-filters.ts';

// Converts Binance's order parameters to this exchange's terms. Fields are checked first, all in a
// fixed order; then their values are checked against the market's grid.

export const sideWords: Readonly<Record<string, Side>> = { BUY: 'buy', SELL: 'sell' };
const typeWords: Readonly<Record<string, FuturesOrderType>> = {
  LIMIT: 'limit',
  MARKET: 'market',
  STOP: 'stop',
  STOP_LIMIT: 'stop',
  TAKE_PROFIT: 'take_profit',
  TAKE_PROFIT_LIMIT: 'take_profit',
  STOP_MARKET: 'stop_market',
  TAKE_PROFIT_MARKET: 'take_profit_market',
  TRAILING_STOP_MARKET: 'trailing_stop_market',
};
const timeInForceWords: Readonly<Record<string, FuturesTimeInForce>> = {
  GTC: 'gtc',
  IOC: 'ioc',
  FOK: 'fok',
  GTX: 'gtx',
  GTD: 'gtd',
  GTE_GTC: 'gtc',
};
const workingTypeWords: Readonly<Record<string, TriggerPriceKind>> = {
  CONTRACT_PRICE: 'contract',
  MARK_PRICE: 'mark',
};
const selfTradeWords: Readonly<Record<string, SelfTradeMode>> = {
  NONE: 'expire_taker',
  EXPIRE_TAKER: 'expire_taker',
  EXPIRE_MAKER: 'expire_maker',
  EXPIRE_BOTH: 'expire_both',
};

const priceMatchWords: Readonly<Record<string, PriceMatch>> = {
  NONE: 'none',
  OPPONENT: 'opponent',
  OPPONENT_5: 'opponent_5',
  OPPONENT_10: 'opponent_10',
  OPPONENT_20: 'opponent_20',
  QUEUE: 'queue',
  QUEUE_5: 'queue_5',
  QUEUE_10: 'queue_10',
  QUEUE_20: 'queue_20',
};

export interface OrderContext {
  readonly market: FuturesMarket;
  readonly now: TimestampMs;
  /** Placed through the conditional-order endpoints. */
  readonly isAlgo: boolean;
  /** Trigger orders can be GTD, whichever endpoint places them. */
  readonly takesGtdTriggers?: boolean;
  readonly newClientOrderId: () => string;
}

/** The order's terms, or why its market refuses them; the fields can also hold a failure. */
export function readOrder(
  fields: FapiFields,
  context: OrderContext,
): FuturesOrderTerms | Rejection {
  const { market, isAlgo } = context;
  const side = fields.requiredMember('side', sideWords, 'buy');
  const orderType = fields.requiredMember('type', typeWords, 'limit');
  const position = fields.text('positionSide');
  if (position !== null && position !== 'BOTH')
    fields.fail('parameter_unknown_member', 'positionSide');
  const isTrigger = orderType !== 'limit' && orderType !== 'market';
  if (isAlgo && !isTrigger) fields.fail('parameter_unknown_member', 'type');
  const isClosePosition = fields.flag('closePosition') ?? false;
  const isReduceOnly = fields.flag('reduceOnly') ?? false;
  checkClosePosition(fields, orderType, isClosePosition, isReduceOnly);
  const takesGtd = isAlgo || (isTrigger && context.takesGtdTriggers === true);
  const timeInForce = readTimeInForce(fields, orderType, takesGtd);
  const goodTill = timeInForce === 'gtd' ? readGoodTill(fields, context.now) : null;
  const quantity = fields.decimal('quantity');
  if (quantity === null && !isClosePosition) fields.fail('parameter_missing', 'quantity');
  const priceMatch = readPriceMatch(fields, hasLimit(orderType));
  const price = hasLimit(orderType) ? readPrice(fields, priceMatch) : null;
  const trigger = readTrigger(fields, orderType, isAlgo);
  const clientOrderId = fields.clientId('newClientOrderId', 'clientAlgoId');
  const triggerPriceKind = fields.member('workingType', workingTypeWords) ?? 'contract';
  const isPriceProtected = fields.flag('priceProtect') ?? false;
  const selfTradeMode = fields.member('selfTradePreventionMode', selfTradeWords) ?? 'expire_taker';
  const grid = readGrid(market, quantity, price, trigger);
  if ('reason' in grid) return grid;
  // Written field by field: fields next to a spread cost the runtime microseconds each time.
  return {
    marketId: market.marketId,
    clientOrderId: clientOrderId ?? context.newClientOrderId(),
    side,
    orderType,
    timeInForce,
    goodTill,
    quantity: grid.quantity,
    price: grid.price,
    priceMatch,
    worstPrice: null,
    stopPrice: grid.stopPrice,
    activationPrice: grid.activationPrice,
    triggerPriceKind,
    callback: trigger.callback,
    isReduceOnly,
    isClosePosition,
    isPriceProtected,
    selfTradeMode,
    isAlgo,
    takeProfit: null,
    stopLoss: null,
  };
}

/**
 * Where in the book the order takes its price from; only an order with a limit price can use it.
 */
export function readPriceMatch(fields: FapiFields, hasPrice = true): PriceMatch {
  const priceMatch = fields.member('priceMatch', priceMatchWords) ?? 'none';
  if (priceMatch === 'none') return priceMatch;
  if (!hasPrice) fields.fail('parameter_not_required', 'priceMatch');
  if (fields.has('price')) fields.fail('parameter_not_required', 'price');
  return priceMatch;
}

/** The limit price of an order; null if it comes from the book. */
export function readPrice(fields: FapiFields, priceMatch: PriceMatch): Decimal | null {
  if (priceMatch !== 'none') return null;
  const price = fields.decimal('price');
  if (price === null) fields.fail('parameter_missing', 'price');
  return price;
}

function hasLimit(type: FuturesOrderType): boolean {
  return type === 'limit' || type === 'stop' || type === 'take_profit';
}

function checkClosePosition(
  fields: FapiFields,
  type: FuturesOrderType,
  isClosePosition: boolean,
  isReduceOnly: boolean,
): void {
  if (!isClosePosition) return;
  if (type !== 'stop_market' && type !== 'take_profit_market') {
    fields.fail('parameter_not_required', 'closePosition');
  }
  if (isReduceOnly) fields.fail('parameter_not_required', 'reduceOnly');
  if (fields.has('quantity')) fields.fail('parameter_not_required', 'quantity');
}

function readTimeInForce(
  fields: FapiFields,
  type: FuturesOrderType,
  takesGtd: boolean,
): FuturesTimeInForce {
  const asked = fields.member('timeInForce', timeInForceWords) ?? 'gtc';
  // An order without a limit price can only take.
  if (asked === 'gtx' && !hasLimit(type)) fields.fail('parameter_not_required', 'timeInForce');
  if (asked === 'gtd' && !takesGtd)
    fields.fail('parameter_missing', 'timeInForce', 'GTD is for algo orders');
  return asked;
}

/** As on Binance: an order lives for more than 600 seconds, and ends before the year 10000. */
const goodTillLeastMs = 600_000;
const goodTillEnd = 253_402_300_799_000;

function readGoodTill(fields: FapiFields, now: TimestampMs): TimestampMs | null {
  const goodTill = fields.integer('goodTillDate', 1);
  if (goodTill === null) fields.fail('parameter_missing', 'goodTillDate');
  else if (goodTill <= now + goodTillLeastMs || goodTill >= goodTillEnd) {
    fields.fail('parameter_malformed', 'goodTillDate');
  }
  return goodTill as TimestampMs | null;
}

interface TriggerFields {
  readonly stopPrice: Decimal | null;
  readonly activationPrice: Decimal | null;
  readonly callback: CallbackBps | null;
}

const bpsPerPercent = 10n ** 16n;
const callbackMin = 10;
const callbackMax = 500;
const algoCallbackMax = 1_000;
const noTrigger: TriggerFields = { stopPrice: null, activationPrice: null, callback: null };

function readTrigger(fields: FapiFields, type: FuturesOrderType, isAlgo: boolean): TriggerFields {
  if (type === 'limit' || type === 'market') return noTrigger;
  if (type !== 'trailing_stop_market') {
    const stopPrice = fields.decimal('stopPrice', 'triggerPrice');
    if (stopPrice === null) fields.fail('parameter_missing', 'stopPrice');
    return { stopPrice, activationPrice: null, callback: null };
  }
  const rate = fields.decimal('callbackRate', 'priceRate');
  if (rate === null) fields.fail('parameter_missing', 'callbackRate');
  const callback = Number((rate ?? 0n) / bpsPerPercent);
  const isWhole = (rate ?? 0n) % bpsPerPercent === 0n;
  const isInRange = callback >= callbackMin && callback <= (isAlgo ? algoCallbackMax : callbackMax);
  if (!isWhole || !isInRange) fields.fail('parameter_malformed', 'callbackRate');
  const activationPrice = fields.decimal('activationPrice', 'activatePrice');
  return { stopPrice: null, activationPrice, callback: callback as CallbackBps };
}

interface GridTerms {
  readonly quantity: Lots | null;
  readonly price: Ticks | null;
  readonly stopPrice: Ticks | null;
  readonly activationPrice: Ticks | null;
}

function readGrid(
  market: FuturesMarket,
  quantity: Decimal | null,
  price: Decimal | null,
  trigger: TriggerFields,
): GridTerms | Rejection {
  const lots = quantity === null ? null : cutToLots(market, quantity);
  if (quantity !== null && lots === null) return { reason: 'quantity_off_lot' };
  const ticks = readTicks(market, price);
  const stopTicks = readTicks(market, trigger.stopPrice);
  const activationTicks = readTicks(market, trigger.activationPrice);
  if (ticks === offTick || stopTicks === offTick || activationTicks === offTick) {
    return { reason: 'price_off_tick' };
  }
  return { quantity: lots, price: ticks, stopPrice: stopTicks, activationPrice: activationTicks };
}

const offTick = 'off tick';

function readTicks(market: FuturesMarket, price: Decimal | null): Ticks | null | typeof offTick {
  return price === null ? null : (filterPrice(market, price) ?? offTick);
}
