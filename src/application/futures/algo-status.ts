import type { FuturesOrder } from '../../domain/futures-order.ts';
import type { FuturesOrderEnd } from '../../engine/futures-events.ts';

/** A conditional order's status in Binance's spelling. */
export type AlgoStatus =
  | ('NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'REJECTED' | 'EXPIRED')
  /** Its price is reached and its order is about to be created; sent in events only. */
  | 'TRIGGERING';

/** How a triggered order ends if the engine does not accept it. */
const refusals: ReadonlySet<FuturesOrderEnd | null> = new Set([
  'margin',
  'price_match',
  'reduce_only',
  'price_protection',
]);

/** NEW while it waits. Once triggered it ends as FINISHED, or as REJECTED if no order resulted. */
export function algoStatusOf(order: FuturesOrder, end: FuturesOrderEnd | null): AlgoStatus {
  const isTriggered = order.triggeredAt !== null;
  switch (order.status) {
    case 'new':
    case 'partially_filled':
      return isTriggered ? 'TRIGGERED' : 'NEW';
    case 'filled':
      return 'FINISHED';
    case 'canceled':
      return isTriggered ? 'FINISHED' : 'CANCELED';
    case 'rejected':
      return 'REJECTED';
    case 'expired':
    case 'expired_in_match':
      if (!isTriggered) return 'EXPIRED';
      return isRefused(order, end) ? 'REJECTED' : 'FINISHED';
  }
}

/** It ended without a trade in the moment in which it triggered, as no order was created. */
function isRefused(
  { triggeredAt, updatedAt, filledQuantity, timeInForce }: FuturesOrder,
  end: FuturesOrderEnd | null,
): boolean {
  const isPostOnlyCrossing = timeInForce === 'gtx' && end === 'time_in_force';
  const isRefusal = isPostOnlyCrossing || refusals.has(end);
  return isRefusal && updatedAt === triggeredAt && filledQuantity === 0;
}
