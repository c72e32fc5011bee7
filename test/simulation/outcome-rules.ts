import { isDeepStrictEqual } from 'node:util';
import type { SpotMarket } from '../../src/domain/spot-market.ts';
import type { Side, SpotOrder, SpotTrade } from '../../src/domain/spot-order.ts';
import type { EngineAudit } from '../../src/engine/audit-view.ts';
import type { PlaceSpotOrder } from '../../src/engine/commands.ts';
import type { AppliedCommand, EngineEvent } from '../../src/engine/events.ts';
import type { FuturesEvent } from '../../src/engine/futures-events.ts';
import { naiveFee, naiveMakersMax, naiveSeenMax } from './naive-arithmetic.ts';

// What must be true of a command's outcome, given the book before it: price-time priority, order
// type laws, fees, and the promises that the events make.

/** The books as they stood before a command. */
export type BooksBefore = ReadonlyMap<string, readonly SpotOrder[]>;

export function booksOf(view: EngineAudit): BooksBefore {
  const books = new Map<string, readonly SpotOrder[]>();
  for (const { marketId } of view.listSpotMarkets()) {
    for (const side of ['buy', 'sell'] as const) {
      books.set(`${marketId}:${side}`, view.listRestingOrders(marketId, side));
    }
  }
  return books;
}

/** Every rule that the outcome breaks, in words. */
export function findBrokenRules(
  before: BooksBefore,
  applied: AppliedCommand,
  view: EngineAudit,
): string[] {
  const broken = findBrokenPromises(applied);
  const { command, rejection } = applied;
  if (command.type !== 'placeSpotOrder' || rejection !== null) {
    if (eventsOf(applied, 'spotTradeExecuted').length > 0) broken.push('trades without an order');
    return broken;
  }
  const market = view.getSpotMarket(command.marketId);
  const trades = eventsOf(applied, 'spotTradeExecuted').map(({ trade }) => trade);
  const taker = eventsOf(applied, 'spotOrderUpdated').at(-1)?.order;
  if (taker === undefined) return [...broken, 'an accepted order is not reported'];
  const makers = before.get(`${command.marketId}:${opposite(command.side)}`) ?? [];
  return [
    ...broken,
    ...findBrokenPriority(makers, trades),
    ...trades.flatMap((trade) => findBrokenTrade(market, command, trade)),
    ...findBrokenLaws(command, taker, trades),
  ];
}

/** M11: the makers are the first of the other side, each filled completely except the last. */
function findBrokenPriority(makers: readonly SpotOrder[], trades: readonly SpotTrade[]): string[] {
  const broken: string[] = [];
  trades.forEach((trade, at) => {
    const maker = makers[at];
    const left = (maker?.quantity ?? 0) - (maker?.filledQuantity ?? 0);
    const isLast = at === trades.length - 1;
    if (maker === undefined || maker.orderNumber !== trade.makerOrderNumber) {
      broken.push(`order ${trade.makerOrderNumber} traded before order ${maker?.orderNumber}`);
    } else if (trade.price !== maker.price) {
      broken.push(`trade ${trade.tradeNumber} is not at the maker's price`);
    } else if (trade.quantity <= 0 || trade.quantity > left) {
      broken.push(`trade ${trade.tradeNumber} is of ${trade.quantity} where ${left} rested`);
    } else if (!isLast && trade.quantity !== left) {
      broken.push(`trade ${trade.tradeNumber} left some of its maker and another traded`);
    }
  });
  return broken;
}

/** M4 and M12 of one trade: limit kept, no self-trade, money and fees to the last unit. */
function findBrokenTrade(market: SpotMarket, taker: PlaceSpotOrder, trade: SpotTrade): string[] {
  const broken: string[] = [];
  const isBuy = taker.side === 'buy';
  const name = `trade ${trade.tradeNumber}`;
  if (trade.makerAccountId === trade.takerAccountId) broken.push(`${name} is a self-trade`);
  if (taker.orderType === 'limit' && taker.price !== null) {
    const isWorse = isBuy ? trade.price > taker.price : trade.price < taker.price;
    if (isWorse) broken.push(`${name} is worse than the taker's limit`);
  }
  const quote = BigInt(trade.price) * BigInt(trade.quantity) * market.tickLotAmount;
  const base = BigInt(trade.quantity) * market.lotAmount;
  const takerFee = naiveFee(isBuy ? base : quote, market.takerFeeBps);
  const makerFee = naiveFee(isBuy ? quote : base, market.makerFeeBps);
  if (trade.quoteAmount !== quote) broken.push(`${name} is of ${trade.quoteAmount}, not ${quote}`);
  if (trade.takerFee !== takerFee) broken.push(`${name} has a taker fee of ${trade.takerFee}`);
  if (trade.makerFee !== makerFee) broken.push(`${name} has a maker fee of ${trade.makerFee}`);
  return broken;
}

