import { amountMax } from '../../../domain/amount.ts';
import { bpsPerWhole } from '../../../domain/fee.ts';
import type { SetIndexPrice } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';
import { judgeWaiting } from '../liquidation/liquidate-account.ts';
import { settleRisk } from '../liquidation/settle-risk.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { confirmAfterMs, confirmBps, confirmWithinMs } from '../risk-limits.ts';
import { type TimedOutcome, workLeft } from '../work-left.ts';
import { refreshPrices } from './mark-price.ts';
import { fitsOpenValue } from './open-value.ts';
import { isFresh } from './price-state.ts';

// Above 46 million USDT, a price in the finest ticks is no longer an exact number.
const priceMax = amountMax / 2_000n;
// The maximum value of all longs of one market.
const marketValueMax = amountMax / 10n;

/** Sets an administrator's index price. Rejected for markets that follow their own book. */
export function setIndexPrice(state: FuturesState, { symbol, price }: SetIndexPrice): TimedOutcome {
  const market = state.markets[state.marketIds.get(symbol) ?? -1];
  if (market === undefined) return { reason: 'market_not_found' };
  if (price <= 0n) return { reason: 'amount_not_positive' };
  const isTooHigh = price > priceMax || market.valueAt(price, market.openInterest) > marketValueMax;
  if (isTooHigh || !fitsOpenValue(state, market, price)) return { reason: 'amount_out_of_range' };
  if (market.terms.indexPriceSource !== 'admin') {
    return {
      reason: 'parameter_invalid',
      detail: 'the market takes its index price from its book',
    };
  }
  const wasFresh = isFresh(market, state.now);
  const indexBefore = market.indexPrice;
  if (isTaken(market, price, state.now)) {
    market.indexPrice = price;
    market.indexPriceAt = state.now;
    market.heldPush = null;
  } else {
    const { marketId } = market.terms;
    state.engine.outcome.push({ type: 'indexPriceHeld', marketId, indexPrice: price });
  }
  refreshPrices(state, market, indexBefore);
  if (!wasFresh && isFresh(market, state.now)) judgeWaiting(state);
  return settleRisk(state) ? null : workLeft;
}

/** The jump guard: a single typo or bad source must not move the market. */
function isTaken(market: FuturesMarketState, price: bigint, now: number): boolean {
  const { indexPrice, heldPush } = market;
  const jumpBps = BigInt(market.terms.indexJumpBps);
  if (jumpBps === 0n || indexPrice === null || isWithin(price, indexPrice, jumpBps)) return true;
  if (heldPush !== null && isWithin(price, heldPush.price, confirmBps)) {
    const heldMs = now - heldPush.at;
    if (heldMs < confirmAfterMs) return false;
    if (heldMs <= confirmWithinMs) return true;
  }
  market.heldPush = { price, at: now };
  return false;
}

function isWithin(price: bigint, other: bigint, bps: bigint): boolean {
  const distance = price > other ? price - other : other - price;
  return distance * bpsPerWhole <= other * bps;
}
