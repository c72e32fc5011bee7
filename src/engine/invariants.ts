import { assert } from '../domain/assert.ts';
import type { AccountId, TokenId } from '../domain/identifiers.ts';
import { notionalAmount, type SpotMarket } from '../domain/spot-market.ts';
import type { Side, SpotOrder } from '../domain/spot-order.ts';
import type { EngineAudit } from './audit-view.ts';
import type { BookLevel } from './book-depth.ts';

// What must hold on the exchange after every command, recomputed from scratch without trusting any
// running sum of the engine. The names are those of the reliability catalog:
//   M1  money is conserved: balances, perp wallets, funds and fees of a token add up to what was
//       issued of it
//   M2  nothing is negative
//   M3  the locked amount is exactly what open orders and withdrawals require
//   M4  an order's fills and its remainder add up, at a price no worse than its limit
//   M10 the book is not crossed, and its levels are the sums of their orders
//   M11 orders are sorted by price, then by number
//   M12 only orders allowed to rest do so, each found by number, by account and by client order id

/** A broken invariant and what broke it. */
export interface Violation {
  readonly invariant: 'M1' | 'M2' | 'M3' | 'M4' | 'M10' | 'M11' | 'M12';
  readonly detail: string;
}

/** @throws AssertionError listing every broken invariant. */
export function checkInvariants(audit: EngineAudit): void {
  const violations = findViolations(audit);
  const text = violations.map(({ invariant, detail }) => `${invariant}: ${detail}`).join('; ');
  assert(violations.length === 0, text);
}

/** Returns all broken invariants; reads every account, order and level. */
export function findViolations(audit: EngineAudit): readonly Violation[] {
  const violations: Violation[] = [];
  const live = audit
    .listSpotMarkets()
    .flatMap((market) => [
      ...restingOrders(audit, market, 'buy'),
      ...restingOrders(audit, market, 'sell'),
    ]);
  checkMoney(audit, violations);
  checkLocks(audit, live, violations);
  for (const order of live) checkOrder(audit, order, violations);
  for (const market of audit.listSpotMarkets()) checkBook(audit, market, violations);
  checkOwners(audit, live, violations);
  return violations;
}

function checkMoney(audit: EngineAudit, violations: Violation[]): void {
  const sums = new Map<TokenId, bigint>();
  for (const accountId of accountIds(audit)) {
    for (const { tokenId, available, locked } of audit.listBalances(accountId)) {
      sums.set(tokenId, (sums.get(tokenId) ?? 0n) + available + locked);
      if (available >= 0n && locked >= 0n) continue;
      const token = audit.getTokenSymbol(tokenId);
      const detail = `account ${accountId} has ${available} and ${locked} locked of ${token}`;
      violations.push({ invariant: 'M2', detail });
    }
  }
  for (let id = 0; id < audit.tokenCount; id += 1) {
    const tokenId = id as TokenId;
    const [issued, fees] = [audit.getIssued(tokenId), audit.getFeesCollected(tokenId)];
    const held = sums.get(tokenId) ?? 0n;
    const token = audit.getTokenSymbol(tokenId);
    if (fees < 0n) violations.push({ invariant: 'M2', detail: `fees of ${fees} ${token}` });
    const perp = audit.getPerpFunds(tokenId);
    if (held + fees + perp === issued) continue;
    const parts = `${held} held, ${fees} of fees and ${perp} in perp wallets`;
    const detail = `${token}: ${parts} are not the ${issued} issued`;
    violations.push({ invariant: 'M1', detail });
  }
}

function checkLocks(audit: EngineAudit, live: readonly SpotOrder[], violations: Violation[]): void {
  const needs = new Map<string, bigint>();
  for (const order of live) {
    const market = audit.getSpotMarket(order.marketId);
    const tokenId = order.side === 'buy' ? market.quoteTokenId : market.baseTokenId;
    const key = `${order.accountId}:${tokenId}`;
    needs.set(key, (needs.get(key) ?? 0n) + lockOf(market, order));
  }
  for (const { accountId, tokenId, amount } of audit.listWithdrawals()) {
    const key = `${accountId}:${tokenId}`;
    needs.set(key, (needs.get(key) ?? 0n) + amount);
  }
  for (const accountId of accountIds(audit)) {
    for (const { tokenId, locked } of audit.listBalances(accountId)) {
      const key = `${accountId}:${tokenId}`;
      const need = needs.get(key) ?? 0n;
      needs.delete(key);
      if (locked === need) continue;
      const token = audit.getTokenSymbol(tokenId);
      const detail = `account ${accountId} has ${locked} ${token} locked, orders need ${need}`;
      violations.push({ invariant: 'M3', detail });
    }
  }
  for (const [key, need] of needs) {
    violations.push({ invariant: 'M3', detail: `no balance ${key} for a need of ${need}` });
  }
}

