import type { FuturesMarket } from '../../domain/futures-market.ts';
import type { FuturesOrder } from '../../domain/futures-order.ts';
import type { FuturesPosition } from '../../domain/futures-position.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { type Lots, notionalAmount, type Ticks } from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';
import type { BookLevel } from '../book-depth.ts';
import { describeLevels } from '../invariants.ts';
import type { FuturesAudit } from './futures-audit.ts';

// What must hold on the futures side after every command, recomputed from scratch. The names are
// those of the reliability catalog:
//   M1  money is conserved: what came from spot equals what wallets, markets, fees and funds hold,
//       and a market's counter cell is minus the sum of its signed entries
//   M2  no value is negative that must not be
//   M3  margins are exactly what positions and resting orders require
//   M4  an order's fills and its remainder add up, at a price no worse than its limit
//   M6  the positions of a market sum to zero, and open interest is the sum of the longs
//   M7  at any mark price, the profits and losses of a market's positions are equal
//   M9  the insurance fund is not negative
//   M10 the book is not crossed, and its levels are the sums of their orders
//   M11 orders are sorted by price
//   M12 only orders allowed to rest do so, each found by number, account and client order id
//   M13 no reduce-only order rests with more lots than the position that it would close

/** A broken invariant and what broke it. */
export interface FuturesViolation {
  readonly invariant:
    | 'M1'
    | 'M2'
    | 'M3'
    | 'M4'
    | 'M6'
    | 'M7'
    | 'M9'
    | 'M10'
    | 'M11'
    | 'M12'
    | 'M13';
  readonly detail: string;
}

type Report = (invariant: FuturesViolation['invariant'], detail: string) => void;

/** Mark prices at which profits are summed: zero, one unit, and far more than any entry. */
const marksTried = [0n, 1n, 10n ** 15n];

/** Returns all broken invariants of the futures side; reads every account, order and level. */
export function findFuturesViolations(audit: FuturesAudit): readonly FuturesViolation[] {
  const violations: FuturesViolation[] = [];
  const report: Report = (invariant, detail) => {
    violations.push({ invariant, detail });
  };
  checkMoney(audit, report);
  for (const market of audit.listFuturesMarkets()) {
    const resting = {
      buy: audit.listRestingFuturesOrders(market.marketId, 'buy'),
      sell: audit.listRestingFuturesOrders(market.marketId, 'sell'),
    };
    checkPositions(audit, market, report);
    checkBook(audit, market, resting, report);
    for (const order of [...resting.buy, ...resting.sell]) checkOrder(market, order, report);
    checkReduceOnly(audit, market, resting, report);
  }
  const inBooks = numbersInBooks(audit);
  for (const accountId of accountIds(audit)) {
    checkMargin(audit, accountId, report);
    checkOwner(audit, accountId, inBooks, report);
  }
  return violations;
}

function checkMoney(audit: FuturesAudit, report: Report): void {
  const { insuranceFund, insuranceHeld, badDebt, futuresFees, perpFunds } = audit;
  let held = insuranceFund + insuranceHeld + badDebt + futuresFees;
  for (const accountId of accountIds(audit)) {
    const { walletBalance, reserved } = audit.getPerpAccount(accountId);
    held += walletBalance + reserved;
    if (reserved < 0n) report('M2', `account ${accountId} has ${reserved} reserved`);
  }
  for (const market of audit.listFuturesMarkets()) {
    checkClearing(audit, market, report);
    held += audit.getClearing(market.marketId) + audit.getFundingHeld(market.marketId);
  }
  if (held !== perpFunds) report('M1', `${held} held, but ${perpFunds} were paid in`);
  if (insuranceFund < 0n || insuranceHeld < 0n) {
    report('M9', `the insurance fund holds ${insuranceFund}, and ${insuranceHeld} for close-outs`);
  }
  if (badDebt > 0n) report('M9', `a bad debt of ${badDebt}`);
  if (futuresFees < 0n) report('M2', `fees of ${futuresFees}`);
}

/** What a long has paid for its entry was promised to a short: the counter cell owes the rest. */
function checkClearing(audit: FuturesAudit, market: FuturesMarket, report: Report): void {
  const { marketId, symbol } = market;
  let entries = 0n;
  for (const { accountId, quantity, entryNotional } of positionsOf(audit, market)) {
    entries += quantity > 0 ? entryNotional : 0n - entryNotional;
    if (entryNotional < 0n || (quantity === 0 && entryNotional > 0n)) {
      report('M2', `account ${accountId} has a negative entry notional in market ${marketId}`);
    }
  }
  const clearing = audit.getClearing(marketId);
  if (clearing + entries === 0n) return;
  report('M1', `${symbol} clears ${clearing}, its entries sum to ${entries}`);
}

