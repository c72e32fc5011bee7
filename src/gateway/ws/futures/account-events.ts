import { type AlgoStatus, algoStatusOf } from '../../../application/futures/algo-status.ts';
import type {
  AppliedCommand,
  EngineEvent,
  OpenNotional,
  PerpBalanceChanged,
} from '../../../application/ports/exchange.ts';
import { type Amount, formatAmount, toAmount, zeroAmount } from '../../../domain/amount.ts';
import type { FuturesMarket, FuturesMarketId } from '../../../domain/futures-market.ts';
import type { FuturesTrade } from '../../../domain/futures-order.ts';
import { breakEvenNotional, type FuturesPosition } from '../../../domain/futures-position.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { clearedAmount } from '../../../domain/insurance.ts';
import { valueDown } from '../../../domain/margin.ts';
import { formatAverage } from './average-price.ts';
import type { EventFields } from './event-topic.ts';
import { formatLots } from './market-events.ts';
import { algoUpdate, type OrderEvent, orderTradeUpdate, tradeLite } from './order-event.ts';

// The effect of one durable command on each account that it touched, as Binance's user events, in
// the order in which things happened; the account's balance and positions come last.

export type UserEventName =
  | 'ORDER_TRADE_UPDATE'
  | 'TRADE_LITE'
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
  /** What the account's resting orders can still trade there. */
  getOpenNotional(accountId: AccountId, marketId: FuturesMarketId): OpenNotional;
}

type UpdateReason = 'ORDER' | 'DEPOSIT' | 'WITHDRAW' | 'INSURANCE_CLEAR';

/** The content of an account's ACCOUNT_UPDATE. */
interface AccountChange {
  reason: UpdateReason;
  balance: PerpBalanceChanged | null;
  /** What changed the balance besides profit and fees. */
  moved: bigint;
  /** Funding received or paid, by market. */
  readonly funding: Map<FuturesMarketId, bigint>;
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
  const context = { applied, markets, trades, refused: refusedOrders(applied) };
  for (const event of applied.events) {
    if (event.type === 'futuresTradeExecuted') trades.set(event.trade.tradeNumber, event.trade);
    const accountId = accountOf(event);
    if (accountId === null || !isWatched(accountId)) continue;
    for (const each of describeEvent(event, context)) push(accountId, each);
    noteChange(changes, accountId, event);
  }
  for (const [accountId, change] of changes) {
    for (const update of accountUpdates(change, applied.timestamp, markets)) {
      push(accountId, update);
    }
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

interface Context {
  readonly applied: AppliedCommand;
  readonly markets: MarketsByNumber;
  /** The command's trades up to the event. */
  readonly trades: ReadonlyMap<number, FuturesTrade>;
  /** The conditional orders that triggered and from which no order resulted. */
  readonly refused: ReadonlySet<number>;
}

function describeEvent(
  event: EngineEvent,
  { applied, markets, trades, refused }: Context,
): readonly UserEvent[] {
  const { timestamp: time, command } = applied;
  switch (event.type) {
    case 'futuresOrderUpdated': {
      const market = markets.getMarket(event.order.marketId);
      const trade = trades.get(event.tradeNumber ?? 0) ?? null;
      const { accountId, marketId } = event.order;
      const open = markets.getOpenNotional(accountId, marketId);
      const modifyId = command.type === 'amendFuturesOrder' ? command.modifyId : null;
      const described = { market, update: event, trade, open, time, modifyId };
      return event.order.isAlgo ? describeAlgo(described, refused) : describeOrder(described);
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

function describeOrder(described: OrderEvent): readonly UserEvent[] {
  const order: UserEvent = { event: 'ORDER_TRADE_UPDATE', fields: orderTradeUpdate(described) };
  if (described.trade === null) return [order];
  return [{ event: 'TRADE_LITE', fields: tradeLite(described, described.trade) }, order];
}

/**
 * A waiting order has one event each time. A triggered one continues as an order between two
 * events.
 */
function describeAlgo(described: OrderEvent, refused: ReadonlySet<number>): readonly UserEvent[] {
  const { order, cause } = described.update;
  const algo = (status: AlgoStatus): UserEvent => ({
    event: 'ALGO_UPDATE',
    fields: algoUpdate(described, status),
  });
  const status = algoStatusOf(order, described.update.end);
  if (order.triggeredAt === null) return [algo(status)];
  const asOrder = describeOrder(described);
  if (cause === 'triggered') {
    const begun = refused.has(order.orderNumber) ? [] : [algo('TRIGGERED')];
    return [algo('TRIGGERING'), ...begun, ...asOrder];
  }
  return status === 'TRIGGERED' ? asOrder : [...asOrder, algo(status)];
}

function refusedOrders({ events }: AppliedCommand): ReadonlySet<number> {
  const refused = new Set<number>();
  for (const event of events) {
    if (event.type !== 'futuresOrderUpdated') continue;
    const { order, end } = event;
    if (algoStatusOf(order, end) === 'REJECTED') refused.add(order.orderNumber);
  }
  return refused;
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
      const before = change.funding.get(event.marketId) ?? 0n;
      change.funding.set(event.marketId, before + event.amount);
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
      const amount = clearedAmount(event);
      if (amount === 0n) return;
      const change = changeOf(changes, accountId);
      change.reason = 'INSURANCE_CLEAR';
      change.moved += amount;
      return;
    }
    default:
      return;
  }
}

function changeOf(changes: Map<AccountId, AccountChange>, accountId: AccountId): AccountChange {
  const known = changes.get(accountId);
  if (known !== undefined) return known;
  const change: AccountChange = {
    reason: 'ORDER',
    balance: null,
    moved: 0n,
    funding: new Map(),
    positions: [],
  };
  changes.set(accountId, change);
  return change;
}

/** Funding is reported market by market, as on Binance; the balance is the one after all of it. */
function accountUpdates(
  change: AccountChange,
  time: number,
  markets: MarketsByNumber,
): readonly UserEvent[] {
  const { reason, balance, moved, funding, positions } = change;
  const update = (m: string, amount: bigint, told: readonly FuturesPosition[], S?: string) => {
    const B = balance === null ? [] : [describeBalance(balance, amount)];
    const P = told.map((position) => describePosition(position, markets));
    const a = S === undefined ? { m, B, P } : { m, S, B, P };
    return { event: 'ACCOUNT_UPDATE', fields: { T: time, a } } as const;
  };
  const paid = [...funding].map(([marketId, amount]) => {
    const own = positions.filter((position) => position.marketId === marketId);
    return update('FUNDING_FEE', amount, own, markets.getMarket(marketId).symbol);
  });
  const others = positions.filter(({ marketId }) => !funding.has(marketId));
  const isTold = paid.length > 0 && others.length === 0 && reason === 'ORDER' && moved === 0n;
  return isTold ? paid : [...paid, update(reason, moved, others)];
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

/** The profit of closing at the price, rounded down. */
function profitAt(market: FuturesMarket, position: FuturesPosition, price: Amount): Amount {
  const { quantity, entryNotional } = position;
  const value = valueDown(BigInt(quantity) * market.lotSize, price);
  return toAmount(quantity < 0 ? value + entryNotional : value - entryNotional);
}
