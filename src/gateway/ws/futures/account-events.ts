import type {
  AppliedCommand,
  EngineEvent,
  OpenNotional,
  PerpBalanceChanged,
} from '../../../application/ports.ts';
import { type Amount, formatAmount, toAmount, zeroAmount } from '../../../domain/amount.ts';
import type { FuturesMarket, FuturesMarketId } from '../../../domain/futures-market.ts';
import type { FuturesTrade } from '../../../domain/futures-order.ts';
import { breakEvenNotional, type FuturesPosition } from '../../../domain/futures-position.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { formatAverage } from './average-price.ts';
import type { EventFields } from './event-topic.ts';
import { formatLots } from './market-events.ts';
import { algoUpdate, orderTradeUpdate } from './order-event.ts';

// What one durable command means to each account that it touched, as Binance's user events, in
// the order in which things happened; the account's balance and positions come last.

export type UserEventName =
  | 'ORDER_TRADE_UPDATE'
  | 'ALGO_UPDATE'
  | 'ACCOUNT_UPDATE'
  | 'ACCOUNT_CONFIG_UPDATE'
  | 'MARGIN_CALL'
  | 'listenKeyExpired';

export interface UserEvent {
  readonly event: UserEventName;
  readonly fields: EventFields;
}

export interface MarketsByNumber {
  getMarket(marketId: FuturesMarketId): FuturesMarket;
  /** USDT for one whole base asset; null before the first. */
  getMarkPrice(marketId: FuturesMarketId): Amount | null;
  /** What the account's resting orders may still trade there. */
  getOpenNotional(accountId: AccountId, marketId: FuturesMarketId): OpenNotional;
}

type UpdateReason = 'ORDER' | 'FUNDING_FEE' | 'DEPOSIT' | 'WITHDRAW' | 'INSURANCE_CLEAR';

/** What an account's ACCOUNT_UPDATE will say. */
interface AccountChange {
  reason: UpdateReason;
  balance: PerpBalanceChanged | null;
  /** What moved besides profit and fees. */
  moved: bigint;
  readonly positions: FuturesPosition[];
}

/** The events of the accounts that `isWatched` names, by account. */
export function describeForAccounts(
  applied: AppliedCommand,
  markets: MarketsByNumber,
  isWatched: (accountId: AccountId) => boolean,
): ReadonlyMap<AccountId, readonly UserEvent[]> {
  const described = new Map<AccountId, UserEvent[]>();
  const push = (accountId: AccountId, event: UserEvent): void => {
    const events = described.get(accountId);
    if (events === undefined) described.set(accountId, [event]);
    else events.push(event);
  };
  const changes = new Map<AccountId, AccountChange>();
  const trades = new Map<number, FuturesTrade>();
  for (const event of applied.events) {
    if (event.type === 'futuresTradeExecuted') trades.set(event.trade.tradeNumber, event.trade);
    const accountId = accountOf(event);
    if (accountId === null || !isWatched(accountId)) continue;
    for (const each of describeEvent(event, applied, markets, trades)) push(accountId, each);
    noteChange(changes, accountId, event);
  }
  for (const [accountId, change] of changes) {
    push(accountId, accountUpdate(change, applied.timestamp, markets));
  }
  return described;
}

function accountOf(event: EngineEvent): AccountId | null {
  switch (event.type) {
    case 'futuresOrderUpdated':
      return event.order.accountId;
    case 'positionChanged':
      return event.position.accountId;
    case 'perpBalanceChanged':
    case 'fundsTransferred':
    case 'perpFundsReserved':
    case 'leverageChanged':
    case 'fundingPaid':
    case 'liquidationProgressed':
    case 'marginCallRaised':
      return event.accountId;
    case 'insuranceFundChanged':
      return event.accountId;
    default:
      return null;
  }
}

function describeEvent(
  event: EngineEvent,
  { timestamp: time }: AppliedCommand,
  markets: MarketsByNumber,
  trades: ReadonlyMap<number, FuturesTrade>,
): readonly UserEvent[] {
  switch (event.type) {
    case 'futuresOrderUpdated': {
      const market = markets.getMarket(event.order.marketId);
      const trade = trades.get(event.tradeNumber ?? 0) ?? null;
      const { accountId, marketId } = event.order;
      const open = markets.getOpenNotional(accountId, marketId);
      const described = { market, update: event, trade, open, time };
      const { isAlgo, triggeredAt } = event.order;
      const order: UserEvent = {
        event: 'ORDER_TRADE_UPDATE',
        fields: orderTradeUpdate(described),
      };
      if (!isAlgo) return [order];
      const algo: UserEvent = { event: 'ALGO_UPDATE', fields: algoUpdate(described) };
      return triggeredAt === null ? [algo] : [algo, order];
    }
    case 'leverageChanged': {
      const { symbol } = markets.getMarket(event.marketId);
      const fields = { T: time, ac: { s: symbol, l: event.leverage } };
      return [{ event: 'ACCOUNT_CONFIG_UPDATE', fields }];
    }
    case 'marginCallRaised':
      return [{ event: 'MARGIN_CALL', fields: marginCall(event, markets) }];
    default:
      return [];
  }
}

