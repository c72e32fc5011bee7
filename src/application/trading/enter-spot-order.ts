import { assert } from '../../domain/assert.ts';
import type { AccountId, Address, OrderNumber } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { SpotOrder, SpotTrade } from '../../domain/spot-order.ts';
import type { PlaceSpotOrder } from '../../engine/commands.ts';
import type { AppliedCommand, Exchange, RequestDigest } from '../ports/exchange.ts';
import { submitUntilDone } from '../submit-until-done.ts';
import { openAccount } from './open-account.ts';
import type { SpotOrderTerms } from './validate-spot-order.ts';

// Spot orders in the engine's types; each API formats them itself.

/** An order's state after matching, with its immediate trades. */
export interface EnteredSpotOrder {
  readonly order: SpotOrder;
  readonly trades: readonly SpotTrade[];
}

/** A spot order to enter, in the engine's terms. */
export interface SpotOrderEntry {
  readonly market: SpotMarket;
  readonly terms: SpotOrderTerms;
  readonly clientOrderId: string | null;
  /** Of the signed request that the order comes from. */
  readonly digest: RequestDigest | null;
}

/**
 * Places an order of the caller; resolves once it is durable, to what the caller's API shows of it.
 * @throws EngineBusyError, EngineRestartingError: the order was not accepted.
 */
export function enterSpotOrder<Shown>(
  exchange: Exchange,
  caller: Address,
  entry: SpotOrderEntry,
  show: (entered: EnteredSpotOrder) => Shown,
): Promise<Outcome<Shown>> {
  // Callbacks, since the frame of an async function costs every order a kilobyte of garbage.
  const enter = (accountId: AccountId): Promise<Outcome<Shown>> =>
    exchange
      .submit(commandOf(accountId, entry), entry.digest)
      .then((applied) =>
        applied.rejection === null
          ? done(show(enteredOrder(applied, accountId)))
          : refused(applied.rejection),
      );
  // The account almost always exists; looking it up first saves the order a round trip.
  const known = exchange.peek((view) => view.findAccount(caller));
  return known === null ? openAccount(exchange, caller).then(enter) : enter(known);
}

function commandOf(
  accountId: AccountId,
  { market, terms, clientOrderId }: SpotOrderEntry,
): PlaceSpotOrder {
  return {
    type: 'placeSpotOrder',
    accountId,
    marketId: market.marketId,
    clientOrderId,
    side: terms.side,
    orderType: terms.orderType,
    timeInForce: terms.timeInForce,
    price: terms.price,
    quantity: terms.quantity,
    quoteQuantity: terms.quoteQuantity,
  };
}

function enteredOrder({ events }: AppliedCommand, accountId: AccountId): EnteredSpotOrder {
  let order: SpotOrder | null = null;
  const trades: SpotTrade[] = [];
  for (const event of events) {
    // Self-trades never happen, so the caller's order among the events is the new one.
    if (event.type === 'spotOrderUpdated' && event.order.accountId === accountId) {
      order = event.order;
    }
    if (event.type === 'spotTradeExecuted') trades.push(event.trade);
  }
  assert(order !== null, 'an accepted order has an event');
  return { order, trades };
}

/**
 * Cancels a live order of the caller and returns its final state.
 * @throws EngineBusyError, EngineRestartingError: nothing was canceled.
 */
export async function cancelEnteredOrder(
  exchange: Exchange,
  caller: Address,
  orderNumber: OrderNumber,
): Promise<Outcome<SpotOrder>> {
  const accountId = exchange.peek((view) => view.findAccount(caller));
  if (accountId === null) return refused({ reason: 'order_not_found' });
  const applied = await exchange.submit({ type: 'cancelSpotOrder', accountId, orderNumber });
  if (applied.rejection !== null) return refused(applied.rejection);
  const canceled = ordersOf(applied).find((order) => order.orderNumber === orderNumber);
  return canceled === undefined ? refused({ reason: 'order_not_found' }) : done(canceled);
}

/**
 * Cancels all of the caller's live orders in the market, oldest first.
 * @throws EngineBusyError, EngineRestartingError: nothing was canceled, or only the oldest.
 */
export async function cancelEnteredOrders(
  exchange: Exchange,
  caller: Address,
  { marketId }: SpotMarket,
): Promise<Outcome<readonly SpotOrder[]>> {
  const accountId = exchange.peek((view) => view.findAccount(caller));
  if (accountId === null) return done([]);
  const command = { type: 'cancelAllSpotOrders', accountId, marketId } as const;
  const orders: SpotOrder[] = [];
  const ended = await submitUntilDone(exchange, command, (event) => {
    if (event.type === 'spotOrderUpdated') orders.push(event.order);
  });
  return ended.kind === 'refused' ? ended : done(orders);
}

function ordersOf({ events }: AppliedCommand): readonly SpotOrder[] {
  return events.flatMap((event) => (event.type === 'spotOrderUpdated' ? [event.order] : []));
}
