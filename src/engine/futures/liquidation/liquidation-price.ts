import { bracketOf } from '../../../domain/leverage-brackets.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin, marketMargin } from '../margin/account-margin.ts';
import { decimalOne } from '../margin/lot-worth.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// The mark price at which the account's equity equals its maintenance margin, all other markets
// unchanged: with wallet W, other markets' maintenance T and profit U, entry notional E, size S
// (negative if short), and rate m and amount c of the bracket,
//   price = (W - T + U + c - signed E) / (|S| x m - S).
// https://www.binance.com/en/support/faq/b3c689c1f50a44cabb3a84e663b81d93

const rateUnit = 1_000_000_000n;

/**
 * USDT for one whole base asset, rounded so that it is reached earlier; null if no price does it.
 */
export function liquidationPrice(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
): bigint | null {
  const position = account.positions[market.terms.marketId];
  if (position === undefined || position.quantity === 0) return null;
  const all = accountMargin(state, account);
  const own = marketMargin(account, market);
  const others = all.equity - own.unrealizedProfit - (all.maintenance - own.maintenance);
  const { maintenanceMarginRate: rate, maintenanceAmount } = bracketOf(
    market.terms.brackets,
    own.notional,
  );
  const isLong = position.quantity > 0;
  const signedEntry = isLong ? position.entryNotional : -position.entryNotional;
  const money = others + maintenanceAmount - signedEntry;
  const size = BigInt(Math.abs(position.quantity)) * market.terms.lotSize;
  // Long: money = -price x size x (1 - m); short: money = price x size x (1 + m).
  const share = isLong ? rateUnit - rate : rateUnit + rate;
  const dividend = (isLong ? -money : money) * decimalOne * rateUnit;
  if (dividend <= 0n) return null;
  const divisor = size * share;
  return isLong ? (dividend + divisor - 1n) / divisor : dividend / divisor;
}
