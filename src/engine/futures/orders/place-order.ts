import { assert } from '../../../domain/assert.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { Lots } from '../../../domain/spot-market.ts';
import type { AttachedTrigger, PlaceFuturesOrder } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';
import { clientKey } from '../futures-state.ts';
import { checkTrigger } from '../triggers/check-trigger.ts';
import { checkMarket, checkOrderCount } from './check-order.ts';
import { admitOrder, isRejection, runOrder } from './enter-order.ts';
import { blankOrder, isWaiting, type LiveOrder } from './live-order.ts';

/** Takes an order in, or says why not; a refused one leaves no trace. */
export function placeOrder(state: FuturesState, command: PlaceFuturesOrder): Rejection | null {
  const market = state.markets[command.marketId];
  if (market === undefined) return { reason: 'market_not_found' };
  const account = state.openAccount(command.accountId);
  const refusal =
    checkMarket(market) ??
    checkClientOrderId(state, command) ??
    checkOrderCount(account, command.marketId);
  if (refusal !== null) return refusal;
  const order = readOrder(state, command);
  if (order.stopPrice !== null || order.callback !== null) {
    const refused = checkTrigger(market, order);
    if (refused !== null) return refused;
    accept(state, order);
    return null;
  }
  const admitted = admitOrder(state, account, market, order, command.worstPrice);
  if (isRejection(admitted)) return admitted;
  accept(state, order);
  for (const child of readChildren(state, command, order)) accept(state, child);
  runOrder(state, admitted);
  return null;
}

function accept(state: FuturesState, order: LiveOrder): void {
  assert(order.orderNumber === state.engine.orderNumber + 1, 'order numbers rise by one');
  state.takeOrderNumber();
  state.addOrder(order);
  if (isWaiting(order)) state.getMarket(order.marketId).triggers.add(order);
  state.reportOrder(order, 'placed');
}

function checkClientOrderId(state: FuturesState, command: PlaceFuturesOrder): Rejection | null {
  if (command.clientOrderId === null) return null;
  const isTaken = state.clientOrderIds.has(clientKey(command));
  return isTaken ? { reason: 'duplicate_client_order_id' } : null;
}

function readOrder(state: FuturesState, command: PlaceFuturesOrder): LiveOrder {
  const { accountId, marketId } = command;
  const order = blankOrder(state.engine.orderNumber + 1, accountId, marketId, state.now);
  order.clientOrderId = command.clientOrderId;
  order.side = command.side;
  order.type = command.orderType;
  order.timeInForce = command.timeInForce;
  order.price = command.price;
  order.quantity = command.quantity ?? (0 as Lots);
  order.stopPrice = command.stopPrice;
  order.triggerPriceKind = command.triggerPriceKind;
  order.activationPrice = command.activationPrice;
  order.callback = command.callback;
  // Closing a position is a reduction by all that is there when it triggers.
  order.isReduceOnly = command.isReduceOnly || command.isClosePosition;
  order.isClosePosition = command.isClosePosition;
  order.isPriceProtected = command.isPriceProtected;
  order.selfTradeMode = command.selfTradeMode;
  order.goodTill = command.goodTill;
  order.isAlgo = command.isAlgo;
  return order;
}

function readChildren(
  state: FuturesState,
  { takeProfit, stopLoss }: PlaceFuturesOrder,
  parent: LiveOrder,
): readonly LiveOrder[] {
  const children: LiveOrder[] = [];
  const add = (trigger: AttachedTrigger | null, type: LiveOrder['type']): void => {
    if (trigger === null) return;
    const number = parent.orderNumber + children.length + 1;
    const child = blankOrder(number, parent.accountId, parent.marketId, state.now);
    child.side = parent.side === 'buy' ? 'sell' : 'buy';
    child.type = type;
    child.quantity = parent.quantity;
    child.stopPrice = trigger.stopPrice;
    child.triggerPriceKind = trigger.triggerPriceKind;
    child.isReduceOnly = true;
    child.parentOrderNumber = parent.orderNumber;
    children.push(child);
  };
  add(takeProfit, 'take_profit_market');
  add(stopLoss, 'stop_market');
  return children;
}
