import type { Projection } from '../projector/projection.ts';
import { accountsProjection } from './accounts.ts';
import { adminAuditProjection, adminCreditsProjection } from './admin-records.ts';
import {
  futuresLeveragesProjection,
  futuresPositionsProjection,
  perpBalancesProjection,
} from './futures-accounts.ts';
import {
  futuresFundingRatesProjection,
  futuresIncomeProjection,
  futuresLiquidationsProjection,
} from './futures-income.ts';
import { futuresKlinesProjection } from './futures-klines.ts';
import { futuresMarketsProjection } from './futures-markets.ts';
import { futuresAmendmentsProjection, futuresOrdersProjection } from './futures-orders.ts';
import { futuresPositionSamplesProjection } from './futures-position-samples.ts';
import { futuresPriceCandlesProjection } from './futures-price-candles.ts';
import { futuresTradesProjection } from './futures-trades.ts';
import { futuresVolumesProjection } from './futures-volumes.ts';
import { pointsProjection } from './points.ts';
import { referralEarningsProjection } from './referral-earnings.ts';
import { spotBalancesProjection } from './spot-balances.ts';
import { spotKlinesProjection } from './spot-klines.ts';
import { spotMarketsProjection } from './spot-markets.ts';
import { spotOrdersProjection } from './spot-orders.ts';
import { spotTradesProjection } from './spot-trades.ts';
import { walletTransfersProjection } from './wallet-transfers.ts';
import { withdrawalFundsProjection } from './withdrawal-funds.ts';

/** Every projection, in the order in which a batch is written: referenced tables come first. */
export const projections: readonly Projection[] = [
  accountsProjection,
  spotMarketsProjection,
  adminCreditsProjection,
  adminAuditProjection,
  spotOrdersProjection,
  spotTradesProjection,
  futuresMarketsProjection,
  futuresAmendmentsProjection,
  futuresOrdersProjection,
  futuresTradesProjection,
  referralEarningsProjection,
  pointsProjection,
  spotKlinesProjection,
  withdrawalFundsProjection,
  walletTransfersProjection,
  spotBalancesProjection,
  futuresPositionSamplesProjection,
  futuresPriceCandlesProjection,
  futuresKlinesProjection,
  futuresPositionsProjection,
  futuresLeveragesProjection,
  futuresFundingRatesProjection,
  futuresIncomeProjection,
  futuresLiquidationsProjection,
  futuresVolumesProjection,
  perpBalancesProjection,
];
