import { toAmount } from '../../../src/domain/amount.ts';
import type { FuturesMarketId } from '../../../src/domain/futures-market.ts';
import type { CallbackBps, FuturesOrder } from '../../../src/domain/futures-order.ts';
import type { AccountId, TimestampMs } from '../../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../../src/domain/spot-market.ts';
import type { Command } from '../../../src/engine/commands.ts';
import type { FuturesAudit } from '../../../src/engine/futures/futures-audit.ts';
import type { PlaceFuturesOrder } from '../../../src/engine/futures-commands.ts';
import { accountsUsed, type FuturesAction, type PlaceAction } from './futures-actions.ts';

/** The middle of the prices that are drawn, in ticks. */
const basePrice = 1_000;

/** The command that an action means in the present state; null if it means none. */
export function resolveFuturesAction(
  action: FuturesAction,
  view: FuturesAudit,
  now: number,
): Command | null {
  switch (action.kind) {
    case 'place':
      return placeCommand(action, now);
    case 'amend':
    case 'cancel':
      return orderCommand(action, view);
    case 'cancelAll':
      return {
        type: 'cancelAllFuturesOrders',
        accountId: accountId(action.account),
        marketId: action.market as FuturesMarketId | null,
        kind: action.isAlgo ? 'algo' : 'all',
      };
    case 'transfer':
      return {
        type: 'transferFunds',
        accountId: accountId(action.account),
        direction: action.isToPerp ? 'spot_to_perp' : 'perp_to_spot',
        amount: toAmount(action.amount),
        clientTransferId: action.clientTransferId,
      };
    case 'reserve':
      return {
        type: 'reservePerpFunds',
        accountId: accountId(action.account),
        amount: toAmount(action.amount),
        step: action.step,
        reference: `withdrawal ${action.reference} of ${action.account}`,
      };
    case 'leverage':
      return {
        type: 'setLeverage',
        accountId: accountId(action.account),
        marketId: action.market as FuturesMarketId,
        leverage: action.leverage,
      };
    case 'fees':
      return {
        type: 'setAccountFees',
        accountId: accountId(action.account),
        vipTier: 10 - action.tenths,
        vipMultiplierTenths: action.tenths,
        referralDiscountBps: action.discountBps,
      };
    case 'house':
      return houseCommand(action);
    case 'index':
    case 'status':
      return marketCommand(action, view);
    case 'countdown':
      return {
        type: 'setCountdownCancel',
        accountId: accountId(action.account),
        marketId: action.market as FuturesMarketId,
        cancelAt: (now + action.ms) as TimestampMs,
        kind: action.ms % 8 === 0 ? 'resting' : 'all',
      };
    case 'wait':
      return { type: 'advanceTime' };
    case 'restore':
      return null;
  }
}

function houseCommand(action: Extract<FuturesAction, { kind: 'house' }>): Command {
  return {
    type: 'moveHouseFunds',
    amount: toAmount(action.amount),
    source: action.isFromFees ? 'fees' : 'treasury',
    reason: null,
    reference: null,
  };
}

function marketCommand(
  action: Extract<FuturesAction, { kind: 'index' | 'status' }>,
  view: FuturesAudit,
): Command {
  const market = view.listFuturesMarkets()[action.market];
  const symbol = market?.symbol ?? 'NONE';
  if (action.kind === 'status') {
    return { type: 'setFuturesMarketStatus', symbol, status: action.status };
  }
  const ticks = BigInt(basePrice + action.price);
  const price = toAmount((ticks * (market?.tickSize ?? 0n)) / 10n ** 10n);
  return { type: 'setIndexPrice', symbol, price };
}

function placeCommand(action: PlaceAction, now: number): PlaceFuturesOrder {
  const { type } = action;
  const isTrailing = type === 'trailing_stop_market';
  const isTrigger = type !== 'limit' && type !== 'market';
  const isPriced = type === 'limit' || type === 'stop' || type === 'take_profit';
  const mayClose = type === 'stop_market' || type === 'take_profit_market';
  const isClosePosition = mayClose && action.isClosePosition;
  const price = (distance: number): Ticks => (basePrice + distance) as Ticks;
  const child = (distance: number | null) => {
    if (distance === null || isTrigger) return null;
    const signed = action.side === 'buy' ? distance : -distance;
    return { stopPrice: price(action.price + signed), triggerPriceKind: action.watched };
  };
  return {
    type: 'placeFuturesOrder',
    accountId: accountId(action.account),
    marketId: action.market as FuturesMarketId,
    clientOrderId: action.clientOrderId,
    side: action.side,
    orderType: type,
    timeInForce: isPriced ? action.timeInForce : 'ioc',
    price: isPriced && action.priceMatch === 'none' ? price(action.price) : null,
    priceMatch: isPriced ? action.priceMatch : 'none',
    quantity: isClosePosition ? null : (action.quantity as Lots),
    worstPrice: type === 'market' && action.worst !== null ? price(action.worst) : null,
    stopPrice: isTrigger && !isTrailing ? price(action.stop) : null,
    triggerPriceKind: action.watched,
    activationPrice: isTrailing && action.activation !== null ? price(action.activation) : null,
    callback: isTrailing ? (action.callback as CallbackBps) : null,
    isReduceOnly: action.isReduceOnly && !isClosePosition,
    isClosePosition,
    isPriceProtected: isTrigger && action.isPriceProtected,
    selfTradeMode: action.selfTradeMode,
    goodTill:
      isPriced && action.timeInForce === 'gtd' ? ((now + action.lifeMs) as TimestampMs) : null,
    isAlgo: isTrigger && action.isAlgo,
    takeProfit: child(action.takeProfit),
    stopLoss: child(action.stopLoss),
  };
}

function orderCommand(
  action: Extract<FuturesAction, { kind: 'amend' | 'cancel' }>,
  view: FuturesAudit,
): Command | null {
  const orders = liveOrders(view);
  const order = orders[action.order % Math.max(1, orders.length)];
  if (order === undefined) return null;
  const { orderNumber } = order;
  if (action.kind === 'cancel') {
    const somebodyElse = accountId(order.accountId % accountsUsed);
    const owner = action.isOwner ? order.accountId : somebodyElse;
    return { type: 'cancelFuturesOrder', accountId: owner, orderNumber };
  }
  return {
    type: 'amendFuturesOrder',
    accountId: order.accountId,
    orderNumber,
    side: action.side,
    price: action.priceMatch === 'none' ? ((basePrice + action.price) as Ticks) : null,
    priceMatch: action.priceMatch,
    quantity: action.quantity as Lots,
    modifyId: null,
  };
}

function liveOrders(view: FuturesAudit): FuturesOrder[] {
  const accounts = Array.from({ length: view.accountCount }, (_, at) => accountId(at));
  return accounts
    .flatMap((each) => view.listOpenFuturesOrders(each, null))
    .sort((left, right) => left.orderNumber - right.orderNumber);
}

function accountId(account: number): AccountId {
  return (account + 1) as AccountId;
}
