import type { Address } from '../../domain/identifiers.ts';
import { type Outcome, refused } from '../../domain/outcome.ts';
import type { Exchange, RequestDigest } from '../ports/exchange.ts';
import { enterSpotOrder } from './enter-spot-order.ts';
import {
  type SpotFillView,
  type SpotOrderView,
  viewSpotFill,
  viewSpotOrder,
} from './spot-views.ts';
import { type SpotOrderRequest, validateSpotOrder } from './validate-spot-order.ts';

export interface SpotTradingPorts {
  readonly exchange: Exchange;
  /** False if SPOT_TRADING_ENABLED is `false`; constant while the process runs. */
  readonly isSpotTradingEnabled: boolean;
}

/** The order's state after matching, with its immediate trades. */
export interface PlacedSpotOrderView extends SpotOrderView {
  readonly fills: readonly SpotFillView[];
}

/**
 * Places an order of the caller and returns it once it is durable.
 * @throws EngineBusyError, EngineRestartingError: the order was not accepted.
 */
export function placeSpotOrder(
  ports: SpotTradingPorts,
  caller: Address,
  request: SpotOrderRequest,
  digest: RequestDigest | null = null,
): Outcome<PlacedSpotOrderView> | Promise<Outcome<PlacedSpotOrderView>> {
  if (!ports.isSpotTradingEnabled) return refused({ reason: 'spot_trading_disabled' });
  const { exchange } = ports;
  const market = exchange.peek((view) => view.findSpotMarket(request.symbol));
  if (market === null) return refused({ reason: 'market_not_found' });
  const terms = validateSpotOrder(market, request);
  if (terms.kind === 'refused') return terms;
  const { clientOrderId } = request;
  const entry = { market, terms: terms.value, clientOrderId, digest };
  return enterSpotOrder(exchange, caller, entry, ({ order, trades }) => {
    const fills = trades.map((trade) => viewSpotFill(trade, market, 'taker'));
    // A field next to a spread would cost microseconds at run time.
    return Object.assign(viewSpotOrder(order, market), { fills });
  });
}