function checkOrder(audit: EngineAudit, order: SpotOrder, violations: Violation[]): void {
  const { orderNumber, price, quantity, filledQuantity, filledQuote, status } = order;
  const market = audit.getSpotMarket(order.marketId);
  const mayRest = order.timeInForce === 'gtc' || order.timeInForce === 'post_only';
  if (!mayRest || order.type !== 'limit' || market.status === 'delisted') {
    const kind = `${order.type} ${order.timeInForce} order ${orderNumber}`;
    violations.push({ invariant: 'M12', detail: `${kind} rests in ${market.symbol}` });
  }
  const isWhole = [price, quantity, filledQuantity].every(Number.isSafeInteger);
  if (!isWhole || price === null || quantity === null || price <= 0) {
    violations.push({ invariant: 'M4', detail: `order ${orderNumber} has no whole terms` });
    return;
  }
  const atLimit = notionalAmount(market, price, filledQuantity);
  const isWithinLimit = order.side === 'buy' ? filledQuote <= atLimit : filledQuote >= atLimit;
  const isStatusRight = status === (filledQuantity > 0 ? 'partially_filled' : 'new');
  if (filledQuantity < 0 || filledQuantity >= quantity || !isWithinLimit || !isStatusRight) {
    const fills = `${filledQuantity} of ${quantity} filled for ${filledQuote}, ${status}`;
    violations.push({ invariant: 'M4', detail: `order ${orderNumber}: ${fills}` });
  }
}

function checkBook(audit: EngineAudit, market: SpotMarket, violations: Violation[]): void {
  const { bids, asks } = audit.getDepth(market.marketId, Number.MAX_SAFE_INTEGER);
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid !== undefined && ask !== undefined && bid >= ask) {
    const detail = `${market.symbol} bids ${bid} over an ask of ${ask}`;
    violations.push({ invariant: 'M10', detail });
  }
  for (const [side, levels] of [
    ['buy', bids],
    ['sell', asks],
  ] as const) {
    const orders = restingOrders(audit, market, side);
    if (describeLevels(levels) !== describeLevels(levelsOf(orders))) {
      const detail = `the ${side} levels of ${market.symbol} are not the sums of their orders`;
      violations.push({ invariant: 'M10', detail });
    }
    orders.forEach((order, at) => {
      const before = orders[at - 1];
      if (before === undefined || hasPriority(before, order)) return;
      const detail = `order ${order.orderNumber} is queued behind ${before.orderNumber}`;
      violations.push({ invariant: 'M11', detail });
    });
  }
}

/** Every lookup of an order finds the same orders, and no client order id occurs twice. */
function checkOwners(
  audit: EngineAudit,
  live: readonly SpotOrder[],
  violations: Violation[],
): void {
  const numbersByAccount = new Map(accountIds(audit).map((id) => [id, [] as number[]]));
  const clientOrderIds = new Set<string>();
  for (const { accountId, orderNumber, clientOrderId } of live) {
    numbersByAccount.get(accountId)?.push(orderNumber);
    if (audit.findOpenOrder(orderNumber)?.accountId !== accountId) {
      violations.push({ invariant: 'M12', detail: `order ${orderNumber} cannot be found` });
    }
    if (clientOrderId === null) continue;
    const key = `${accountId}:${clientOrderId}`;
    if (clientOrderIds.has(key)) {
      violations.push({ invariant: 'M12', detail: `client order id ${key} is there twice` });
    }
    clientOrderIds.add(key);
  }
  for (const [accountId, numbers] of numbersByAccount) {
    const listed = audit.listOpenOrders(accountId, null).map(({ orderNumber }) => orderNumber);
    const resting = numbers.sort((left, right) => left - right);
    if (listed.join() === resting.join()) continue;
    const detail = `account ${accountId} lists orders ${listed.join()}, ${resting.join()} rest`;
    violations.push({ invariant: 'M12', detail });
  }
}

function accountIds(audit: EngineAudit): AccountId[] {
  return Array.from({ length: audit.accountCount }, (_, at) => (at + 1) as AccountId);
}

function restingOrders(audit: EngineAudit, market: SpotMarket, side: Side): readonly SpotOrder[] {
  return audit.listRestingOrders(market.marketId, side);
}

function lockOf(market: SpotMarket, { side, price, quantity, filledQuantity }: SpotOrder): bigint {
  const left = wholeOrNone((quantity ?? 0) - filledQuantity);
  if (side === 'sell') return left * market.lotAmount;
  return wholeOrNone(price ?? 0) * left * market.tickLotAmount;
}

/** Terms that are not whole numbers are a separate violation and account for no lock. */
function wholeOrNone(value: number): bigint {
  return Number.isSafeInteger(value) ? BigInt(value) : 0n;
}

function levelsOf(orders: readonly SpotOrder[]): Pick<BookLevel, 'price' | 'quantity'>[] {
  const sums = new Map<number, number>();
  for (const { price, quantity, filledQuantity } of orders) {
    sums.set(price ?? 0, (sums.get(price ?? 0) ?? 0) + (quantity ?? 0) - filledQuantity);
  }
  return [...sums].map(([price, quantity]) => ({ price, quantity }) as BookLevel);
}

/** The levels as text, price and quantity of each, in ticks and lots. */
export function describeLevels(levels: readonly BookLevel[]): string {
  return levels.map(({ price, quantity }) => `${price}x${quantity}`).join();
}

/** Whether the first order belongs before the second in the queue. */
function hasPriority(first: SpotOrder, second: SpotOrder): boolean {
  const [before, after] = [first.price ?? 0, second.price ?? 0];
  if (before === after) return first.orderNumber < second.orderNumber;
  return first.side === 'buy' ? before > after : before < after;
}
