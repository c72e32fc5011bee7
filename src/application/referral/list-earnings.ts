import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { daysBefore, type ReferralReadPorts } from './referral-use-case.ts';

export interface EarnedDayView {
  /** A UTC date. */
  readonly day: string;
  readonly spot_commission: string;
  readonly futures_commission: string;
  readonly spread_commission: string;
  readonly total_commission: string;
}

/**
 * What the caller earned on each of the last days, today's included, newest first; days without
 * earnings are left out.
 * @throws DatabaseError
 */
export async function listEarnings(
  ports: ReferralReadPorts,
  caller: Address,
  days: number,
): Promise<readonly EarnedDayView[]> {
  await waitForDatabase(ports);
  const { referralReader, now } = ports;
  const earned = await referralReader.listEarnedDays(caller, daysBefore(now(), days - 1));
  return earned.map(({ day, spotDirect, futuresDirect, spread }) => ({
    day,
    spot_commission: formatMicroUsdt(spotDirect),
    futures_commission: formatMicroUsdt(futuresDirect),
    spread_commission: formatMicroUsdt(spread),
    total_commission: formatMicroUsdt(toMicroUsdt(spotDirect + futuresDirect + spread)),
  }));
}
