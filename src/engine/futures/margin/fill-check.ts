import { feeOf } from '../../../domain/fee.ts';
import { initialMargin, maintenanceMargin, raisedMargin } from '../../../domain/margin.ts';
import type { ByRules } from '../../rules.ts';
import { closedLots } from '../accounts/apply-fill.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { isFresh } from '../pricing/price-state.ts';
import { accountMargin, growthMargin, leverageIn, marketMargin } from './account-margin.ts';
import { feeRate } from './fee-rates.ts';
import { availableNow, uncountedSettling } from './new-risk.ts';
import {
  fullNotionalAfter,
  fullNotionalOf,
  notionalAt,
  raisesMargin,
} from './open-interest-margin.ts';
import { bounded } from './stakes.ts';

// A fill at a price worse than the valuation price is an immediate loss, and gives the other side a
// profit that someone has to pay. So before the fill, each party is judged by its state after it.

/** A fill to be judged: price in ticks, quantity in lots. */
export interface FillTerms {
  readonly price: number;
  readonly quantity: number;
  readonly isMaker: boolean;
  /** The open interest after the fill, in lots. */
  readonly reached: number;
  /** What several fills together trade for, and their fees; `price` is then the worst of theirs. */
  readonly whole?: { readonly quote: bigint; readonly fee: bigint };
}

/** Whether the first trade of a market is checked like all others, at its own price. */
const isFirstChecked: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** Whether the order's account can carry the fill: its loss, its fee and the margin it adds. */
export function mayFill(
  state: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
  fill: FillTerms,
): boolean {
  const account = state.openAccount(order.accountId);
  const atPrice = market.quote(fill.price, fill.quantity);
  const quote = fill.whole?.quote ?? atPrice;
  const fee = fill.whole?.fee ?? feeOf(quote, feeRate(account, market, fill.isMaker));
  const available = availableNow(state, account);
  if (market.markPrice === null && !isFirstChecked[state.rules]) return available >= fee;
  const isBuy = order.side === 'buy';
  const isNoWorse = isBuy
    ? fill.price <= market.markTicksBelow
    : fill.price >= market.markTicksAbove;
  const isFirst = market.markPrice === null;
  const mayAdd = isFirst || isFresh(market, state.now);
  const { price, quantity, reached } = fill;
  const isRaised = isFirst || raisesMargin(state, market, reached);
  if (isNoWorse && mayAdd && !isRaised && available >= fee) return true;
  const held = account.quantityIn(market.terms.marketId);
  const signed = isBuy ? quantity : -quantity;
  const money = isBuy ? 0n - quote : quote;
  const firstWorth = isBuy ? atPrice : 0n - atPrice;
  const worth = isFirst
    ? firstWorth
    : signedValue(market, held + signed) - signedValue(market, held);
  const gain = money + worth - fee;
  const added = Math.max(0, quantity - closedLots(held, signed));
  const full = fullNotionalOf(state, market, { added, reached, price });
  const after = needAfter(account, market, order, { held: held + signed, quantity, price, full });
  const before = marketMargin(account, market);
  if (added > 0) {
    const needed = after.initial - before.initial + after.orders - before.orders;
    return mayAdd && available + gain - needed >= 0n;
  }
  const margin = accountMargin(state, account);
  const equity = margin.equity - uncountedSettling(state, account);
  const maintenance = margin.maintenance - before.maintenance + after.maintenance;
  const left = equity + gain;
  if (left < 0n) return false;
  return left > maintenance || left * margin.maintenance >= equity * maintenance;
}

/** The position's value in equity, rounded as a profit is. */
function signedValue(market: FuturesMarketState, held: number): bigint {
  const { lotWorth } = market;
  return held >= 0 ? lotWorth.down(held) : 0n - lotWorth.up(-held);
}

interface FillOutcome {
  /** The signed lots held then. */
  readonly held: number;
  /** The lots traded, and their price in ticks. */
  readonly quantity: number;
  readonly price: number;
  /** The part of the added lots' notional that needs margin in full. */
  readonly full: bigint;
}

function needAfter(
  account: FuturesAccount,
  market: FuturesMarketState,
  order: LiveOrder,
  { held, quantity, price, full }: FillOutcome,
): { readonly initial: bigint; readonly maintenance: bigint; readonly orders: bigint } {
  const { stakes } = account;
  const notional = notionalAt(market, Math.abs(held), price);
  const leverage = leverageIn(account, market);
  const fullNotional = fullNotionalAfter(account.positions[market.terms.marketId], held, full);
  const isCounted = order.isResting && !order.isReduceOnly;
  const released = isCounted ? 0n - market.quote(order.price ?? 0, quantity) : 0n;
  const isBuy = order.side === 'buy';
  return {
    initial: initialMargin(notional, leverage) + raisedMargin(fullNotional, leverage),
    maintenance: maintenanceMargin(market.terms.brackets, notional),
    orders: growthMargin(
      stakes.growth(
        stakes.find(account.accountId, market.terms.marketId),
        bounded(held < 0 ? 0n - notional : notional),
        isBuy ? released : 0n,
        isBuy ? 0n : released,
      ),
      leverage,
    ),
  };
}
