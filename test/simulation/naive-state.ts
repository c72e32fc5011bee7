import { type Amount, toAmount } from '../../src/domain/amount.ts';
import { assert } from '../../src/domain/assert.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  Sequence,
  TimestampMs,
  TokenId,
} from '../../src/domain/identifiers.ts';
import type { Lots, SpotMarket, Ticks } from '../../src/domain/spot-market.ts';
import type { Side, SpotOrder } from '../../src/domain/spot-order.ts';
import type { EngineAudit } from '../../src/engine/audit-view.ts';
import type { BookDepth, BookLevel } from '../../src/engine/book-depth.ts';
import type { TokenBalance } from '../../src/engine/engine-view.ts';
import type { EngineEvent } from '../../src/engine/events.ts';
import type { ReservedWithdrawal } from '../../src/engine/wallet/wallet-state.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type Order = Mutable<SpotOrder>;

export interface Cell {
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  available: bigint;
  locked: bigint;
  /** Both as of the last command; null before the first change. */
  reported: { readonly available: bigint; readonly locked: bigint } | null;
}

export interface Token {
  readonly symbol: string;
  issued: bigint;
  fees: bigint;
}

export interface Market {
  terms: SpotMarket;
  /** Best first, then oldest first. */
  buy: Order[];
  sell: Order[];
  updateId: number;
}

/** What the plain engine knows, in plain arrays, and how it is read. */
export class NaiveState implements EngineAudit {
  sequence = 0 as Sequence;
  now = 0 as TimestampMs;
  orderNumber = 0;
  tradeNumber = 0;
  /** Trades so far by market. */
  tradeCounts: number[] = [];
  addresses: Address[] = [];
  tokens: Token[] = [];
  cells: Cell[] = [];
  markets: Market[] = [];
  references: string[] = [];
  deposits: { readonly accountId: AccountId; readonly number: number }[] = [];
  withdrawals: ReservedWithdrawal[] = [];
  events: EngineEvent[] = [];
  touchedLevels = new Map<string, { market: Market; side: Side; price: Ticks }>();

  findAccount(address: Address): AccountId | null {
    return ((this.addresses.indexOf(address) + 1) as AccountId) || null;
  }

  getAddress(accountId: AccountId): Address {
    const address = this.addresses[accountId - 1];
    assert(address !== undefined, 'no such account');
    return address;
  }

  findToken(symbol: string): TokenId | null {
    const tokenId = this.tokens.findIndex((token) => token.symbol === symbol);
    return tokenId < 0 ? null : (tokenId as TokenId);
  }

  getTokenSymbol(tokenId: TokenId): string {
    return this.token(tokenId).symbol;
  }

  findSpotMarket(symbol: string): SpotMarket | null {
    return this.markets.find(({ terms }) => terms.symbol === symbol)?.terms ?? null;
  }

  getSpotMarket(marketId: MarketId): SpotMarket {
    return this.market(marketId).terms;
  }

  listSpotMarkets(): readonly SpotMarket[] {
    return this.markets.map(({ terms }) => terms);
  }

  listBalances(accountId: AccountId): readonly TokenBalance[] {
    return this.cells
      .filter((cell) => cell.accountId === accountId && cell.reported !== null)
      .map(({ tokenId, available, locked }) => ({
        tokenId,
        available: toAmount(available),
        locked: toAmount(locked),
      }))
      .sort((left, right) => left.tokenId - right.tokenId);
  }

  findOpenOrder(orderNumber: OrderNumber): SpotOrder | null {
    const order = this.liveOrders().find((each) => each.orderNumber === orderNumber);
    return order === undefined ? null : { ...order };
  }

  listOpenOrders(accountId: AccountId, marketId: MarketId | null): readonly SpotOrder[] {
    return this.liveOrders()
      .filter((order) => order.accountId === accountId)
      .filter((order) => marketId === null || order.marketId === marketId)
      .sort((left, right) => left.orderNumber - right.orderNumber)
      .map((order) => ({ ...order }));
  }

  countDeposits(accountId: AccountId): number {
    return this.deposits.filter((deposit) => deposit.accountId === accountId).length;
  }

  findWithdrawal(withdrawalId: string): ReservedWithdrawal | null {
    return this.withdrawals.find((each) => each.withdrawalId === withdrawalId) ?? null;
  }

  listWithdrawals(): readonly ReservedWithdrawal[] {
    return [...this.withdrawals].sort((left, right) =>
      left.withdrawalId < right.withdrawalId ? -1 : 1,
    );
  }

  getDepth(marketId: MarketId, levelsMax: number): BookDepth {
    const { updateId, buy, sell } = this.market(marketId);
    const bids = levelsOf(buy).slice(0, levelsMax);
    const asks = levelsOf(sell).slice(0, levelsMax);
    return { lastUpdateId: updateId, bids, asks };
  }

  /** Fees taken in the token so far; they belong to the exchange. */
  getPerpFunds(): Amount {
    return toAmount(0n);
  }

  getFeesCollected(tokenId: TokenId): Amount {
    return toAmount(this.token(tokenId).fees);
  }

  get accountCount(): number {
    return this.addresses.length;
  }

  get tokenCount(): number {
    return this.tokens.length;
  }

