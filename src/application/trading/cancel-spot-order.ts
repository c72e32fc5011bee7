import type { Address } from '../../domain/identifiers.ts';
import { formatOrderId, type OrderIdParts, parseOrderId } from '../../domain/order-id.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { EngineView } from '../ports.ts';
import type { SpotTradingPorts } from './place-spot-order.ts';
import { type SpotOrderView, viewSpotOrder } from './spot-views.ts';

/**
 * Cancels a resting order of the caller and answers it as it then stands. A live order of somebody
 * else is `order_not_owned`; a finished one, whoever placed it, is `order_not_found`, so that a
 * cancel never needs the database.
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
    // The order may have ended a moment ago: nobody is told so before it is durable.
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

// The number alone finds the order; an id with another time in it is no id of this order.
function isLive(view: EngineView, id: OrderIdParts): boolean {
  const order = view.findOpenOrder(id.orderNumber);
  return order !== null && formatOrderId(order) === formatOrderId(id);
}
