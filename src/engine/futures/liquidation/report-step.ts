import { toAmount } from '../../../domain/amount.ts';
import type { Ticks } from '../../../domain/spot-market.ts';
import type { LiquidationStep } from '../../futures-events.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { type AccountMargin, accountMargin } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

/** Tells one step of closing an account, with its margin at that moment. */
export function reportStep(
  state: FuturesState,
  account: FuturesAccount,
  {
    step,
    market = null,
    price = null,
    margin = accountMargin(state, account),
  }: {
    readonly step: LiquidationStep;
    readonly market?: FuturesMarketState | null;
    readonly price?: number | null;
    readonly margin?: AccountMargin;
  },
): void {
  state.engine.outcome.push({
    type: 'liquidationProgressed',
    accountId: account.accountId,
    marketId: market?.terms.marketId ?? null,
    step,
    equity: toAmount(margin.equity),
    maintenanceMargin: toAmount(margin.maintenance),
    bankruptcyPrice: price as Ticks | null,
  });
}
