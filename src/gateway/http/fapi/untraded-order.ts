import type { FuturesOrderTerms } from '../../../application/futures/enter-futures-order.ts';
import { zeroAmount } from '../../../domain/amount.ts';
import type { FuturesOrder } from '../../../domain/futures-order.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../../../domain/identifiers.ts';
import type { Lots } from '../../../domain/spot-market.ts';

/** The order that the terms would have made, without a number, before anything happened to it. */
export function untradedOrder(
  { orderType, quantity, ...terms }: FuturesOrderTerms,
  now: TimestampMs,
): FuturesOrder {
  return {
    ...terms,
    orderNumber: 0 as OrderNumber,
    accountId: 0 as AccountId,
    type: orderType,
    quantity: quantity ?? (0 as Lots),
    filledQuantity: 0 as Lots,
    filledQuote: zeroAmount,
    status: 'new',
    parentOrderNumber: null,
    origin: 'user',
    triggeredAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
