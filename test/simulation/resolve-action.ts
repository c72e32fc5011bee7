import { toAmount } from '../../src/domain/amount.ts';
import { parseDecimal } from '../../src/domain/decimal.ts';
import type { AccountId, Address, MarketId, OrderNumber } from '../../src/domain/identifiers.ts';
import type { Lots, SpotMarketStatus, Ticks } from '../../src/domain/spot-market.ts';
import type { SpotOrder } from '../../src/domain/spot-order.ts';
import type { EngineAudit } from '../../src/engine/audit-view.ts';
import type { Command } from '../../src/engine/commands.ts';
import { type Action, tokens } from './actions.ts';

const somebodyElse = 1_000;
const openMarketsUsed = 4;
const unusualMarket = 17;
const unknownMarket = 19;
const unknownWithdrawal = 60;

/** The command that an action means in the present state; null if it means none. */
export function resolveAction(action: Action, view: EngineAudit): Command | null {
  switch (action.kind) {
    case 'place':
      return {
        type: 'placeSpotOrder',
        accountId: (action.account + 1) as AccountId,
        marketId: resolveMarket(action.market, view),
        side: action.side,
        clientOrderId: action.clientOrderId,
        orderType: action.type,
        timeInForce: action.timeInForce,
        price: action.price as Ticks | null,
        quantity: action.quantity as Lots | null,
        quoteQuantity: action.quoteQuantity === null ? null : toAmount(action.quoteQuantity),
      };
    case 'cancel': {
      const orders = liveOrders(view);
      const order = orders[action.order % Math.max(1, orders.length)];
      if (order === undefined) return null;
      const accountId = action.isOwner ? order.accountId : (somebodyElse as AccountId);
      return { type: 'cancelSpotOrder', accountId, orderNumber: order.orderNumber };
    }
    case 'cancelUnknown':
      return {
        type: 'cancelSpotOrder',
        accountId: (action.account + 1) as AccountId,
        orderNumber: action.orderNumber as OrderNumber,
      };
    case 'cancelAll':
      return {
        type: 'cancelAllSpotOrders',
        accountId: (action.account + 1) as AccountId,
        marketId: action.market === null ? null : resolveMarket(action.market, view),
      };
    case 'credit':
      return {
        type: 'creditBalance',
        address: addressOf(action.account),
        token: tokens[action.token] ?? 'USDT',
        amount: toAmount(action.amount),
        actor: 'admin_api_key',
        reason: null,
        reference: action.reference,
      };
    case 'deposit':
    case 'reserveWithdrawal':
    case 'reopenWithdrawal':
    case 'completeWithdrawal':
    case 'releaseWithdrawal':
      return resolveWalletAction(action, view);
    case 'openAccount':
      return { type: 'openAccount', address: addressOf(action.account) };
    case 'createMarket':
    case 'setStatus':
      return resolveMarketAction(action, view);
    case 'restore':
      return null;
  }
}

type WalletKind =
  | 'deposit'
  | 'reserveWithdrawal'
  | 'reopenWithdrawal'
  | 'completeWithdrawal'
  | 'releaseWithdrawal';

function resolveWalletAction(
  action: Extract<Action, { kind: WalletKind }>,
  view: EngineAudit,
): Command {
  switch (action.kind) {
    case 'deposit': {
      const address = addressOf(action.account);
      const accountId = view.findAccount(address);
      const due = accountId === null ? 0 : view.countDeposits(accountId);
      return {
        type: 'creditDeposit',
        address,
        token: tokens[action.token] ?? 'USDT',
        amount: toAmount(action.amount),
        number: due + action.ahead,
      };
    }
    case 'reserveWithdrawal':
    case 'reopenWithdrawal':
      return {
        type: action.kind,
        withdrawalId: withdrawalId(action.withdrawal),
        accountId: (action.withdrawal === 0 ? somebodyElse : action.account + 1) as AccountId,
        token: tokens[action.token] ?? 'USDT',
        amount: toAmount(action.amount),
      };
    case 'completeWithdrawal':
    case 'releaseWithdrawal': {
      const open = view.listWithdrawals();
      const isUnknown = action.withdrawal === unknownWithdrawal;
      const chosen = isUnknown ? undefined : open[action.withdrawal % Math.max(1, open.length)];
      const id = chosen?.withdrawalId ?? withdrawalId(action.withdrawal);
      return { type: action.kind, withdrawalId: id };
    }
  }
}

function withdrawalId(withdrawal: number): string {
  return `withdrawal ${withdrawal}`;
}

function resolveMarketAction(
  action: Extract<Action, { kind: 'createMarket' | 'setStatus' }>,
  view: EngineAudit,
): Command {
  if (action.kind === 'setStatus') {
    const market = view.listSpotMarkets()[resolveMarket(action.market, view)];
    const symbol = market?.symbol ?? 'NOPE';
    return { type: 'setSpotMarketStatus', symbol, status: action.status as SpotMarketStatus };
  }
  return {
    type: 'createSpotMarket',
    terms: {
      symbol: `MARKET${action.market}`,
      baseToken: tokens[action.base] ?? 'BTC',
      quoteToken: tokens[action.quote] ?? 'USDT',
      tickSize: decimal(action.tickSize),
      lotSize: decimal(action.lotSize),
      minNotional: toAmount(action.minNotional),
      makerFeeBps: action.makerFeeBps,
      takerFeeBps: action.takerFeeBps,
    },
  };
}

/** Mostly one of the first open markets; now and then any market, or one that is not there. */
function resolveMarket(market: number, view: EngineAudit): MarketId {
  const markets = view.listSpotMarkets();
  const open = markets.filter(({ status }) => status !== 'delisted').slice(0, openMarketsUsed);
  const choices = market < unusualMarket ? open : markets;
  const chosen = choices[market % Math.max(1, choices.length)];
  const isUnknown = market === unknownMarket || chosen === undefined;
  return isUnknown ? (somebodyElse as MarketId) : chosen.marketId;
}

function addressOf(account: number): Address {
  return `0x${String(account).padStart(40, '0')}` as Address;
}

function liveOrders(view: EngineAudit): SpotOrder[] {
  return view
    .listSpotMarkets()
    .flatMap(({ marketId }) => [
      ...view.listRestingOrders(marketId, 'buy'),
      ...view.listRestingOrders(marketId, 'sell'),
    ])
    .sort((left, right) => left.orderNumber - right.orderNumber);
}

function decimal(text: string) {
  const value = parseDecimal(text);
  if (value === null) throw new Error(`${text} is not a decimal`);
  return value;
}