function checkPositions(audit: FuturesAudit, market: FuturesMarket, report: Report): void {
  const positions = positionsOf(audit, market);
  const sum = positions.reduce((total, { quantity }) => total + quantity, 0);
  const long = positions.reduce((total, { quantity }) => total + Math.max(0, quantity), 0);
  if (sum !== 0) report('M6', `the positions of ${market.symbol} sum to ${sum}`);
  const openInterest = audit.getOpenInterest(market.marketId);
  if (openInterest !== long) {
    report('M6', `open interest ${openInterest} of ${market.symbol}, ${long} are long`);
  }
  const [atNothing, ...others] = marksTried.map((mark) =>
    positions.reduce((total, position) => total + profitAt(position, mark), 0n),
  );
  for (const profit of others) {
    if (profit === atNothing) continue;
    report('M7', `the profits of ${market.symbol} depend on the mark: ${profit}, ${atNothing}`);
  }
}

/** The profit if each lot is worth `mark` money units. */
function profitAt({ quantity, entryNotional }: FuturesPosition, mark: bigint): bigint {
  const value = BigInt(quantity) * mark;
  return quantity > 0 ? value - entryNotional : value + entryNotional;
}

function checkMargin(audit: FuturesAudit, accountId: AccountId, report: Report): void {
  const account = audit.getPerpAccount(accountId);
  const concerned = audit
    .listFuturesMarkets()
    .map(({ marketId }) => audit.getPosition(accountId, marketId));
  const sum = (read: (position: (typeof concerned)[number]) => bigint): bigint =>
    concerned.reduce((total, position) => total + read(position), 0n);
  const expected = {
    unrealizedProfit: sum(({ unrealizedProfit }) => unrealizedProfit),
    positionMargin: sum(({ initialMargin }) => initialMargin),
    orderMargin: sum(({ orderMargin }) => orderMargin),
    maintenanceMargin: sum(({ maintenanceMargin }) => maintenanceMargin),
    equity:
      account.walletBalance +
      audit.getPendingFunding(accountId) +
      sum(({ unrealizedProfit }) => unrealizedProfit),
  };
  for (const [name, value] of Object.entries(expected)) {
    const shown = account[name as keyof typeof expected];
    if (shown !== value) report('M3', `account ${accountId} has ${name} ${shown}, not ${value}`);
  }
  for (const { marketId, bidNotional, askNotional } of concerned) {
    const market = audit.getFuturesMarket(marketId);
    const orders = audit.listOpenFuturesOrders(accountId, marketId);
    const [bids, asks] = [
      restingNotional(market, orders, 'buy'),
      restingNotional(market, orders, 'sell'),
    ];
    if (bids === bidNotional && asks === askNotional) continue;
    const detail = `account ${accountId} in ${market.symbol}: orders of ${bids} and ${asks}`;
    report('M3', `${detail} count as ${bidNotional} and ${askNotional}`);
  }
}

function restingNotional(
  market: FuturesMarket,
  orders: readonly FuturesOrder[],
  side: Side,
): bigint {
  return orders
    .filter((order) => order.side === side && isResting(order) && !order.isReduceOnly)
    .reduce((sum, order) => {
      return sum + notionalAmount(market, order.price ?? (0 as Ticks), lotsLeft(order));
    }, 0n);
}

function checkOrder(market: FuturesMarket, order: FuturesOrder, report: Report): void {
  const { orderNumber, price, quantity, filledQuantity, filledQuote, status } = order;
  const mayRest = ['gtc', 'gtx', 'gtd'].includes(order.timeInForce);
  if (!mayRest || !isResting(order) || market.status === 'delisted') {
    report('M12', `${order.type} ${order.timeInForce} order ${orderNumber} rests`);
  }
  const isWhole = [price, quantity, filledQuantity].every(Number.isSafeInteger);
  if (!isWhole || price === null || price <= 0) {
    report('M4', `order ${orderNumber} has no whole terms`);
    return;
  }
  const atLimit = notionalAmount(market, price, filledQuantity);
  // An amendment can move the limit after fills at the earlier price.
  const isExpected = status === (filledQuantity > 0 ? 'partially_filled' : 'new');
  const isBetween = filledQuantity >= 0 && filledQuantity < quantity;
  if (!isBetween || !isExpected || filledQuote < 0n || (filledQuantity > 0 && atLimit <= 0n)) {
    report('M4', `order ${orderNumber}: ${filledQuantity} of ${quantity} filled, ${status}`);
  }
}

