import { toAmount } from '../../../domain/amount.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import type { LiquidationStep } from '../../futures-events.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import type { CloseOut } from './close-out.ts';

/** Whether a step reports what it closes and what the fund pays for it. */
const areLotsTold: ByRules<boolean> = { 11: false, 12: false, 13: true };

/** Reports one step of a close-out, with the account's margin at that moment. */
export function reportStep(
  state: FuturesState,
  account: FuturesAccount,
  {
    step,
    closeOut,
    market = null,
    price = null,
    lots = null,
    paid = 0n,
  }: {
    readonly step: LiquidationStep;
    readonly closeOut: CloseOut;
    readonly market?: FuturesMarketState | null;
    readonly price?: number | null;
    readonly lots?: number | null;
    readonly paid?: bigint;
  },
): void {
  const margin = accountMargin(state, account);
  const told = {
    type: 'liquidationProgressed',
    accountId: account.accountId,
    marketId: market?.terms.marketId ?? null,
    step,
    number: closeOut.number,
    stage: closeOut.stage,
    equity: toAmount(margin.equity),
    maintenanceMargin: toAmount(margin.maintenance),
    bankruptcyPrice: price as Ticks | null,
  } as const;
  if (!areLotsTold[state.rules]) state.engine.outcome.push(told);
  else state.engine.outcome.push({ ...told, lots: lots as Lots | null, paid: toAmount(paid) });
}
