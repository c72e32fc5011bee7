import { assert } from '../../../domain/assert.ts';
import type { SelfTradeMode } from '../../../domain/futures-order.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { Lots } from '../../../domain/spot-market.ts';
import type { AttachedTrigger, PlaceFuturesOrder } from '../../futures-commands.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { checkTrigger } from '../triggers/check-trigger.ts';
import { isArmed } from './attached-orders.ts';
import { checkMarket, checkOrderCount, checkOwner, isQuantity } from './check-order.ts';
import { type AdmittedOrder, admitOrder, isRejection, runOrder } from './enter-order.ts';
import { isWaiting, type LiveOrder } from './live-order.ts';
import { anyPrice } from './match-order.ts';

const noChildren: readonly LiveOrder[] = [];
/** An attached order has to close its position, so orders of its own account give way to it. */
const modeOfChild: ByRules<SelfTradeMode> = {
  11: 'expire_taker',
  12: 'expire_maker',
  13: 'expire_maker',
};

/** Accepts an order, or returns why not; a rejected one leaves no trace. */
export function placeOrder(state: FuturesState, command: PlaceFuturesOrder): Rejection | null {
  const account = state.openAccount(command.accountId);
  const order = readOrder(state, command);
  const admitted = judge(state, account, command, order);
  if (isRejection(admitted)) return admitted;
  const children = readChildren(state, command, order);
  order.hasChildren = children.length > 0;
  accept(state, order);
  for (const child of children) accept(state, child);
  if (isWaiting(order)) return null;
  runOrder(state, admitted);
  return null;
}

/** Returns why the order would be rejected now; null if it would be accepted. Changes nothing. */
export function judgeOrder(state: FuturesState, command: PlaceFuturesOrder): Rejection | null {
  const { accountId } = command;
  const account = state.accounts[accountId] ?? state.blankAccount(accountId);
  const judged = judge(state, account, command, readOrder(state, command));
  state.orders.recycle();
  return isRejection(judged) ? judged : null;
}

function judge(
  state: FuturesState,
  account: FuturesAccount,
  command: PlaceFuturesOrder,
  order: LiveOrder,
): Rejection | AdmittedOrder {
  const market = state.markets[command.marketId];
  if (market === undefined) return { reason: 'market_not_found' };
  const refusal =
    checkMarket(state, market) ??
    checkQuantity(state, command) ??
    checkOwner(state, order) ??
    checkClientOrderId(state, command) ??
    checkOrderCount(state, command.accountId, command.marketId);
  if (refusal !== null) return refusal;
  // The prices at which it can trade are judged when it triggers.
  if (isWaiting(order))
    return checkTrigger(state, market, order) ?? { order, limit: anyPrice(order) };
  return admitOrder(state, account, market, order, command.worstPrice);
}

function accept(state: FuturesState, order: LiveOrder): void {
  assert(order.orderNumber === state.engine.orderNumber + 1, 'order numbers rise by one');
  state.takeOrderNumber();
  // An order that goes straight to the book is added when it rests, if it does.
  if (isWaiting(order) || order.hasChildren) state.addOrder(order);
  if (isArmed(state, order)) state.getMarket(order.marketId).triggers.add(order);
  state.reportOrder(order, 'placed');
}

/** Only an order that closes whatever its position then is has none. */
function checkQuantity(state: FuturesState, command: PlaceFuturesOrder): Rejection | null {
  const { quantity, isClosePosition } = command;
  const isMissing = quantity === null && isClosePosition;
  return isMissing || isQuantity(state, quantity ?? 0) ? null : { reason: 'quantity_off_lot' };
}

function checkClientOrderId(state: FuturesState, command: PlaceFuturesOrder): Rejection | null {
  const { accountId, clientOrderId } = command;
  if (clientOrderId === null) return null;
  const isTaken = state.orders.findByClientId(accountId, clientOrderId) !== undefined;
  return isTaken ? { reason: 'duplicate_client_order_id' } : null;
}

function readOrder(state: FuturesState, command: PlaceFuturesOrder): LiveOrder {
  const { accountId, marketId } = command;
  const order = state.openOrder(state.engine.orderNumber + 1, accountId, marketId);
  order.readTerms(command);
  order.clientOrderId = command.clientOrderId;
  order.price = command.price;
  order.quantity = command.quantity ?? (0 as Lots);
  order.stopPrice = command.stopPrice;
  order.activationPrice = command.activationPrice;
  order.callback = command.callback;
  order.goodTill = command.goodTill;
  return order;
}

function readChildren(
  state: FuturesState,
  { takeProfit, stopLoss }: PlaceFuturesOrder,
  parent: LiveOrder,
): readonly LiveOrder[] {
  if (isWaiting(parent) || (takeProfit === null && stopLoss === null)) return noChildren;
  const children: LiveOrder[] = [];
  let orderNumber = parent.orderNumber + 1;
  if (takeProfit !== null) {
    children.push(readChild(state, takeProfit, parent, orderNumber));
    orderNumber += 1;
  }
  if (stopLoss !== null) {
    const child = readChild(state, stopLoss, parent, orderNumber);
    child.type = 'stop_market';
    children.push(child);
  }
  return children;
}

/** Creates a take-profit order that closes what its parent opens. */
function readChild(
  state: FuturesState,
  trigger: AttachedTrigger,
  parent: LiveOrder,
  orderNumber: number,
): LiveOrder {
  const child = state.openOrder(orderNumber, parent.accountId, parent.marketId);
  child.side = parent.side === 'buy' ? 'sell' : 'buy';
  child.type = 'take_profit_market';
  child.quantity = parent.quantity;
  child.stopPrice = trigger.stopPrice;
  child.triggerPriceKind = trigger.triggerPriceKind;
  child.isReduceOnly = true;
  child.selfTradeMode = modeOfChild[state.rules];
  child.parentOrderNumber = parent.orderNumber;
  return child;
}
