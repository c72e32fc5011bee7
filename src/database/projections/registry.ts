import type { Projection } from '../projector/projection.ts';
import { accountsProjection } from './accounts.ts';
import { adminAuditProjection, adminCreditsProjection } from './admin-records.ts';
import { referralEarningsProjection } from './referral-earnings.ts';
import { spotBalancesProjection } from './spot-balances.ts';
import { spotKlinesProjection } from './spot-klines.ts';
import { spotMarketsProjection } from './spot-markets.ts';
import { spotOrdersProjection } from './spot-orders.ts';
import { spotTradesProjection } from './spot-trades.ts';

/** Every projection, in the order in which a batch is written: what others refer to comes first. */
export const projections: readonly Projection[] = [
  accountsProjection,
  spotMarketsProjection,
  adminCreditsProjection,
  adminAuditProjection,
  spotOrdersProjection,
  spotTradesProjection,
  referralEarningsProjection,
  spotKlinesProjection,
  spotBalancesProjection,
];
