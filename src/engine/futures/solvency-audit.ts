import { type FuturesMarket, rateOne } from '../../domain/futures-market.ts';
import type { FuturesOrder } from '../../domain/futures-order.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { ByRules } from '../rules.ts';
import type { FuturesAudit } from './futures-audit.ts';
import { accountIds } from './futures-invariants.ts';

// Checks that everyone could be paid and that no account was skipped: what the invariants of a
// command do not cover, recomputed over the whole state. The names are those of the rules of the
// risk engine:
//   equities-sum              at one price all equities and the exchange's cells are what came in
//   funding-rest              markets hold the funding that is still due to receivers
//   flat-wallet-not-negative  a wallet is negative only with a position
//   positions-are-priced      a market without a price, or delisted, has no positions
//   children-have-position-or-parent  an attached order protects its position, or its parent lives
//   gate-holds                nothing can leave while a loss is unpaid, nor more than is settled
//   terms-carry               an account opening at the highest leverage has more than it must keep
//   levels-in-range           prices in books are those that the books can distinguish
//   watch-sound               an account at or below its maintenance margin is being closed

/** A broken rule, with the figures that break it. */
export interface SolvencyViolation {
  readonly invariant:
    | 'equities-sum'
    | 'funding-rest'
    | 'flat-wallet-not-negative'
    | 'positions-are-priced'
    | 'children-have-position-or-parent'
    | 'gate-holds'
    | 'terms-carry'
    | 'levels-in-range'
    | 'watch-sound';
  readonly detail: string;
}

/** Above this price the two sides of a book cannot be distinguished. */
const priceMax = 2 ** 52 - 1;

type Report = (invariant: SolvencyViolation['invariant'], detail: string) => void;

/** Returns all broken rules; reads every account, position, order and level. */
export function findSolvencyViolations(audit: FuturesAudit): readonly SolvencyViolation[] {
  const violations: SolvencyViolation[] = [];
  const report: Report = (invariant, detail) => {
    violations.push({ invariant, detail });
  };
  checkEquities(audit, report);
  for (const market of audit.listFuturesMarkets()) checkMarket(audit, market, report);
  for (const accountId of accountIds(audit)) {
    checkWallet(audit, accountId, report);
    for (const order of audit.listOpenFuturesOrders(accountId, null)) {
      checkChild(audit, order, report);
    }
  }
  return violations;
}

/**
 * Returns accounts that should have been closed. Must be called after time has advanced and no work
 * is left, since a trade, a payment or an hour can end between two scans.
 *
 * @param isClosing whether the account is being closed.
 */
export function findUnjudged(
  audit: FuturesAudit,
  isClosing: (accountId: AccountId) => boolean,
): readonly SolvencyViolation[] {
  const violations: SolvencyViolation[] = [];
  for (const accountId of accountIds(audit)) {
    const { equity, maintenanceMargin } = audit.getPerpAccount(accountId);
    if (maintenanceMargin === 0n || equity > maintenanceMargin || isClosing(accountId)) continue;
    const detail = `account ${accountId} has ${equity} of equity over ${maintenanceMargin} and is still in a close-out`;
    violations.push({ invariant: 'watch-sound', detail });
  }
  return violations;
}

function checkEquities(audit: FuturesAudit, report: Report): void {
  const { insuranceFund, insuranceHeld, badDebt, futuresFees, perpFunds } = audit;
  let sum = insuranceFund + insuranceHeld + badDebt + futuresFees - perpFunds;
  let pending = 0n;
  let positions = 0n;
  for (const accountId of accountIds(audit)) {
    const { equity, reserved } = audit.getPerpAccount(accountId);
    sum += equity + reserved;
    pending += audit.getPendingFunding(accountId);
    for (const { quantity } of audit.listPositions(accountId)) if (quantity !== 0) positions += 1n;
  }
  let held = 0n;
  for (const { marketId } of audit.listFuturesMarkets()) held += audit.getFundingHeld(marketId);
  const rest = held - pending;
  if (rest < 0n) report('funding-rest', `markets hold ${held} of the ${pending} that are due`);
  sum += rest;
  // Each position's profit is rounded down, by at most one unit.
  if (sum <= 0n && sum >= 0n - positions) return;
  report(
    'equities-sum',
    `equities and the exchange's cells differ by ${sum} from what was paid in`,
  );
}

