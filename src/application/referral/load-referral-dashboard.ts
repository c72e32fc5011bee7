import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { type TierView, viewTier } from './load-referral-status.ts';
import { activeDays, daysBefore, type ReferralReadPorts } from './referral-use-case.ts';

export interface ReferralDashboardView extends TierView {
  /** Total commission ever earned: directly on spot and on futures, and as spread. */
  readonly total_commission: string;
  readonly spot_commission: string;
  readonly futures_commission: string;
  readonly spread_commission: string;
  /** The same sum by its state. */
  readonly claimable: string;
  readonly pending_commission: string;
  readonly failed_commission: string;
  readonly claimed_commission: string;
  readonly direct_traders: number;
  readonly active_traders: number;
  readonly affiliates: number;
  /** Everyone whose trading earns: direct traders, affiliates, and accounts bound to these. */
  readonly downline_total: number;
}

/**
 * The caller's commission and downline, summed up.
 * @throws DatabaseError
 */
export async function loadReferralDashboard(
  ports: ReferralReadPorts,
  caller: Address,
): Promise<ReferralDashboardView> {
  await waitForDatabase(ports);
  const { referralReader, now } = ports;
  const sums = await referralReader.loadSums(caller);
  const counts = await referralReader.countDownline(caller);
  const activeSince = daysBefore(now(), activeDays);
  const total = toMicroUsdt(sums.spotDirect + sums.futuresDirect + sums.spread);
  return {
    total_commission: formatMicroUsdt(total),
    spot_commission: formatMicroUsdt(sums.spotDirect),
    futures_commission: formatMicroUsdt(sums.futuresDirect),
    spread_commission: formatMicroUsdt(sums.spread),
    claimable: formatMicroUsdt(sums.claimable),
    pending_commission: formatMicroUsdt(sums.unsynced),
    failed_commission: formatMicroUsdt(sums.failed),
    claimed_commission: formatMicroUsdt(sums.claimed),
    direct_traders: counts.traders,
    active_traders: await referralReader.countActiveTraders(caller, activeSince),
    affiliates: counts.affiliates,
    downline_total: counts.traders + counts.affiliates + counts.affiliatesTraders,
    ...viewTier(await referralReader.loadStanding(caller)),
  };
}
