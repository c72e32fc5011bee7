import { toAmount } from '../../../domain/amount.ts';
import type { Ticks } from '../../../domain/spot-market.ts';
import type { LiquidationStep } from '../../futures-events.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import type { CloseOut } from './close-out.ts';

/** Reports one step of a close-out, with the account's margin at that moment. */
export function reportStep(
  state: FuturesState,
  account: FuturesAccount,
  {
    step,
    closeOut,
    market = null,
    price = null,
  }: {
    readonly step: LiquidationStep;
    readonly closeOut: CloseOut;
    readonly market?: FuturesMarketState | null;
    readonly price?: number | null;
  },
): void {
  const margin = accountMargin(state, account);
  state.engine.outcome.push({
    type: 'liquidationProgressed',
    accountId: account.accountId,
    marketId: market?.terms.marketId ?? null,
    step,
    number: closeOut.number,
    stage: closeOut.stage,
    equity: toAmount(margin.equity),
    maintenanceMargin: toAmount(margin.maintenance),
    bankruptcyPrice: price as Ticks | null,
  });
}
