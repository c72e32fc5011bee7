import { formatAverage } from '../../../application/format-average.ts';
import { algoStatusOf } from '../../../application/futures/algo-status.ts';
import {
  clientOrderIdOf,
  triggeredTypeOf,
  workingTypeOf,
} from '../../../application/futures/order-names.ts';
import type { PastFuturesOrder } from '../../../application/ports/futures-history.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { formatDecimal, formatScaled } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { FuturesOrder } from '../../../domain/futures-order.ts';
import { decimalFromLots, decimalFromTicks, type Ticks } from '../../../domain/spot-market.ts';
import { upperWord } from '../../../domain/upper-word.ts';

// Binance's order object, one superset for placing, amending, canceling and reading.

const callbackScale = 2;

export function orderObject(market: FuturesMarket, order: FuturesOrder) {
  const type = upperWord(order.type);
  const executed = formatDecimal(decimalFromLots(market, order.filledQuantity));
  return {
    orderId: order.orderNumber,
    symbol: market.symbol,
    pair: market.symbol,
    status: upperWord(order.status),
    clientOrderId: clientOrderIdOf(order),
    price: price(market, order.price),
    avgPrice: averagePrice(market, order),
    origQty: formatDecimal(decimalFromLots(market, order.quantity)),
    executedQty: executed,
    cumQty: executed,
    cumQuote: formatAmount(order.filledQuote),
    timeInForce: upperWord(order.timeInForce),
    type: triggeredTypeOf(order) ?? type,
    reduceOnly: order.isReduceOnly,
    closePosition: order.isClosePosition,
    side: upperWord(order.side),
    positionSide: 'BOTH',
    stopPrice: price(market, order.stopPrice),
    workingType: workingTypeOf(order.triggerPriceKind),
    priceProtect: order.isPriceProtected,
    origType: type,
    // Omitted from the answer when undefined; a spread in the middle costs a microsecond.
    activatePrice: order.callback === null ? undefined : price(market, order.activationPrice),
    priceRate: order.callback === null ? undefined : callbackRate(order.callback),
    priceMatch: upperWord(order.priceMatch),
    selfTradePreventionMode: upperWord(order.selfTradeMode),
    goodTillDate: order.goodTill ?? 0,
    time: order.createdAt,
    updateTime: order.updatedAt,
  };
}

export function algoObject(market: FuturesMarket, order: PastFuturesOrder) {
  const isTriggered = order.triggeredAt !== null;
  return {
    algoId: order.orderNumber,
    clientAlgoId: clientOrderIdOf(order),
    algoType: 'CONDITIONAL',
    orderType: upperWord(order.type),
    symbol: market.symbol,
    side: upperWord(order.side),
    positionSide: 'BOTH',
    timeInForce: upperWord(order.timeInForce),
    quantity: formatDecimal(decimalFromLots(market, order.quantity)),
    algoStatus: algoStatusOf(order, order.end ?? null),
    triggerPrice: price(market, order.stopPrice),
    price: price(market, order.price),
    icebergQuantity: null,
    selfTradePreventionMode: upperWord(order.selfTradeMode),
    workingType: workingTypeOf(order.triggerPriceKind),
    priceMatch: upperWord(order.priceMatch),
    closePosition: order.isClosePosition,
    priceProtect: order.isPriceProtected,
    reduceOnly: order.isReduceOnly,
    activatePrice: order.callback === null ? '' : price(market, order.activationPrice),
    callbackRate: order.callback === null ? '' : callbackRate(order.callback),
    createTime: order.createdAt,
    updateTime: order.updatedAt,
    triggerTime: order.triggeredAt ?? 0,
    goodTillDate: order.goodTill ?? 0,
    actualOrderId: isTriggered ? String(order.orderNumber) : '',
    actualPrice: isTriggered ? averagePrice(market, order) : '0',
    actualQty: isTriggered ? formatDecimal(decimalFromLots(market, order.filledQuantity)) : '0',
    actualType: triggeredTypeOf(order) ?? '',
    tpTriggerPrice: '0',
    tpPrice: '0',
    slTriggerPrice: '0',
    slPrice: '0',
    tpOrderType: '',
  };
}

/** True if the order waits for a trigger price. */
export function isWaiting({
  type,
  triggeredAt,
}: Pick<FuturesOrder, 'type' | 'triggeredAt'>): boolean {
  return triggeredAt === null && isTriggerOrder({ type });
}

/** True if the order waits, or has waited, for a trigger price. */
export function isTriggerOrder({ type }: Pick<FuturesOrder, 'type'>): boolean {
  return type !== 'limit' && type !== 'market';
}

function averagePrice(market: FuturesMarket, order: FuturesOrder): string {
  if (order.filledQuantity === 0) return '0';
  const filled = decimalFromLots(market, order.filledQuantity);
  return formatAverage(order.filledQuote, filled, market.tickSize);
}

function price(market: FuturesMarket, ticks: Ticks | null): string {
  return ticks === null ? '0' : formatDecimal(decimalFromTicks(market, ticks));
}

function callbackRate(callback: number): string {
  return formatScaled(BigInt(callback), callbackScale);
}
