import { type PriceState } from '../../domain/futures-market.ts';
import { type SettlementPhase } from '../futures-events.ts';

/** What was last reported of a market. */
export interface ReportedMarket {
  priceState: PriceState;
  phase: SettlementPhase | null;
}

/** What was last reported of the exchange. */
export interface ReportedRisk {
  badDebt: bigint;
  isGateShut: boolean;
}