function checkBook(
  audit: FuturesAudit,
  market: FuturesMarket,
  resting: Readonly<Record<Side, readonly FuturesOrder[]>>,
  report: Report,
): void {
  const { bids, asks } = audit.getFuturesDepth(market.marketId, Number.MAX_SAFE_INTEGER);
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid !== undefined && ask !== undefined && bid >= ask) {
    report('M10', `${market.symbol} bids ${bid} over an ask of ${ask}`);
  }
  for (const [side, levels] of [
    ['buy', bids],
    ['sell', asks],
  ] as const) {
    if (describeLevels(levels) !== describeLevels(levelsOf(resting[side]))) {
      report('M10', `the ${side} levels of ${market.symbol} are not the sums of their orders`);
    }
    resting[side].forEach((order, at) => {
      const before = resting[side][at - 1]?.price ?? order.price;
      const [first, second] = side === 'buy' ? [before, order.price] : [order.price, before];
      if ((first ?? 0) >= (second ?? 0)) return;
      report('M11', `order ${order.orderNumber} is queued behind a worse price`);
    });
  }
}

function checkReduceOnly(
  audit: FuturesAudit,
  market: FuturesMarket,
  resting: Readonly<Record<Side, readonly FuturesOrder[]>>,
  report: Report,
): void {
  for (const order of [...resting.buy, ...resting.sell]) {
    if (!order.isReduceOnly) continue;
    const { accountId, orderNumber, side } = order;
    const { quantity } = audit.getPosition(accountId, market.marketId);
    const closable = side === 'sell' ? quantity : 0 - quantity;
    if (lotsLeft(order) <= closable) continue;
    report('M13', `order ${orderNumber} reduces ${quantity} by ${lotsLeft(order)} lots of ${side}`);
  }
}

/** Every lookup of an order finds the same order, and no client order id occurs twice. */
function checkOwner(
  audit: FuturesAudit,
  accountId: AccountId,
  inBooks: ReadonlySet<number>,
  report: Report,
): void {
  const listed = audit.listOpenFuturesOrders(accountId, null);
  const clientOrderIds = new Set<string>();
  let numberBefore = 0;
  for (const order of listed) {
    const { orderNumber, clientOrderId } = order;
    if (audit.findOpenFuturesOrder(orderNumber)?.accountId !== accountId) {
      report('M12', `order ${orderNumber} cannot be found`);
    }
    if (orderNumber <= numberBefore) report('M12', `order ${orderNumber} is listed out of turn`);
    numberBefore = orderNumber;
    if (isResting(order) && !inBooks.has(orderNumber)) {
      report('M12', `order ${orderNumber} rests in no book`);
    }
    if (clientOrderId === null) continue;
    const found = audit.findFuturesOrderByClientId(accountId, clientOrderId);
    if (clientOrderIds.has(clientOrderId) || found?.orderNumber !== orderNumber) {
      report('M12', `client order id ${clientOrderId} of account ${accountId} is not unique`);
    }
    clientOrderIds.add(clientOrderId);
  }
}

function numbersInBooks(audit: FuturesAudit): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const { marketId } of audit.listFuturesMarkets()) {
    for (const side of ['buy', 'sell'] as const) {
      for (const { orderNumber } of audit.listRestingFuturesOrders(marketId, side)) {
        numbers.add(orderNumber);
      }
    }
  }
  return numbers;
}

/** Whether a live order rests in the book, that is, waits for no trigger. */
function isResting(order: FuturesOrder): boolean {
  const isTrigger = order.type !== 'limit' && order.type !== 'market';
  return order.price !== null && (!isTrigger || order.triggeredAt !== null);
}

function positionsOf(audit: FuturesAudit, { marketId }: FuturesMarket): FuturesPosition[] {
  return accountIds(audit).map((accountId) => audit.getPosition(accountId, marketId));
}

/** The numbers of all accounts, from 1. */
export function accountIds({ accountCount }: FuturesAudit): AccountId[] {
  return Array.from({ length: accountCount }, (_, at) => (at + 1) as AccountId);
}

function lotsLeft({ quantity, filledQuantity }: FuturesOrder): Lots {
  return (quantity - filledQuantity) as Lots;
}

function levelsOf(orders: readonly FuturesOrder[]): Pick<BookLevel, 'price' | 'quantity'>[] {
  const sums = new Map<number, number>();
  for (const order of orders) {
    sums.set(order.price ?? 0, (sums.get(order.price ?? 0) ?? 0) + lotsLeft(order));
  }
  return [...sums].map(([price, quantity]) => ({ price, quantity }) as BookLevel);
}
