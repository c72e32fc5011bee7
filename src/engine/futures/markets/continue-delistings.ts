import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import { postingCodes } from '../../ledger/postings.ts';
import type { ByRules } from '../../rules.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import { payByHouse, reportFund } from '../liquidation/insurance.ts';
import { endOrders } from '../orders/cancel-orders.ts';
import { canceledBy } from '../orders/end-order.ts';
import { settleTrade } from '../orders/futures-settlement.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import type { Delisting } from './delisting.ts';
import type { FuturesMarketState } from './futures-market-state.ts';

/** The maximum number of positions that one command closes, and of accounts that it examines. */
const closedMax = 1_000;
const accountsMax = 20_000;

/** Continues the delistings in progress, a bounded part of them. @returns whether all are done. */
export function continueDelistings(state: FuturesState): boolean {
  for (const market of state.markets) {
    const { delisting } = market;
    if (delisting === null) continue;
    if (delisting.phase === 'orders') endAllOrders(state, market, delisting);
    if (delisting.phase === 'judging' && isJudged(state, market, delisting)) {
      delisting.phase = 'closing';
      delisting.nextAccountId = 1;
    }
    if (delisting.phase === 'closing') closePositions(state, market, delisting);
  }
  return state.markets.every(({ delisting }) => delisting === null);
}

function endAllOrders(
  state: FuturesState,
  { terms }: FuturesMarketState,
  delisting: Delisting,
): void {
  const isChosen = ({ marketId }: LiveOrder): boolean => marketId === terms.marketId;
  const end = Math.min(state.accountsEnd, delisting.nextAccountId + accountsMax);
  while (delisting.nextAccountId < end && state.endingBudget > 0) {
    const most = state.endingBudget;
    const how = canceledBy('market_delisted');
    const ended = endOrders(state, delisting.nextAccountId, how, { isChosen, most });
    state.endingBudget -= ended;
    const left = state.orders.countIn(delisting.nextAccountId, terms.marketId);
    // The next command ends the rest of the account's orders.
    const isOver: ByRules<boolean> = { 11: ended < most, 12: left === 0, 13: left === 0 };
    if (isOver[state.rules]) delisting.nextAccountId += 1;
    else if (ended < most) break;
  }
  if (delisting.nextAccountId >= state.accountsEnd) delisting.phase = 'judging';
}

/** Whether no account has negative equity at the settlement price any more. */
function isJudged(state: FuturesState, market: FuturesMarketState, { scan }: Delisting): boolean {
  return state.riskQueue.scansEnded >= scan && market.closeOutCount === 0;
}

/** Closes longs against shorts at the settlement price, without fees. */
function closePositions(
  state: FuturesState,
  market: FuturesMarketState,
  delisting: Delisting,
): void {
  const price = market.markPrice === null ? 1 : Math.max(1, market.markTicksBelow);
  const budget = { fills: closedMax, accounts: accountsMax };
  while (budget.fills > 0 && budget.accounts > 0) {
    const long = nextLong(state, market, delisting, budget);
    if (long === null) {
      if (delisting.nextAccountId >= state.accountsEnd) finish(state, market);
      return;
    }
    const short = nextShort(state, market, delisting, budget);
    if (short === null) return;
    const quantity = Math.min(long.quantity, -short.quantity);
    const maker = closingOrder(state, long, price, quantity);
    const taker = closingOrder(state, short, price, quantity);
    settleTrade(state, market, { maker, taker, price, quantity });
    for (const { accountId } of [long, short]) makeWhole(state, accountId);
    budget.fills -= 1;
  }
}

function nextLong(
  state: FuturesState,
  { terms }: FuturesMarketState,
  delisting: Delisting,
  budget: { accounts: number },
): Position | null {
  for (; delisting.nextAccountId < state.accountsEnd; delisting.nextAccountId += 1) {
    const position = state.accounts[delisting.nextAccountId]?.positions[terms.marketId];
    if (position !== undefined && position.quantity > 0) return position;
    budget.accounts -= 1;
    if (budget.accounts <= 0) return null;
  }
  return null;
}

function nextShort(
  state: FuturesState,
  { terms }: FuturesMarketState,
  delisting: Delisting,
  budget: { accounts: number },
): Position | null {
  for (; delisting.nextShortId < state.accountsEnd; delisting.nextShortId += 1) {
    const position = state.accounts[delisting.nextShortId]?.positions[terms.marketId];
    if (position !== undefined && position.quantity < 0) return position;
    budget.accounts -= 1;
    if (budget.accounts <= 0) return null;
  }
  return null;
}

/** Leaves no account without a position below zero. */
function makeWhole(state: FuturesState, accountId: number): void {
  const account = state.openAccount(accountId);
  if (account.isFlat) payByHouse(state, account, null);
}

/** Moves what rounding has left of the market's funding to the insurance fund. */
function finish(state: FuturesState, market: FuturesMarketState): void {
  market.delisting = null;
  if (market.clearingCell < 0) return;
  const { cells } = state;
  const rest = cells.ledger.balance(cells.funding(market));
  if (rest <= 0n) return;
  cells.ledger.post(cells.funding(market), cells.insurance(), rest, postingCodes.roundingRest);
  reportFund(state, { change: rest });
}

function closingOrder(
  state: FuturesState,
  { accountId, marketId, quantity: held }: Position,
  price: number,
  quantity: number,
): LiveOrder {
  const order = state.openOrder(state.takeOrderNumber(), accountId, marketId);
  order.side = held > 0 ? 'sell' : 'buy';
  order.type = 'limit';
  order.price = price as Ticks;
  order.quantity = quantity as Lots;
  order.isReduceOnly = true;
  order.origin = 'auto_deleveraging';
  return order;
}
