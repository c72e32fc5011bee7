import { amountMax, decimalsPerAmount } from '../../../domain/amount.ts';
import { futuresFeeBpsMax, rateFromBps } from '../../../domain/fee.ts';
import {
  type FuturesMarketId,
  type FuturesMarketTerms,
  type LeverageBracket,
  rateOne,
} from '../../../domain/futures-market.ts';
import { leverageBrackets } from '../../../domain/leverage-brackets.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import { ceilDivide } from '../../../domain/rounding.ts';
import { isSpotSymbol, marketUnits } from '../../../domain/spot-market.ts';
import type { CreateFuturesMarket, SetFuturesMarketStatus } from '../../futures-commands.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesState } from '../futures-state.ts';
import { FuturesSettlement } from '../orders/futures-settlement.ts';
import type { TimedOutcome } from '../work-left.ts';
import { cancelPlannedDelisting, delistMarket } from './delist-market.ts';
import { FuturesMarketState, uniformTerms } from './futures-market-state.ts';

const leverageMax = 125;
const rateMax = 500_000_000n;
/** Price times quantity of any order fits; rules 11 limit its notional alone. */
const productMax: ByRules<bigint> = { 11: amountMax, 12: 1n << 52n, 13: 1n << 52n };
/** Initial margin exceeds maintenance margin by at least the taker fee and a tenth of a percent. */
const leastGap = 1_000_000n;

/**
 * Lists a market without a price.
 * @returns `market_exists`, `market_units_too_fine`, or `market_terms_invalid`.
 */
export function createMarket(
  state: FuturesState,
  { terms }: CreateFuturesMarket,
): Rejection | null {
  if (state.marketIds.has(terms.symbol)) return { reason: 'market_exists' };
  const units = marketUnits(terms.tickSize, terms.lotSize);
  if (units === null || terms.tickSize % decimalsPerAmount !== 0n) {
    return { reason: 'market_units_too_fine' };
  }
  const isInRange = ticksTimesLots(terms, units.tickLotAmount) <= productMax[state.rules];
  if (!areTermsValid(terms) || !isInRange) return { reason: 'market_terms_invalid' };
  const marketId = state.markets.length as FuturesMarketId;
  const market = new FuturesMarketState(
    {
      ...terms,
      marketId,
      status: 'listed',
      brackets: leverageBrackets(terms),
      tickLotAmount: units.tickLotAmount,
      createdAt: state.now,
    },
    new FuturesSettlement(state, marketId),
  );
  state.markets.push(market);
  state.hourDueAt = 0;
  state.marketIds.set(terms.symbol, marketId);
  state.engine.outcome.push({ type: 'futuresMarketCreated', market: market.terms });
  return null;
}

/** The price in ticks times the lots of the largest order. */
function ticksTimesLots({ maxNotional }: FuturesMarketTerms, tickLotAmount: bigint): bigint {
  return ceilDivide(maxNotional, tickLotAmount);
}

function areTermsValid(terms: FuturesMarketTerms): boolean {
  const { minNotional, maxNotional, maxLeverage, maintenanceMarginRate } = terms;
  const isFee = (bps: number): boolean =>
    Number.isInteger(bps) && bps >= 0 && bps <= futuresFeeBpsMax;
  return (
    isSpotSymbol(terms.symbol) &&
    terms.symbol === terms.symbol.toUpperCase() &&
    minNotional >= 0n &&
    maxNotional > minNotional &&
    maxNotional <= amountMax / 100n &&
    Number.isInteger(maxLeverage) &&
    maxLeverage >= 1 &&
    maxLeverage <= leverageMax &&
    maintenanceMarginRate > 0n &&
    maintenanceMarginRate <= rateMax &&
    isFee(terms.makerFeeBps) &&
    isFee(terms.takerFeeBps) &&
    terms.maxOpenInterest >= maxNotional &&
    leverageBrackets(terms).every((bracket) => isCarried(bracket, terms.takerFeeBps))
  );
}

/**
 * Whether an account that opens at the bracket's leverage clearly has more than it must keep:
 * initial margin is at least 3/2 of the maintenance margin, and exceeds it by more than a trade
 * costs.
 */
function isCarried(
  { maxLeverage, maintenanceMarginRate }: LeverageBracket,
  takerFeeBps: number,
): boolean {
  const leverage = BigInt(maxLeverage);
  const maintenance = maintenanceMarginRate * leverage;
  const cost = rateFromBps(takerFeeBps) + leastGap;
  return 3n * maintenance <= 2n * rateOne && rateOne - maintenance >= cost * leverage;
}

/** Changes a market between listed and halted; delisting is final. */
export function setMarketStatus(
  state: FuturesState,
  command: SetFuturesMarketStatus,
): TimedOutcome {
  const { symbol, status } = command;
  const market = state.markets[state.marketIds.get(symbol) ?? -1];
  if (market === undefined) return { reason: 'market_not_found' };
  if (market.terms.status === 'delisted') {
    return status === 'delisted' ? null : { reason: 'market_status_final' };
  }
  if (status === 'delisted') return delistMarket(state, market, command);
  cancelPlannedDelisting(state, market);
  if (market.terms.status === status) return null;
  market.terms = uniformTerms({ ...market.terms, status });
  const { marketId } = market.terms;
  state.engine.outcome.push({ type: 'futuresMarketStatusChanged', marketId, status });
  // Triggers that were reached during the halt fire now.
  if (status === 'listed') state.movedMarkets.add(market);
  return null;
}
