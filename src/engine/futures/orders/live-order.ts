import { toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { CallbackBps, FuturesOrder } from '../../../domain/futures-order.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An order while it lives: it waits for its trigger, rests in the book, or is being matched. */
export interface LiveOrder extends Mutable<FuturesOrder> {
  /** Stands in the book. */
  isResting: boolean;
  /** Trigger orders were attached to it. */
  hasChildren: boolean;
}

/** The order as it stands now, for an event or a reader. */
export function describeOrder(order: LiveOrder): FuturesOrder {
  return {
    orderNumber: order.orderNumber,
    accountId: order.accountId,
    marketId: order.marketId,
    clientOrderId: order.clientOrderId,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: order.price,
    priceMatch: order.priceMatch,
    quantity: order.quantity,
    filledQuantity: order.filledQuantity,
    filledQuote: order.filledQuote,
    status: order.status,
    stopPrice: order.stopPrice,
    triggerPriceKind: order.triggerPriceKind,
    activationPrice: order.activationPrice,
    callback: order.callback,
    isReduceOnly: order.isReduceOnly,
    isClosePosition: order.isClosePosition,
    isPriceProtected: order.isPriceProtected,
    selfTradeMode: order.selfTradeMode,
    goodTill: order.goodTill,
    parentOrderNumber: order.parentOrderNumber,
    isAlgo: order.isAlgo,
    origin: order.origin,
    triggeredAt: order.triggeredAt,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

/** A market order with every other field at its default. */
export function blankOrder(
  orderNumber: number,
  accountId: number,
  marketId: number,
  now: TimestampMs,
): LiveOrder {
  return {
    orderNumber: orderNumber as OrderNumber,
    accountId: accountId as AccountId,
    marketId: marketId as FuturesMarketId,
    clientOrderId: null,
    side: 'buy',
    type: 'market',
    timeInForce: 'ioc',
    price: null as Ticks | null,
    priceMatch: 'none',
    quantity: 0 as Lots,
    filledQuantity: 0 as Lots,
    filledQuote: toAmount(0n),
    status: 'new',
    stopPrice: null as Ticks | null,
    triggerPriceKind: 'contract',
    activationPrice: null as Ticks | null,
    callback: null as CallbackBps | null,
    isReduceOnly: false,
    isClosePosition: false,
    isPriceProtected: false,
    selfTradeMode: 'expire_taker',
    goodTill: null,
    parentOrderNumber: null,
    isAlgo: false,
    origin: 'user',
    triggeredAt: null,
    createdAt: now,
    updatedAt: now,
    isResting: false,
    hasChildren: false,
  };
}

export function leftOf(order: LiveOrder): number {
  return order.quantity - order.filledQuantity;
}

/** Whether the order still waits for its trigger. */
export function isWaiting(order: LiveOrder): boolean {
  return order.stopPrice !== null || order.callback !== null ? order.triggeredAt === null : false;
}
