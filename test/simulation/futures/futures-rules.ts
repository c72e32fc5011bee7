import type {
  FuturesOrder,
  FuturesTrade,
  FuturesTradeParty,
} from '../../../src/domain/futures-order.ts';
import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { Rejection } from '../../../src/domain/rejection.ts';
import type { Command } from '../../../src/engine/commands.ts';
import type { EngineEvent } from '../../../src/engine/events.ts';
import type { FuturesAudit } from '../../../src/engine/futures/futures-audit.ts';
import type { FuturesOrderUpdated } from '../../../src/engine/futures-events.ts';

// What must be true of every single outcome, seen from its events alone.

interface Happened {
  readonly command: Command;
  readonly rejection: Rejection | null;
  readonly events: readonly EngineEvent[];
}

const rateUnit = 1_000_000_000n;

/** Reads outcomes one after the other and says which rules they break. */
export class FuturesRules {
  private readonly positions = new Map<string, number>();
  private readonly orders = new Map<number, FuturesOrder>();
  private readonly tradeIds = new Map<number, number>();
  private orderMargins = new Map<AccountId, bigint>();
  private broken: string[] = [];

  /** @param audit the state right after the outcome. */
  follow({ command, rejection, events }: Happened, audit: FuturesAudit): string[] {
    this.broken = [];
    const touched: FuturesOrder[] = [];
    for (const event of events) {
      if (event.type === 'futuresTradeExecuted') this.followTrade(event.trade, audit);
      if (event.type !== 'futuresOrderUpdated') continue;
      this.followOrder(event);
      touched.push(event.order);
    }
    const final = new Map(touched.map((order) => [order.orderNumber, order]));
    for (const order of final.values()) this.judgeOrder(order);
    this.judgeChildren(audit);
    if (rejection === null) this.judgeMargin(command, events, audit);
    this.judgeFunding(events);
    if (rejection !== null && events.length > 0) this.broken.push('a refused command has events');
    return this.broken;
  }

  private followTrade(trade: FuturesTrade, audit: FuturesAudit): void {
    const { maker, taker, tradeNumber, tradeId, marketId } = trade;
    const lastId = this.tradeIds.get(marketId) ?? tradeId - 1;
    if (tradeId !== lastId + 1) this.broken.push(`trade id ${tradeId} follows ${lastId}`);
    this.tradeIds.set(marketId, tradeId);
    if (maker.accountId === taker.accountId) this.broken.push(`trade ${tradeNumber} with itself`);
    this.followParty(trade, maker, audit);
    this.followParty(trade, taker, audit);
    if (this.orders.get(taker.orderNumber)?.timeInForce === 'gtx') {
      this.broken.push(`a gtx order took in trade ${tradeNumber}`);
    }
  }

  private followParty(trade: FuturesTrade, party: FuturesTradeParty, audit: FuturesAudit): void {
    const { marketId, quantity, price, quoteAmount, tradeNumber } = trade;
    const order = this.orders.get(party.orderNumber);
    // Orders of the exchange itself, which close a position against another, are reported later.
    const isMaker = party === trade.maker;
    const isBuy = isMaker === (trade.takerSide === 'sell');
    const key = `${party.accountId}:${marketId}`;
    const before = this.positions.get(key) ?? 0;
    const after = before + (isBuy ? quantity : 0 - quantity);
    this.positions.set(key, after);
    if (order === undefined) return;
    if (order.isReduceOnly && (Math.abs(after) >= Math.abs(before) || before * after < 0)) {
      this.broken.push(`a reduce-only order makes ${before} lots ${after} in trade ${tradeNumber}`);
    }
    // A liquidation pays fees to nobody, and the insurance fund what is beyond its limit.
    if (order.origin !== 'user') return;
    const isWorse = isBuy ? price > (order.price ?? price) : price < (order.price ?? price);
    if (isWorse) this.broken.push(`trade ${tradeNumber} is beyond an order's limit`);
    const fees = audit.getEffectiveFees(party.accountId, marketId);
    const exact = quoteAmount * (isMaker ? fees.maker : fees.taker);
    const fee = (exact + rateUnit - 1n) / rateUnit;
    if (party.fee !== fee) this.broken.push(`trade ${tradeNumber} has a fee of ${party.fee}`);
  }

  private followOrder({ order, cause }: FuturesOrderUpdated): void {
    const before = this.orders.get(order.orderNumber);
    this.orders.set(order.orderNumber, order);
    if (before !== undefined && order.filledQuantity < before.filledQuantity) {
      this.broken.push(`order ${order.orderNumber} has filled less than before`);
    }
    const isFilled = order.filledQuantity === order.quantity && order.quantity > 0;
    if (isFilled !== (order.status === 'filled') && cause === 'traded') {
      this.broken.push(`order ${order.orderNumber} is ${order.status}`);
    }
  }

  private judgeOrder({ orderNumber, timeInForce, filledQuantity, quantity }: FuturesOrder): void {
    if (timeInForce !== 'fok' || filledQuantity === 0 || filledQuantity === quantity) return;
    this.broken.push(`the fok order ${orderNumber} is filled in part`);
  }

  /** No take-profit or stop-loss outlives a parent that never traded, or was canceled. */
  private judgeChildren(audit: FuturesAudit): void {
    for (const [orderNumber, order] of this.orders) {
      if (order.parentOrderNumber === null) continue;
      const parent = this.orders.get(order.parentOrderNumber);
      const isLive = audit.findOpenFuturesOrder(order.orderNumber) !== null;
      const hasParent = audit.findOpenFuturesOrder(order.parentOrderNumber) !== null;
      if (!isLive) this.orders.delete(orderNumber);
      const isProtecting = (parent?.filledQuantity ?? 1) > 0 && parent?.status !== 'canceled';
      if (!isLive || hasParent || isProtecting) continue;
      this.broken.push(`order ${order.orderNumber} outlives its parent`);
    }
  }

  /** What longs pay is what shorts receive, but for less than a unit of rounding each. */
  private judgeFunding(events: readonly EngineEvent[]): void {
    for (const settled of events) {
      if (settled.type !== 'fundingSettled') continue;
      const amounts = events
        .filter((event) => event.type === 'fundingPaid')
        .filter(({ marketId }) => marketId === settled.marketId)
        .map(({ amount }) => amount);
      const sum = amounts.reduce((total, amount) => total + amount, 0n);
      if (sum <= 0n && sum > -1n - BigInt(amounts.length)) continue;
      this.broken.push(`funding of ${settled.marketId} sums to ${sum}`);
    }
  }

  /** An account that has just taken on more order margin can carry all of it. */
  private judgeMargin(command: Command, events: readonly EngineEvent[], audit: FuturesAudit): void {
    const margins = new Map<AccountId, bigint>();
    for (let id = 1; id <= audit.accountCount; id += 1) {
      margins.set(id as AccountId, audit.getPerpAccount(id as AccountId).orderMargin);
    }
    const before = this.orderMargins;
    this.orderMargins = margins;
    if (command.type !== 'placeFuturesOrder') return;
    if (events.some(({ type }) => type === 'futuresTradeExecuted')) return;
    const { accountId } = command;
    if ((margins.get(accountId) ?? 0n) <= (before.get(accountId) ?? 0n)) return;
    const { equity, positionMargin, orderMargin } = audit.getPerpAccount(accountId);
    if (equity >= positionMargin + orderMargin) return;
    this.broken.push(`account ${accountId} has margins beyond its equity of ${equity}`);
  }
}
