import type { AppliedCommand, EngineEvent } from '../../../application/ports/exchange.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import type { AccountId, TokenId } from '../../../domain/identifiers.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';
import { decimalFromLots, decimalFromTicks, type Lots } from '../../../domain/spot-market.ts';
import type { SpotOrder, SpotTrade } from '../../../domain/spot-order.ts';
import { upperWord } from '../../../domain/upper-word.ts';
import {
  clientOrderIdOf,
  priceOf,
  quantityOf,
  timeInForceOf,
  typeOf,
} from '../../http/binance-spot/order-objects.ts';
import type { EventFields } from '../futures/event-topic.ts';
import type { AccountEvent, DescribeForAccounts } from '../futures/user-streams.ts';
import type { SpotFeed } from '../spot-feed.ts';
import { type TradesByOrder, tradesOfSpot } from '../trades-by-order.ts';

// The effect of one durable command on each account that it touched, as Binance's spot user events:
// its orders step by step, then money that came in or went out, then its current balances.

export type SpotUserEventName =
  | 'executionReport'
  | 'balanceUpdate'
  | 'outboundAccountPosition'
  | 'listenKeyExpired'
  | 'eventStreamTerminated';

export interface SpotAccountParts {
  readonly feed: Pick<SpotFeed, 'getMarket'>;
  readonly tokenSymbol: (tokenId: TokenId) => string;
}

const transferredToken = 'USDT';

interface AccountUpdate {
  readonly reports: AccountEvent[];
  readonly movements: AccountEvent[];
  readonly balances: EventFields[];
}

export function spotAccountEvents(parts: SpotAccountParts): DescribeForAccounts {
  return (applied, isWatched) => {
    const news = new Map<AccountId, AccountUpdate>();
    const updateOf = (accountId: AccountId): AccountUpdate => {
      const known = news.get(accountId);
      if (known !== undefined) return known;
      const added: AccountUpdate = { reports: [], movements: [], balances: [] };
      news.set(accountId, added);
      return added;
    };
    const trades = tradesOfSpot();
    for (const event of applied.events) {
      if (event.type === 'spotTradeExecuted') trades.add(event.trade);
      const accountId = accountOf(event);
      if (accountId !== null && isWatched(accountId)) {
        note(updateOf(accountId), event, { applied, trades, ...parts });
      }
    }
    return new Map([...news].map(([id, each]) => [id, inOrder(each, applied.timestamp)]));
  };
}

function accountOf(event: EngineEvent): AccountId | null {
  switch (event.type) {
    case 'spotOrderUpdated':
      return event.order.accountId;
    case 'balanceChanged':
    case 'balanceCredited':
    case 'depositCredited':
    case 'withdrawalUpdated':
    case 'fundsTransferred':
      return event.accountId;
    default:
      return null;
  }
}

interface Context extends SpotAccountParts {
  readonly applied: AppliedCommand;
  /** The command's trades up to the event. */
  readonly trades: TradesByOrder<SpotTrade>;
}

function note(news: AccountUpdate, event: EngineEvent, context: Context): void {
  const { tokenSymbol, applied } = context;
  const move = (asset: string, amount: bigint): void => {
    if (amount === 0n) return;
    const fields = { a: asset, d: formatAmount(toAmount(amount)), T: applied.timestamp };
    news.movements.push({ event: 'balanceUpdate', fields });
  };
  switch (event.type) {
    case 'spotOrderUpdated':
      news.reports.push(...describeOrder(event.order, context));
      return;
    case 'balanceChanged':
      news.balances.push({
        a: tokenSymbol(event.tokenId),
        f: formatAmount(event.available),
        l: formatAmount(event.locked),
      });
      return;
    case 'balanceCredited':
    case 'depositCredited':
      return move(tokenSymbol(event.tokenId), event.amount);
    case 'withdrawalUpdated':
      // Until money has left it is locked, and returned money never left.
      if (event.state === 'completed') move(tokenSymbol(event.tokenId), 0n - event.amount);
      return;
    case 'fundsTransferred':
      if (event.isRepeated) return;
      return move(
        transferredToken,
        event.direction === 'perp_to_spot' ? event.amount : 0n - event.amount,
      );
    default:
      return;
  }
}