/** M12 of the arriving order. */
function findBrokenLaws(
  command: PlaceSpotOrder,
  taker: SpotOrder,
  trades: readonly SpotTrade[],
): string[] {
  const broken: string[] = [];
  const lots = trades.reduce((sum, { quantity }) => sum + quantity, 0);
  const quote = trades.reduce((sum, { quoteAmount }) => sum + quoteAmount, 0n);
  const isLive = taker.status === 'new' || taker.status === 'partially_filled';
  if (taker.filledQuantity !== lots || taker.filledQuote !== quote) {
    broken.push('the taker is not the sum of its trades');
  }
  if (isLive && taker.timeInForce !== 'gtc' && taker.timeInForce !== 'post_only') {
    broken.push(`a ${taker.timeInForce} order rests`);
  }
  const tradesMax = command.timeInForce === 'fok' ? naiveSeenMax : naiveMakersMax;
  if (trades.length > tradesMax) broken.push(`an order traded with ${trades.length} others`);
  if (command.orderType === 'limit' && command.timeInForce === 'fok') {
    if (lots !== 0 && lots !== command.quantity) broken.push('a fok order filled in part');
  }
  if (command.orderType === 'limit' && command.timeInForce === 'post_only' && lots > 0) {
    broken.push('a post_only order took');
  }
  if (taker.quoteQuantity !== null && quote > taker.quoteQuantity) {
    broken.push('a market buy spent more than its money');
  }
  return broken;
}

/** What events guarantee: each thing is reported once, and nothing of a refused command. */
function findBrokenPromises(applied: AppliedCommand): string[] {
  const broken: string[] = [];
  if (applied.rejection !== null && applied.events.length > 0) {
    broken.push('a refused command has events');
  }
  const seen = new Set<string>();
  for (const key of applied.events.map(subjectOf)) {
    if (key === null) continue;
    if (seen.has(key)) broken.push(`${key} is reported twice`);
    seen.add(key);
  }
  return broken;
}

function subjectOf(event: EngineEvent): string | null {
  switch (event.type) {
    case 'balanceChanged':
      return `balance ${event.accountId}:${event.tokenId}`;
    case 'spotOrderUpdated':
      return `order ${event.order.orderNumber}`;
    case 'bookLevelChanged':
      return `level ${event.marketId}:${event.side}:${event.price}`;
    case 'withdrawalUpdated':
      return `withdrawal ${event.withdrawalId}`;
    case 'accountOpened':
    case 'balanceCredited':
    case 'spotMarketCreated':
    case 'spotMarketStatusChanged':
    case 'spotTradeExecuted':
    case 'tokenAdded':
    case 'depositCredited':
    case 'workDue':
    case 'rulesUpgraded':
    case 'rulesBroken':
      return null;
    default:
      return futuresSubjectOf(event);
  }
}

function futuresSubjectOf(event: FuturesEvent): string | null {
  switch (event.type) {
    case 'futuresBookLevelChanged':
      return `futures level ${event.marketId}:${event.side}:${event.price}`;
    case 'positionChanged':
      return `position ${event.position.accountId}:${event.position.marketId}`;
    case 'perpBalanceChanged':
      return `perp balance ${event.accountId}`;
    default:
      return null;
  }
}

/** Records what the events report and compares it with what the engine shows. */
export class EventFollower {
  private readonly balances = new Map<string, { available: bigint; locked: bigint }>();
  private readonly levels = new Map<string, number>();
  private readonly updateIds = new Map<number, number>();

  /** The rules that the events of one command break, given all before it. */
  follow(applied: AppliedCommand): string[] {
    const broken: string[] = [];
    for (const event of applied.events) {
      if (event.type === 'balanceChanged') {
        const { accountId, tokenId, available, locked } = event;
        const key = `${accountId}:${tokenId}`;
        if (isDeepStrictEqual(this.balances.get(key), { available, locked })) {
          broken.push(`balance ${key} is reported though it did not change`);
        }
        this.balances.set(key, { available, locked });
      } else if (event.type === 'bookLevelChanged') {
        const { marketId, side, price, quantity, updateId } = event;
        if (updateId !== (this.updateIds.get(marketId) ?? 0) + 1) {
          broken.push(`update ${updateId} of market ${marketId} leaves a gap`);
        }
        this.updateIds.set(marketId, updateId);
        if (quantity === 0) this.levels.delete(`${marketId}:${side}:${price}`);
        else this.levels.set(`${marketId}:${side}:${price}`, quantity);
      }
    }
    return broken;
  }

  /** Where the engine shows something other than its events reported. */
  compare(view: EngineAudit): string[] {
    const shownLevels = new Map<string, number>();
    const broken: string[] = [];
    for (const { marketId } of view.listSpotMarkets()) {
      const { bids, asks, lastUpdateId } = view.getDepth(marketId, Number.MAX_SAFE_INTEGER);
      for (const { price, quantity } of bids) shownLevels.set(`${marketId}:buy:${price}`, quantity);
      for (const { price, quantity } of asks)
        shownLevels.set(`${marketId}:sell:${price}`, quantity);
      if (lastUpdateId !== (this.updateIds.get(marketId) ?? 0))
        broken.push(`the last update id of market ${marketId} differs from events`);
    }
    if (!isDeepStrictEqual(shownLevels, this.levels)) broken.push('levels differ from events');
    const shownBalances = new Map<string, { available: bigint; locked: bigint }>();
    for (let accountId = 1; accountId <= view.accountCount; accountId += 1) {
      for (const { tokenId, available, locked } of view.listBalances(accountId as never)) {
        shownBalances.set(`${accountId}:${tokenId}`, { available, locked });
      }
    }
    if (!isDeepStrictEqual(shownBalances, this.balances)) {
      broken.push('balances differ from events');
    }
    return broken;
  }
}

function eventsOf<T extends EngineEvent['type']>(
  applied: AppliedCommand,
  type: T,
): Extract<EngineEvent, { type: T }>[] {
  return applied.events.filter(
    (event): event is Extract<EngineEvent, { type: T }> => event.type === type,
  );
}

function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}
