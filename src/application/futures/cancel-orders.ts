import type { Address, OrderNumber } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { submitUntilDone } from '../submit-until-done.ts';
import { cancelFuturesOrder } from './enter-futures-order.ts';
import { type FuturesPorts, peekMarket } from './futures-ports.ts';
import { type FuturesOrderView, viewFuturesOrder } from './futures-views.ts';

/**
 * Cancels a live order of the caller and the trigger orders attached to it; returns the order.
 * @throws EngineBusyError, EngineRestartingError: nothing was canceled.
 */
export async function cancelOrder(
  ports: FuturesPorts,
  caller: Address,
  orderNumber: OrderNumber,
): Promise<Outcome<FuturesOrderView>> {
  const canceled = await cancelFuturesOrder(ports, caller, orderNumber);
  if (canceled.kind === 'refused') return canceled;
  const order = canceled.value;
  const market = ports.exchange.peek((view) => view.futures.getFuturesMarket(order.marketId));
  return done(viewFuturesOrder(order, market));
}

/**
 * Cancels the caller's live orders, or only those waiting for their trigger, in one market or in
 * all (null); returns their numbers.
 * @throws EngineBusyError, EngineRestartingError: nothing was canceled, or only the oldest.
 */
export async function cancelAllOrders(
  ports: FuturesPorts,
  caller: Address,
  symbol: string | null,
  kind: 'all' | 'algo' = 'all',
): Promise<Outcome<readonly OrderNumber[]>> {
  const market = symbol === null ? null : peekMarket(ports, symbol);
  if (symbol !== null && market === null) return refused({ reason: 'market_not_found' });
  const accountId = ports.exchange.peek((view) => view.findAccount(caller));
  if (accountId === null) return done([]);
  const marketId = market?.marketId ?? null;
  const command = { type: 'cancelAllFuturesOrders', accountId, marketId, kind } as const;
  const canceled = new Set<OrderNumber>();
  const ended = await submitUntilDone(ports.exchange, command, (event) => {
    const isOwn = event.type === 'futuresOrderUpdated' && event.order.accountId === accountId;
    if (isOwn && event.order.status === 'canceled') canceled.add(event.order.orderNumber);
  });
  return ended.kind === 'refused' ? ended : done([...canceled]);
}
