import type { Address } from '../../domain/identifiers.ts';
import { formatOrderId } from '../../domain/order-id.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { EngineBusyError } from '../ports/exchange.ts';
import type { OperatorLog } from '../ports/operators.ts';
import { submitUntilDone } from '../submit-until-done.ts';
import type { SpotTradingPorts } from './place-spot-order.ts';

export interface CancelAllPorts extends SpotTradingPorts {
  readonly log: OperatorLog;
}

export interface CanceledOrdersView {
  readonly canceled: readonly string[];
}

/**
 * Cancels the caller's resting orders in one market, or in all if the symbol is null. If the
 * engine's queue is full, it returns what was canceled so far, usually nothing, as if there were no
 * further orders, and logs a warning for the operator.
 * @throws EngineRestartingError: nothing was canceled, or only a part.
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
  const command = { type: 'cancelAllSpotOrders', accountId, marketId } as const;
  const canceled: string[] = [];
  try {
    const ended = await submitUntilDone(exchange, command, (event) => {
      if (event.type === 'spotOrderUpdated') canceled.push(formatOrderId(event.order));
    });
    if (ended.kind === 'refused') return ended;
  } catch (error) {
    if (!(error instanceof EngineBusyError)) throw error;
    const details = { caller, symbol, canceled: canceled.length };
    ports.log.warn(
      details,
      'cancel-all returned what it canceled so far: the engine queue is full',
    );
  }
  return done({ canceled });
}
