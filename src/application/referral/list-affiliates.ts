import { formatAmount, toAmount } from '../../domain/amount.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import { spreadRate } from '../../programs/referral/share-fee.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { AffiliateRow, Page, PageOf } from './referral-ports.ts';
import { type ReferralReadPorts } from './referral-use-case.ts';

export interface AffiliateView {
  readonly address: string;
  readonly sub_rate: string;
  readonly spread_rate: string;
  readonly direct_traders_count: number;
  readonly team_volume: string;
  readonly spot_spread_commission: string;
  readonly futures_spread_commission: string;
  readonly total_spread_commission: string;
  readonly status: 'active';
}

/**
 * The caller's affiliates, newest first.
 * @throws DatabaseError
 */
export async function listAffiliates(
  ports: ReferralReadPorts,
  caller: Address,
  page: Page,
): Promise<PageOf<AffiliateView>> {
  await waitForDatabase(ports);
  const { agent, binding } = await ports.referralReader.loadStanding(caller);
  const ownRate = binding?.subRate ?? agent?.rebateRate ?? (0n as Decimal);
  const { items, total } = await ports.referralReader.listAffiliates(caller, page);
  return { total, items: items.map((row) => viewAffiliate(row, ownRate)) };
}

function viewAffiliate(row: AffiliateRow, ownRate: Decimal): AffiliateView {
  const { futures, spot, subRate } = row;
  return {
    address: row.address,
    sub_rate: formatDecimal(subRate),
    spread_rate: formatDecimal(spreadRate(ownRate, subRate)),
    direct_traders_count: row.directTraders,
    team_volume: formatAmount(toAmount(spot.feeValue + futures.feeValue)),
    spot_spread_commission: formatMicroUsdt(spot.commission),
    futures_spread_commission: formatMicroUsdt(futures.commission),
    total_spread_commission: formatMicroUsdt(toMicroUsdt(spot.commission + futures.commission)),
    status: 'active',
  };
}