function checkMarket(audit: FuturesAudit, market: FuturesMarket, report: Report): void {
  const { marketId, symbol } = market;
  const isOpen = audit.getOpenInterest(marketId) !== 0;
  if (isOpen && audit.getFuturesPrices(marketId).markPrice === null) {
    report('positions-are-priced', `${symbol} has positions and no price`);
  }
  for (const { maxLeverage, maintenanceMarginRate } of market.brackets) {
    if (3n * maintenanceMarginRate * BigInt(maxLeverage) <= 2n * rateOne) continue;
    report('terms-carry', `${symbol} at ${maxLeverage} times keeps ${maintenanceMarginRate}`);
  }
  for (const side of ['buy', 'sell'] as const) {
    for (const { orderNumber, price } of audit.listRestingFuturesOrders(marketId, side)) {
      if (price !== null && price <= priceMax) continue;
      report('levels-in-range', `order ${orderNumber} of ${symbol} rests at ${price}`);
    }
  }
}

function checkWallet(audit: FuturesAudit, accountId: AccountId, report: Report): void {
  const { walletBalance, withdrawable } = audit.getPerpAccount(accountId);
  const open = audit.listPositions(accountId).filter(({ quantity }) => quantity !== 0);
  if (walletBalance < 0n && open.length === 0) {
    report('flat-wallet-not-negative', `account ${accountId} has ${walletBalance}`);
  }
  const settled = walletBalance + audit.getPendingFunding(accountId);
  if (withdrawable > 0n && (withdrawable > settled || audit.badDebt < 0n)) {
    report('gate-holds', `account ${accountId} can withdraw ${withdrawable} of ${settled}`);
  }
}

/** By rules 11, an attached order closes any position on its side. */
function closesAny(audit: FuturesAudit, { accountId, marketId, side }: FuturesOrder): boolean {
  const { quantity } = audit.getPosition(accountId, marketId);
  return side === 'sell' ? quantity > 0 : quantity < 0;
}

/** Since rules 12, it closes what its parent has filled in one position. */
function closesIts(audit: FuturesAudit, child: FuturesOrder): boolean {
  const { accountId, marketId, orderNumber } = child;
  const { positionNumber = null, coveredQuantity = 0 } = audit.findProtection(orderNumber) ?? {};
  const isCurrent = positionNumber === audit.getPositionNumber(accountId, marketId);
  return isCurrent && coveredQuantity > 0 && closesAny(audit, child);
}

const closesPosition: ByRules<typeof closesAny> = { 11: closesAny, 12: closesIts, 13: closesIts };

/** Whether an attached order watches its price without a position that it closes. */
function watchesWithoutPosition(audit: FuturesAudit, child: FuturesOrder): boolean {
  const { positionNumber = null } = audit.findProtection(child.orderNumber) ?? {};
  return positionNumber !== null && !closesIts(audit, child);
}

const isWatchOrphaned: ByRules<typeof watchesWithoutPosition> = {
  11: () => false,
  12: watchesWithoutPosition,
  13: watchesWithoutPosition,
};

function checkChild(audit: FuturesAudit, order: FuturesOrder, report: Report): void {
  const { orderNumber, parentOrderNumber, triggeredAt } = order;
  if (parentOrderNumber === null || triggeredAt !== null) return;
  const hasParent = audit.findOpenFuturesOrder(parentOrderNumber) !== null;
  const isLeftOver = !hasParent && !closesPosition[audit.rules](audit, order);
  if (!isLeftOver && !isWatchOrphaned[audit.rules](audit, order)) return;
  report('children-have-position-or-parent', `order ${orderNumber} closes nothing`);
}
