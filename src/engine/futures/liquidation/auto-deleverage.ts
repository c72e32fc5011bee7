import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import type { FuturesAccount, Position } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin, notionalOf, unrealizedProfit } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { settleTrade } from '../orders/futures-settlement.ts';
import { blankOrder, type LiveOrder, leftOf } from '../orders/live-order.ts';

// Whoever profits most with the most leverage gives up his position first, at the bankruptcy
// price of the account that is liquidated. The score is profit / entry x notional / equity; a
// position at a loss is ranked by profit / entry / (notional / equity).
// https://www.binance.com/en/support/faq/what-is-auto-deleveraging-adl-360033525471

const scoreUnit = 1_000_000n;
const rankMax = 4;
/** Scores from which a position has rank 1, 2, 3 and 4: in parts of the score unit. */
const rankScores = [0n, 250_000n, 500_000n, 1_000_000n];

interface Candidate {
  readonly account: FuturesAccount;
  readonly position: Position;
  readonly score: bigint;
}

/** Trades what is left of a liquidation order against the other side's positions. */
export function autoDeleverage(
  state: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
  price: number,
): void {
  for (const { account, position } of rankCandidates(state, market, order)) {
    if (leftOf(order) === 0) return;
    const quantity = Math.min(leftOf(order), Math.abs(position.quantity));
    const forced = blankOrder(
      state.takeOrderNumber(),
      account.accountId,
      order.marketId,
      state.now,
    );
    forced.side = order.side === 'buy' ? 'sell' : 'buy';
    forced.type = 'limit';
    forced.price = price as Ticks;
    forced.quantity = quantity as Lots;
    forced.isReduceOnly = true;
    forced.origin = 'auto_deleveraging';
    settleTrade(state, market, { maker: forced, taker: order, price, quantity });
  }
}

function rankCandidates(
  state: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
): readonly Candidate[] {
  const { marketId } = market.terms;
  const candidates: Candidate[] = [];
  for (const account of state.accounts) {
    const position = account?.positions[marketId];
    if (account === undefined || position === undefined) continue;
    const isOpposite = order.side === 'buy' ? position.quantity > 0 : position.quantity < 0;
    if (!isOpposite || account.accountId === order.accountId) continue;
    candidates.push({ account, position, score: scoreOf(state, account, market, position) });
  }
  return candidates.sort(
    (a, b) => Number(b.score > a.score) - Number(b.score < a.score) || byNumber(a, b),
  );
}

function byNumber(a: Candidate, b: Candidate): number {
  return a.account.accountId - b.account.accountId;
}

export function scoreOf(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  position: Position,
): bigint {
  const profit = unrealizedProfit(market, position);
  const equity = accountMargin(state, account).equity;
  const leverage = { of: notionalOf(market, position), over: equity > 0n ? equity : 1n };
  const entry = position.entryNotional > 0n ? position.entryNotional : 1n;
  if (profit > 0n) return (profit * leverage.of * scoreUnit) / (entry * leverage.over);
  const of = leverage.of > 0n ? leverage.of : 1n;
  return (profit * leverage.over * scoreUnit) / (entry * of);
}

/** 0 to 4: how early a position with the score is taken. */
export function rankOf(score: bigint): number {
  let rank = 0;
  for (const floor of rankScores) if (score > floor) rank += 1;
  return Math.min(rank, rankMax);
}
