import { assert } from '../../domain/assert.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { SpotOrder } from '../../domain/spot-order.ts';
import type { AppliedCommand, Exchange } from '../ports.ts';
import { judgeSpotOrder, type SpotOrderRequest } from './judge-spot-order.ts';
import { openAccount } from './open-account.ts';
import {
  type SpotFillView,
  type SpotOrderView,
  viewSpotFill,
  viewSpotOrder,
} from './spot-views.ts';

export interface SpotTradingPorts {
  readonly exchange: Exchange;
  /** False where SPOT_TRADING_ENABLED is `false`, for as long as the process runs. */
  readonly isSpotTradingEnabled: boolean;
}

/** The order as it stands after matching, with what it traded at once. */
export interface PlacedSpotOrderView extends SpotOrderView {
  readonly fills: readonly SpotFillView[];
}

/**
 * Places an order of the caller and answers it once it is durable.
 * @throws EngineBusyError, EngineRestartingError: the order was not taken.
 */
export async function placeSpotOrder(
  ports: SpotTradingPorts,
  caller: Address,
  request: SpotOrderRequest,
): Promise<Outcome<PlacedSpotOrderView>> {
  if (!ports.isSpotTradingEnabled) return refused({ reason: 'spot_trading_disabled' });
  const { exchange } = ports;
  const market = exchange.peek((view) => view.findSpotMarket(request.symbol));
  if (market === null) return refused({ reason: 'market_not_found' });
  const terms = judgeSpotOrder(market, request);
  if (terms.kind === 'refused') return terms;
  // Almost always the account is there; asking for it first saves the order a turn of waiting.
  const known = exchange.peek((view) => view.findAccount(caller));
  const accountId = known ?? (await openAccount(exchange, caller));
  const applied = await exchange.submit({
    type: 'placeSpotOrder',
    accountId,
    marketId: market.marketId,
    clientOrderId: request.clientOrderId,
    side: terms.value.side,
    orderType: terms.value.orderType,
    timeInForce: terms.value.timeInForce,
    price: terms.value.price,
    quantity: terms.value.quantity,
    quoteQuantity: terms.value.quoteQuantity,
  });
  if (applied.rejection !== null) return refused(applied.rejection);
  return done(viewPlacedOrder(applied, accountId, market));
}

function viewPlacedOrder(
  applied: AppliedCommand,
  accountId: AccountId,
  market: SpotMarket,
): PlacedSpotOrderView {
  let placed: SpotOrder | null = null;
  const fills: SpotFillView[] = [];
  for (const event of applied.events) {
    // An order never trades with its owner's other orders, so the caller's one is the new one.
    if (event.type === 'spotOrderUpdated' && event.order.accountId === accountId) {
      placed = event.order;
    }
    if (event.type === 'spotTradeExecuted') fills.push(viewSpotFill(event.trade, market, 'taker'));
  }
  assert(placed !== null, 'an order that was taken has an event of its own');
  // A field beside a spread would cost the runtime microseconds each time.
  return Object.assign(viewSpotOrder(placed, market), { fills });
}
