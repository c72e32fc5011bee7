import { type Amount, amountMax, toAmount, zeroAmount } from './amount.ts';
import {
  type FuturesMarketTerms,
  type LeverageBracket,
  type Rate,
  rateOne,
} from './futures-market.ts';

// Maintenance margin in tiers, as on Binance. Bracket i applies from its notional floor:
// margin = notional x rate - amount; the amounts make it continuous at each floor:
// amount[i] = amount[i-1] + floor[i] x (rate[i] - rate[i-1]).

interface Tier {
  /** Start of the tier in thousandths of the market's largest notional. */
  readonly floorShare: bigint;
  /** Divides the market's maximum leverage and multiplies its base rate. */
  readonly factor: bigint;
}

const tiers: readonly Tier[] = [
  { floorShare: 0n, factor: 1n },
  { floorShare: 100n, factor: 2n },
  { floorShare: 250n, factor: 4n },
  { floorShare: 500n, factor: 8n },
];
const sharesPerWhole = 1_000n;
/** Maintenance margin never exceeds half the notional, however steep the tiers. */
const rateMax = 500_000_000n as Rate;

/**
 * Derives a market's brackets from its terms: from tier to tier the leverage halves and the rate
 * doubles, up to one half.
 */
export function leverageBrackets(terms: FuturesMarketTerms): readonly LeverageBracket[] {
  const { maxNotional, maxLeverage, maintenanceMarginRate } = terms;
  const floors = tiers.map(({ floorShare }) => (maxNotional * floorShare) / sharesPerWhole);
  const rates = tiers.map(({ factor }) => {
    const scaled = maintenanceMarginRate * factor;
    return (scaled > rateMax ? rateMax : scaled) as Rate;
  });
  const amounts = maintenanceAmounts(floors, rates);
  return tiers.map(({ factor }, index) => ({
    bracket: index + 1,
    maxLeverage: Math.max(1, Math.floor(maxLeverage / Number(factor))),
    notionalFloor: toAmount(floors[index] ?? 0n),
    notionalCap: toAmount(floors[index + 1] ?? amountMax),
    maintenanceMarginRate: rates[index] ?? maintenanceMarginRate,
    maintenanceAmount: toAmount(amounts[index] ?? 0n),
  }));
}

/**
 * The amount that each tier subtracts, so that maintenance margin is continuous at every floor.
 * Floors are amounts and rates count 10^-9, one of each per tier.
 */
export function maintenanceAmounts(
  floors: readonly bigint[],
  rates: readonly bigint[],
): readonly bigint[] {
  let amount = 0n;
  return floors.map((floor, index) => {
    const rate = rates[index] ?? 0n;
    amount += (floor * (rate - (rates[index - 1] ?? rate))) / rateOne;
    return amount;
  });
}

/** The bracket that applies to a notional of 10^-8 USDT; the highest bracket has no upper end. */
export function bracketOf(brackets: readonly LeverageBracket[], notional: bigint): LeverageBracket {
  let found = brackets[0] as LeverageBracket;
  for (const bracket of brackets) {
    if (notional < BigInt.asIntN(64, bracket.notionalFloor)) break;
    found = bracket;
  }
  return found;
}

/** The largest notional, in USDT, that a position can have at a leverage from 1 on. */
export function maxNotionalAt(brackets: readonly LeverageBracket[], leverage: number): Amount {
  let cap = brackets[0]?.notionalCap ?? zeroAmount;
  for (const { maxLeverage, notionalCap } of brackets) {
    if (leverage <= maxLeverage) cap = notionalCap;
  }
  return cap;
}
