import { type LeverageBracket, rateOne } from '../../../domain/futures-market.ts';
import { bracketOf } from '../../../domain/leverage-brackets.ts';
import { maintenanceMargin } from '../../../domain/margin.ts';
import { ceilDivide } from '../../../domain/rounding.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin, marketMargin } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { endOrder, expiredBy } from '../orders/end-order.ts';
import { leftOf } from '../orders/live-order.ts';
import { matchOrder } from '../orders/match-order.ts';
import { sliceEveryMs } from '../risk-limits.ts';
import { bankruptcyPrice } from './bankruptcy-price.ts';
import type { CloseOut } from './close-out.ts';
import { isClosable } from './close-out-stage.ts';
import { bookLimit, openClosingOrder } from './final-stage.ts';
import { payIntoFund } from './insurance.ts';
import { reportStep } from './report-step.ts';
import { shareEquity } from './share-equity.ts';

/** A slice is at least a fifth of the position. */
const leastPart = 5;
/** The fee rate of a slice is a quarter of its bracket's maintenance margin rate. */
const feePart = 4n;

/** Sells a slice of the largest position on the book, at no worse than its bankruptcy price. */
export function sellSlice(state: FuturesState, account: FuturesAccount, closeOut: CloseOut): void {
  closeOut.sliceAt = state.now + sliceEveryMs;
  const position = largestPosition(state, account);
  const market = state.getMarket(position.marketId);
  const share = shareEquity(state, account).find((each) => each.position === position);
  const price = bankruptcyPrice(market, position, share?.equity ?? 0n);
  const rate = sliceFeeRate(market, position);
  const lots = sliceLots(state, account, position);
  const order = openClosingOrder(state, account, market, { price, lots });
  reportStep(state, account, { step: 'closing', closeOut, market, price, lots });
  matchOrder(state, market, order, bookLimit(market, order.side, price));
  const fee = ceilDivide(market.lotWorth.up(order.filledQuantity) * rate, feePart * rateOne);
  const { equity } = accountMargin(state, account);
  payIntoFund(state, account, closeOut, fee < equity ? fee : equity);
  if (leftOf(order) > 0) endOrder(state, order, expiredBy('liquidation'));
}

/** The largest by maintenance margin; positions in markets with a fresh price come first. */
function largestPosition(state: FuturesState, account: FuturesAccount): Position {
  let largest: Position | undefined;
  let most = { isClosable: false, maintenance: -1n };
  for (const position of account.positions) {
    if (position === undefined || position.quantity === 0) continue;
    const { maintenance } = marketMargin(account, state.getMarket(position.marketId));
    const each = { isClosable: isClosable(state, position), maintenance };
    if (most.isClosable && !each.isClosable) continue;
    if (most.isClosable === each.isClosable && maintenance <= most.maintenance) continue;
    [largest, most] = [position, each];
  }
  return largest as Position;
}

/**
 * The fewest lots, and at least a fifth, after whose sale at the valuation price the equity is 5/4
 * of the maintenance margin; all lots if no number is enough. Equity less 5/4 of the margin
 * increases and then may decrease with each lot sold, since the fee has a single rate and the
 * margin relieved has the bracket's. It is highest where the rest of the position is at a bracket's
 * floor, or zero.
 */
function sliceLots(state: FuturesState, account: FuturesAccount, position: Position): number {
  const market = state.getMarket(position.marketId);
  const { lotWorth, terms } = market;
  const { equity, maintenance } = accountMargin(state, account);
  const others = maintenance - marketMargin(account, market).maintenance;
  const lots = Math.abs(position.quantity);
  const rate = sliceFeeRate(market, position);
  const isEnough = (sold: number): boolean => {
    const fee = ceilDivide(lotWorth.up(sold) * rate, feePart * rateOne);
    const needed = others + maintenanceMargin(terms.brackets, lotWorth.up(lots - sold));
    return 4n * (equity - fee) >= 5n * needed;
  };
  const ends = terms.brackets.map((bracket) => lots - lotsUnder(market, bracket, lots)).reverse();
  const enough = ends.find((sold) => isEnough(sold));
  if (enough === undefined) return lots;
  let [tooFew, fewest] = [0, enough];
  while (fewest - tooFew > 1) {
    const middle = Math.floor((tooFew + fewest) / 2);
    if (isEnough(middle)) fewest = middle;
    else tooFew = middle;
  }
  return Math.max(fewest, Math.ceil(lots / leastPart));
}

/** The maximum number of lots, of those given, that are worth no more than the bracket's floor. */
function lotsUnder(
  { lotWorth }: FuturesMarketState,
  { notionalFloor }: LeverageBracket,
  lots: number,
): number {
  if (lotWorth.up(lots) <= notionalFloor) return lots;
  let [most, tooMany] = [0, lots];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (lotWorth.up(middle) <= notionalFloor) most = middle;
    else tooMany = middle;
  }
  return most;
}

function sliceFeeRate(market: FuturesMarketState, { quantity }: Position): bigint {
  const notional = market.lotWorth.up(Math.abs(quantity));
  return bracketOf(market.terms.brackets, notional).maintenanceMarginRate;
}
