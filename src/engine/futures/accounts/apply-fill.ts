import { ceilDivide, floorDivide } from '../../../domain/rounding.ts';
import type { Side } from '../../../domain/spot-order.ts';
import { postingCodes } from '../../ledger/postings.ts';
import type { ByRules } from '../../rules.ts';
import { reportRule } from '../command-rules.ts';
import { settleFunding, settleFundingFirst } from '../funding/settle-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { countSettling } from '../liquidation/count-settling.ts';
import { fullNotionalOf, shrunkFullNotional } from '../margin/open-interest-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { isFresh } from '../pricing/price-state.ts';
import type { FuturesAccount } from './futures-account.ts';
import type { Position } from './stored-positions.ts';

// A position records what its open lots cost (long) or brought in (short). Closing a part removes
// the same part of that amount, rounded against the trader, and realizes the difference from what
// the trade brings in. Whatever the rounding, wallet less signed entry notional changes by exactly
// the trade's money on both sides, so no money is created or lost.

interface Fill {
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  /** The trade's fee. The position records it; the wallet pays it elsewhere. */
  readonly fee: bigint;
  /** The open interest after the trade. */
  readonly reached: number;
}

/** How far the number of a position rises when it leaves zero or turns. */
const numberStep: ByRules<number> = { 11: 0, 12: 1, 13: 1 };

/** Changes the account's position by a trade. @returns the profit that it realizes, before fees. */
export function applyFill(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  { side, price, quantity, fee, reached }: Fill,
): bigint {
  const position = account.positionIn(market.terms.marketId);
  settleFundingFirst(state, account);
  settleFunding(state, market, account, position);
  const signed = side === 'buy' ? quantity : -quantity;
  const closing = closedLots(position.quantity, signed);
  const before = position.quantity;
  state.addEntry(before, 0n - position.entryNotional);
  if (before === 0) beginAnew(state, position);
  position.fees += fee;
  const profit = closing === 0 ? 0n : close(position, market, price, closing);
  const opening = quantity - closing;
  if (opening > 0) {
    if (!isFresh(market, state.now)) {
      const detail = `account ${account.accountId} grows in ${market.terms.symbol}`;
      reportRule(state, 'price-state-allows', detail);
    }
    if (closing > 0) beginAnew(state, position);
    // When a trade flips the position, the new one bears its part of the fee, rounded up.
    if (closing > 0) position.fees = ceilDivide(fee * BigInt(opening), BigInt(quantity));
    position.fullNotional += fullNotionalOf(state, market, { added: opening, reached, price });
    position.quantity += side === 'buy' ? opening : -opening;
    position.entryNotional += market.quote(price, opening);
  }
  state.addEntry(position.quantity, position.entryNotional);
  position.updatedAt = state.now;
  account.touchStake(market.terms.marketId);
  if (market.openInterest === 0) state.calmPrices.forget();
  market.openInterest += Math.max(0, position.quantity) - Math.max(0, before);
  market.netLots += position.quantity - before;
  state.touchedPositions.add(position);
  state.riskQueue.touch(account.accountId);
  if (state.closeOuts.size > 0) followCloseOut(state, account);
  state.postToWallet(account, state.cells.clearing(market), profit, postingCodes.realizedProfit);
  return profit;
}

function followCloseOut(state: FuturesState, { accountId }: FuturesAccount): void {
  const closeOut = state.closeOuts.get(accountId);
  if (closeOut !== undefined) countSettling(state, closeOut);
}

function beginAnew({ rules }: FuturesState, position: Position): void {
  position.number += numberStep[rules];
  position.realizedProfit = 0n;
  position.fees = 0n;
}

/** The number of lots of a trade that reduce the position. */
export function closedLots(position: number, signed: number): number {
  if (position === 0 || position > 0 === signed > 0) return 0;
  return Math.min(Math.abs(position), Math.abs(signed));
}

function close(
  position: Position,
  market: FuturesMarketState,
  price: number,
  lots: number,
): bigint {
  const isLong = position.quantity > 0;
  const held = BigInt(Math.abs(position.quantity));
  const product = position.entryNotional * BigInt(lots);
  const released = isLong ? ceilDivide(product, held) : floorDivide(product, held);
  const left = Math.abs(position.quantity) - lots;
  position.fullNotional = shrunkFullNotional(position.fullNotional, left + lots, left);
  const money = market.quote(price, lots);
  const profit = isLong ? money - released : released - money;
  position.quantity += isLong ? -lots : lots;
  // A computed zero would be one more heap object to keep.
  position.entryNotional = position.quantity === 0 ? 0n : position.entryNotional - released;
  position.realizedProfit += profit;
  return profit;
}
