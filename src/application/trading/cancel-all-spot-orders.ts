import type { Address } from '../../domain/identifiers.ts';
import { formatOrderId } from '../../domain/order-id.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { EngineBusyError, type OperatorLog } from '../ports.ts';
import type { SpotTradingPorts } from './place-spot-order.ts';

export interface CancelAllPorts extends SpotTradingPorts {
  readonly log: OperatorLog;
}

export interface CanceledOrdersView {
  readonly canceled: readonly string[];
}

/**
 * Cancels the caller's resting orders in one market, or in all where the symbol is null. While the
 * engine's queue is full the answer is an empty list, as if there were no orders, and the operator
 * is told.
 * @throws EngineRestartingError: nothing was canceled.
 */
export async function cancelAllSpotOrders(
  ports: CancelAllPorts,
  caller: Address,
  symbol: string | null,
): Promise<Outcome<CanceledOrdersView>> {
  if (!ports.isSpotTradingEnabled) return refused({ reason: 'spot_trading_disabled' });
  const { exchange } = ports;
  const target = exchange.peek((view) => ({
    market: symbol === null ? null : view.findSpotMarket(symbol),
    accountId: view.findAccount(caller),
  }));
  const { market, accountId } = target;
  if (symbol !== null && market === null) return refused({ reason: 'market_not_found' });
  if (accountId === null) return done({ canceled: [] });
  const marketId = market?.marketId ?? null;
  try {
    const applied = await exchange.submit({ type: 'cancelAllSpotOrders', accountId, marketId });
    if (applied.rejection !== null) return refused(applied.rejection);
    const canceled: string[] = [];
    for (const event of applied.events) {
      if (event.type === 'spotOrderUpdated') canceled.push(formatOrderId(event.order));
    }
    return done({ canceled });
  } catch (error) {
    if (!(error instanceof EngineBusyError)) throw error;
    ports.log.warn({ caller, symbol }, 'cancel-all answered empty: the engine queue is full');
    return done({ canceled: [] });
  }
}
