import { loadReferralDashboard } from '../../../application/referral/load-referral-dashboard.ts';
import type { ReferralReadPorts } from '../../../application/referral/referral-use-case.ts';
import { done } from '../../../domain/outcome.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { decimalText, strictObject } from '../schema.ts';
import { tierFields } from './get-status.ts';
import { count, referralTag } from './referral-schemas.ts';

/** The caller's commission and downline. */
export function getDashboard(ports: ReferralReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/referral/dashboard',
    tag: referralTag,
    summary: 'Referral dashboard',
    description:
      'Commission in USDT, by source and (the same total) by status, and the size of the ' +
      'downline.',
    weight: 5,
    auth: tokenOnly,
    answer: strictObject({
      total_commission: decimalText('Everything ever earned, including spread'),
      spot_commission: decimalText('Earned directly on spot'),
      futures_commission: decimalText('Earned directly on futures', '0'),
      spread_commission: decimalText("Earned through affiliates' traders", '2.5'),
      claimable: decimalText('Settled on chain and not claimed'),
      pending_commission: decimalText('Waiting for its settlement on chain', '0'),
      failed_commission: decimalText('Its settlement failed', '0'),
      claimed_commission: decimalText('Redeemed on chain', '0'),
      direct_traders: count('Direct traders that are not affiliates'),
      active_traders: count('Direct traders that traded within 7 days'),
      affiliates: count('Affiliates', 1),
      downline_total: count('Direct traders, affiliates, and the accounts bound to these', 5),
      ...tierFields,
    }),
    handle: async ({ caller }) => done(await loadReferralDashboard(ports, caller.address)),
  });
}