type MarginCall = Extract<EngineEvent, { readonly type: 'marginCallRaised' }>;

function marginCall(
  { walletBalance, positions }: MarginCall,
  markets: MarketsByNumber,
): EventFields {
  const p = positions.map((position) => {
    const market = markets.getMarket(position.marketId);
    return {
      s: market.symbol,
      ps: 'BOTH',
      pa: formatLots(market, BigInt(position.quantity)),
      mt: 'CROSSED',
      iw: '0',
      mp: formatAmount(position.markPrice),
      up: formatAmount(position.unrealizedProfit),
      mm: formatAmount(position.maintenanceMargin),
    };
  });
  return { cw: formatAmount(walletBalance), p };
}

function noteChange(
  changes: Map<AccountId, AccountChange>,
  accountId: AccountId,
  event: EngineEvent,
): void {
  switch (event.type) {
    case 'perpBalanceChanged':
      changeOf(changes, accountId).balance = event;
      return;
    case 'positionChanged':
      changeOf(changes, accountId).positions.push(event.position);
      return;
    case 'fundingPaid': {
      const change = changeOf(changes, accountId);
      change.reason = 'FUNDING_FEE';
      change.moved += event.amount;
      return;
    }
    case 'fundsTransferred': {
      if (event.isRepeated) return;
      const change = changeOf(changes, accountId);
      const isIncoming = event.direction === 'spot_to_perp';
      change.reason = isIncoming ? 'DEPOSIT' : 'WITHDRAW';
      change.moved += isIncoming ? event.amount : 0n - event.amount;
      return;
    }
    case 'perpFundsReserved': {
      const change = changeOf(changes, accountId);
      change.reason = 'WITHDRAW';
      if (event.step === 'pay_out') change.moved -= event.amount;
      return;
    }
    case 'insuranceFundChanged': {
      const change = changeOf(changes, accountId);
      change.reason = 'INSURANCE_CLEAR';
      change.moved -= event.change;
      return;
    }
    default:
      return;
  }
}

function changeOf(changes: Map<AccountId, AccountChange>, accountId: AccountId): AccountChange {
  const known = changes.get(accountId);
  if (known !== undefined) return known;
  const change: AccountChange = { reason: 'ORDER', balance: null, moved: 0n, positions: [] };
  changes.set(accountId, change);
  return change;
}

function accountUpdate(
  { reason, balance, moved, positions }: AccountChange,
  time: number,
  markets: MarketsByNumber,
): UserEvent {
  const balances = balance === null ? [] : [describeBalance(balance, moved)];
  const described = positions.map((position) => describePosition(position, markets));
  const fields = { T: time, a: { m: reason, B: balances, P: described } };
  return { event: 'ACCOUNT_UPDATE', fields };
}

function describeBalance({ walletBalance }: PerpBalanceChanged, moved: bigint): EventFields {
  const wallet = formatAmount(walletBalance);
  return { a: 'USDT', wb: wallet, cw: wallet, bc: formatAmount(toAmount(moved)) };
}

function describePosition(position: FuturesPosition, markets: MarketsByNumber): EventFields {
  const market = markets.getMarket(position.marketId);
  const { quantity, entryNotional, realizedProfit } = position;
  const lots = BigInt(Math.abs(quantity));
  const entryPrice = formatAverage(market, entryNotional, lots) ?? '0';
  const markPrice = markets.getMarkPrice(position.marketId);
  const profit = markPrice === null ? zeroAmount : profitAt(market, position, markPrice);
  return {
    s: market.symbol,
    pa: formatLots(market, BigInt(quantity)),
    ep: entryPrice,
    bep: formatAverage(market, breakEvenNotional(position), lots) ?? '0',
    cr: formatAmount(realizedProfit),
    up: formatAmount(profit),
    mt: 'cross',
    iw: '0',
    ps: 'BOTH',
  };
}

const decimalOne = 10n ** 18n;

/** What closing at the price would bring, rounded down. */
function profitAt(market: FuturesMarket, position: FuturesPosition, price: Amount): Amount {
  const { quantity, entryNotional } = position;
  const scaled = BigInt(quantity) * market.lotSize * price;
  const value = scaled / decimalOne - (scaled < 0n && scaled % decimalOne !== 0n ? 1n : 0n);
  return toAmount(quantity < 0 ? value + entryNotional : value - entryNotional);
}
