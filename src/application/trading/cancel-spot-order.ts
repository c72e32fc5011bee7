import type { Address } from '../../domain/identifiers.ts';
import { formatOrderId, type OrderIdParts, parseOrderId } from '../../domain/order-id.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { EngineView } from '../ports/exchange.ts';
import type { SpotTradingPorts } from './place-spot-order.ts';
import { type SpotOrderView, viewSpotOrder } from './spot-views.ts';

/**
 * Cancels a resting order of the caller and returns its final state. Another account's live order
 * is `order_not_owned`; any finished order is `order_not_found`, so that a cancel never needs the
 * database.
 * @throws EngineBusyError, EngineRestartingError: nothing was canceled.
 */
export async function cancelSpotOrder(
  ports: SpotTradingPorts,
  caller: Address,
  orderId: string,
): Promise<Outcome<SpotOrderView>> {
  if (!ports.isSpotTradingEnabled) return refused({ reason: 'spot_trading_disabled' });
  const { exchange } = ports;
  const id = parseOrderId(orderId);
  if (id === null) return refused({ reason: 'order_not_found' });
  if (!exchange.peek((view) => isLive(view, id))) {
    // The order may have just ended: this is not reported before it is durable.
    const isStillLive = await exchange.read((view) => isLive(view, id));
    if (!isStillLive) return refused({ reason: 'order_not_found' });
  }
  const accountId = exchange.peek((view) => view.findAccount(caller));
  if (accountId === null) return refused({ reason: 'order_not_owned' });
  const { orderNumber } = id;
  const applied = await exchange.submit({ type: 'cancelSpotOrder', accountId, orderNumber });
  if (applied.rejection !== null) return refused(applied.rejection);
  for (const event of applied.events) {
    if (event.type !== 'spotOrderUpdated' || event.order.orderNumber !== orderNumber) continue;
    const { order } = event;
    const market = exchange.peek((view) => view.getSpotMarket(order.marketId));
    return done(viewSpotOrder(order, market));
  }
  return refused({ reason: 'order_not_found' });
}

// The number alone finds the order; an id with another time is not this order's id.
function isLive(view: EngineView, id: OrderIdParts): boolean {
  const order = view.findOpenOrder(id.orderNumber);
  return order !== null && formatOrderId(order) === formatOrderId(id);
}
