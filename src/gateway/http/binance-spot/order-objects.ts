import type { EnteredSpotOrder } from '../../../application/trading/enter-spot-order.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import { decimalFromLots, decimalFromTicks, type SpotMarket } from '../../../domain/spot-market.ts';
import type { SpotOrder, SpotTrade } from '../../../domain/spot-order.ts';
import { upperWord } from '../../../domain/upper-word.ts';

// Spot orders in Binance's shapes.

export type ResponseType = 'ACK' | 'RESULT' | 'FULL';

/** The client order id; orders without one get a generated name. */
export function clientOrderIdOf({ clientOrderId, orderNumber }: SpotOrder): string {
  return clientOrderId ?? `web_${orderNumber}`;
}

export function typeOf({ type, timeInForce }: SpotOrder): string {
  return timeInForce === 'post_only' ? 'LIMIT_MAKER' : upperWord(type);
}

/** Binance shows market orders and post-only ones as good till canceled. */
export function timeInForceOf({ type, timeInForce }: SpotOrder): string {
  return type === 'market' || timeInForce === 'post_only' ? 'GTC' : upperWord(timeInForce);
}

/** The quantity; for an order given by money, the quantity that the money bought or sold. */
export function quantityOf(market: SpotMarket, { quantity, filledQuantity }: SpotOrder): string {
  return formatDecimal(decimalFromLots(market, quantity ?? filledQuantity));
}

export function priceOf(market: SpotMarket, { price }: SpotOrder): string {
  return price === null ? '0' : formatDecimal(decimalFromTicks(market, price));
}

function bodyOf(market: SpotMarket, order: SpotOrder) {
  return {
    symbol: market.symbol,
    orderId: order.orderNumber,
    orderListId: -1,
    clientOrderId: clientOrderIdOf(order),
    price: priceOf(market, order),
    origQty: quantityOf(market, order),
    executedQty: formatDecimal(decimalFromLots(market, order.filledQuantity)),
    origQuoteOrderQty: order.quoteQuantity === null ? '0' : formatAmount(order.quoteQuantity),
    cummulativeQuoteQty: formatAmount(order.filledQuote),
    status: upperWord(order.status),
    timeInForce: timeInForceOf(order),
    type: typeOf(order),
    side: upperWord(order.side),
    selfTradePreventionMode: 'EXPIRE_TAKER',
  };
}

/** An order as read endpoints return it. */
export function orderObject(market: SpotMarket, order: SpotOrder) {
  return Object.assign(bodyOf(market, order), {
    stopPrice: '0',
    icebergQty: '0',
    time: order.createdAt,
    updateTime: order.updatedAt,
    isWorking: true,
    workingTime: order.createdAt,
  });
}

/** The answer to a new order: an acknowledgement, the result, or the result with its fills. */
export function placedObject(
  market: SpotMarket,
  { order, trades }: EnteredSpotOrder,
  responseType: ResponseType,
) {
  if (responseType === 'ACK') {
    return {
      symbol: market.symbol,
      orderId: order.orderNumber,
      orderListId: -1,
      clientOrderId: clientOrderIdOf(order),
      transactTime: order.createdAt,
    };
  }
  const times = { transactTime: order.createdAt, workingTime: order.createdAt };
  const body = Object.assign(bodyOf(market, order), times);
  if (responseType === 'RESULT') return body;
  return Object.assign(body, { fills: trades.map((trade) => fillObject(market, trade)) });
}

function fillObject(market: SpotMarket, trade: SpotTrade) {
  return {
    price: formatDecimal(decimalFromTicks(market, trade.price)),
    qty: formatDecimal(decimalFromLots(market, trade.quantity)),
    commission: formatAmount(trade.takerFee),
    commissionAsset: trade.takerSide === 'buy' ? market.baseToken : market.quoteToken,
    tradeId: trade.tradeId,
  };
}

/** A canceled order; `cancelId` is the client's id for the cancel. */
export function canceledObject(market: SpotMarket, order: SpotOrder, cancelId: string) {
  return Object.assign(bodyOf(market, order), {
    origClientOrderId: clientOrderIdOf(order),
    clientOrderId: cancelId,
    transactTime: order.updatedAt,
  });
}
