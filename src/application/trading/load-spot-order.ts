import type { Address, OrderNumber, Sequence } from '../../domain/identifiers.ts';
import { parseOrderId } from '../../domain/order-id.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { Exchange } from '../ports/exchange.ts';
import type { OwnedSpotOrder, SpotHistory } from '../ports/spot-history.ts';
import { type SpotOrderView, viewSpotOrder } from './spot-views.ts';

export interface SpotHistoryPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly history: SpotHistory;
}

/**
 * An order of the caller: live from the engine, otherwise finished from the database. Another
 * account's order is not found.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function loadSpotOrder(
  ports: SpotHistoryPorts,
  caller: Address,
  orderId: string,
): Promise<Outcome<SpotOrderView>> {
  const id = parseOrderId(orderId);
  if (id === null) return refused({ reason: 'order_not_found' });
  const live = await ports.exchange.read((view) => {
    const order = view.findOpenOrder(id.orderNumber);
    if (order === null) return { sequence: view.sequence, order: null };
    return {
      sequence: view.sequence,
      order: viewSpotOrder(order, view.getSpotMarket(order.marketId)),
      owner: view.getAddress(order.accountId),
    };
  });
  const found =
    live.order === null
      ? await findFinished(ports, live.sequence, id.orderNumber)
      : { owner: live.owner, order: live.order };
  const isTheirs = found !== null && found.owner === caller;
  if (!isTheirs || found.order.order_id !== orderId.toLowerCase()) {
    return refused({ reason: 'order_not_found' });
  }
  return done(found.order);
}

async function findFinished(
  ports: SpotHistoryPorts,
  sequence: Sequence,
  orderNumber: OrderNumber,
): Promise<OwnedSpotOrder | null> {
  await ports.barrier.waitFor(sequence);
  return ports.history.findOrder(orderNumber);
}
