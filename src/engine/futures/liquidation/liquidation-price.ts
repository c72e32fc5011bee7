import { solveLiquidationPrice } from '../../../domain/liquidation-price.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin, marketMargin } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

/**
 * The mark price at which the account is liquidated, all other markets unchanged: USDT for one
 * whole base asset; null without a position, or if no price does it.
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
  return solveLiquidationPrice({
    market: market.terms,
    quantity: position.quantity,
    entryNotional: position.entryNotional,
    notional: own.notional,
    others: all.equity - own.unrealizedProfit - (all.maintenance - own.maintenance),
  });
}