  getIssued(tokenId: TokenId): Amount {
    return toAmount(this.token(tokenId).issued);
  }

  listRestingOrders(marketId: MarketId, side: Side): readonly SpotOrder[] {
    return this.market(marketId)[side].map((order) => ({ ...order }));
  }

  token(tokenId: TokenId): Token {
    const token = this.tokens[tokenId];
    assert(token !== undefined, 'no such token');
    return token;
  }

  market(marketId: MarketId): Market {
    const market = this.markets[marketId];
    assert(market !== undefined, 'no such market');
    return market;
  }

  cell(accountId: AccountId, tokenId: TokenId): Cell {
    const known = this.findCell(accountId, tokenId);
    if (known !== undefined) return known;
    const cell = { accountId, tokenId, available: 0n, locked: 0n, reported: null };
    this.cells.push(cell);
    return cell;
  }

  findCell(accountId: AccountId, tokenId: TokenId): Cell | undefined {
    return this.cells.find((cell) => cell.accountId === accountId && cell.tokenId === tokenId);
  }

  liveOrders(): Order[] {
    return this.markets.flatMap(({ buy, sell }) => [...buy, ...sell]);
  }

  cancelOrder(market: Market, order: Order): void {
    const [pays] = this.cellsOf(market, order);
    const lock = this.lockOf(market, order);
    pays.locked -= lock;
    pays.available += lock;
    remove(market[order.side], order);
    order.status = 'canceled';
    order.updatedAt = this.now;
    this.touchLevel(market, order);
    this.events.push({ type: 'spotOrderUpdated', order: { ...order } });
  }

  /** What the open part of the order keeps locked. */
  lockOf(market: Market, order: Order): bigint {
    if (order.quoteQuantity !== null) return order.quoteQuantity;
    if (order.side === 'buy') return money(market, order.price, lotsLeft(order));
    return market.terms.lotAmount * BigInt(lotsLeft(order));
  }

  /** The balances that the order pays from and receives into. */
  cellsOf(market: Market, order: Order): [Cell, Cell] {
    const { baseTokenId, quoteTokenId } = market.terms;
    const base = this.cell(order.accountId, baseTokenId);
    const quote = this.cell(order.accountId, quoteTokenId);
    return order.side === 'buy' ? [quote, base] : [base, quote];
  }

  touchLevel(market: Market, order: Order): void {
    assert(order.price !== null, 'a resting order has a price');
    const key = `${market.terms.marketId}:${order.side}:${order.price}`;
    this.touchedLevels.set(key, { market, side: order.side, price: order.price });
  }

  reportLevels(): void {
    for (const { market, side, price } of this.touchedLevels.values()) {
      market.updateId += 1;
      const { marketId } = market.terms;
      const quantity = levelOf(market[side], price);
      const { updateId } = market;
      this.events.push({ type: 'bookLevelChanged', marketId, side, price, quantity, updateId });
    }
    this.touchedLevels.clear();
  }

  reportCells(): void {
    const cells = [...this.cells].sort(
      (left, right) => left.accountId - right.accountId || left.tokenId - right.tokenId,
    );
    for (const cell of cells) {
      const { available, locked, reported: before } = cell;
      if (available === (before?.available ?? 0n) && locked === (before?.locked ?? 0n)) continue;
      cell.reported = { available, locked };
      const { accountId, tokenId } = cell;
      const after = { available: toAmount(available), locked: toAmount(locked) };
      this.events.push({ type: 'balanceChanged', accountId, tokenId, ...after });
    }
  }
}

/** The money of a quantity at a price in one market's quote token. */
export function money(market: Market, price: Ticks | null, quantity: number | null): bigint {
  assert(price !== null && quantity !== null, 'only priced quantities have a value');
  return BigInt(price) * BigInt(quantity) * market.terms.tickLotAmount;
}

/** What the order still has to trade. */
export function lotsLeft(order: Order): number {
  assert(order.quantity !== null, 'only an order by quantity has lots left');
  return order.quantity - order.filledQuantity;
}

function levelOf(orders: readonly Order[], price: Ticks): Lots {
  const lots = orders
    .filter((order) => order.price === price)
    .reduce((sum, order) => sum + lotsLeft(order), 0);
  return lots as Lots;
}

export function remove<T>(list: T[], member: T): void {
  list.splice(list.indexOf(member), 1);
}

function levelsOf(orders: readonly Order[]): BookLevel[] {
  const levels = new Map<Ticks, number>();
  for (const order of orders) {
    assert(order.price !== null, 'a resting order has a price');
    levels.set(order.price, (levels.get(order.price) ?? 0) + lotsLeft(order));
  }
  return [...levels].map(([price, quantity]) => ({ price, quantity: quantity as Lots }));
}

/** Whether the price is strictly better than the other's, so that it stands before it. */
export function isBetter(order: Order, other: Order): boolean {
  assert(order.price !== null && other.price !== null, 'a resting order has a price');
  return order.side === 'buy' ? order.price > other.price : order.price < other.price;
}

export function isCrossing(taker: Order, maker: Order): boolean {
  if (taker.price === null || maker.price === null) return true;
  return taker.side === 'buy' ? maker.price <= taker.price : maker.price >= taker.price;
}