// The movement precedes the balance that includes it: clients add the one and store the other.
function inOrder({ reports, movements, balances }: AccountUpdate, time: number): AccountEvent[] {
  if (balances.length === 0) return [...reports, ...movements];
  const fields = { u: time, B: balances };
  return [...reports, ...movements, { event: 'outboundAccountPosition', fields }];
}

/** One step of an order. */
interface Step {
  readonly x: string;
  readonly X: string;
  readonly trade: SpotTrade | null;
  /** Filled up to and including this step. */
  readonly filledQuantity: number;
  readonly filledQuote: bigint;
}

function describeOrder(order: SpotOrder, context: Context): readonly AccountEvent[] {
  const market = context.feed.getMarket(order.marketId);
  return stepsOf(order, context).map((step) => ({
    event: 'executionReport',
    fields: report(market, order, step, context.applied),
  }));
}

function stepsOf(order: SpotOrder, { applied, trades }: Context): readonly Step[] {
  const { orderNumber, status } = order;
  const own = trades.of(orderNumber);
  let filledQuantity: number = order.filledQuantity;
  let filledQuote: bigint = order.filledQuote;
  for (const { trade } of own) {
    filledQuantity -= trade.quantity;
    filledQuote -= trade.quoteAmount;
  }
  const steps: Step[] = [];
  const push = (x: string, X: string, trade: SpotTrade | null): void => {
    steps.push({ x, X, trade, filledQuantity, filledQuote });
  };
  const isMaker = own.some(({ role }) => role === 'maker');
  if (applied.command.type === 'placeSpotOrder' && !isMaker) push('NEW', 'NEW', null);
  for (const { trade } of own) {
    filledQuantity += trade.quantity;
    filledQuote += trade.quoteAmount;
    const isLast = trade === own.at(-1)?.trade && status === 'filled';
    push('TRADE', isLast ? 'FILLED' : 'PARTIALLY_FILLED', trade);
  }
  if (status === 'canceled' || status === 'expired')
    push(upperWord(status), upperWord(status), null);
  return steps;
}

function report(
  market: SpotMarket,
  order: SpotOrder,
  { x, X, trade, filledQuantity, filledQuote }: Step,
  { timestamp, sequence }: AppliedCommand,
): EventFields {
  const name = clientOrderIdOf(order);
  const isOpen = X === 'NEW' || X === 'PARTIALLY_FILLED';
  const rests = order.timeInForce === 'gtc' || order.timeInForce === 'post_only';
  return {
    s: market.symbol,
    c: name,
    S: upperWord(order.side),
    o: typeOf(order),
    f: timeInForceOf(order),
    q: quantityOf(market, order),
    p: priceOf(market, order),
    // A cancel has no separate id here, so both ids are the order's.
    P: '0',
    F: '0',
    g: -1,
    C: x === 'CANCELED' ? name : '',
    x,
    X,
    r: 'NONE',
    i: order.orderNumber,
    z: formatDecimal(decimalFromLots(market, filledQuantity as Lots)),
    ...fill(market, order, trade),
    T: timestamp,
    I: sequence,
    w: isOpen && rests,
    M: false,
    O: order.createdAt,
    Z: formatAmount(toAmount(filledQuote)),
    Q: order.quoteQuantity === null ? '0' : formatAmount(order.quoteQuantity),
    W: order.createdAt,
    V: 'EXPIRE_TAKER',
  };
}

function fill(market: SpotMarket, { orderNumber, side }: SpotOrder, trade: SpotTrade | null) {
  if (trade === null) return { l: '0', L: '0', Y: '0', n: '0', N: null, t: -1, m: false };
  const isMaker = trade.makerOrderNumber === orderNumber;
  return {
    l: formatDecimal(decimalFromLots(market, trade.quantity)),
    L: formatDecimal(decimalFromTicks(market, trade.price)),
    Y: formatAmount(trade.quoteAmount),
    n: formatAmount(isMaker ? trade.makerFee : trade.takerFee),
    N: side === 'buy' ? market.baseToken : market.quoteToken,
    t: trade.tradeId,
    m: isMaker,
  };
}
