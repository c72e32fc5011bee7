import { assert } from '../../domain/assert.ts';
import { type Decimal, requireDecimal } from '../../domain/decimal.ts';

// The referral tiers and the share of a trading fee that each gives (contract.md section 4). The
// on-chain rebate register mirrors them in basis points.

/** A referral tier; levels are 0 to 4, the highest with the largest share. */
export interface Tier {
  readonly level: number;
  readonly name: string;
  /** The share of a fee that agents of this tier earn, unless an administrator set another. */
  readonly rebateRate: Decimal;
}

export const tiers: readonly Tier[] = [
  { level: 0, name: 'Starter', rebateRate: requireDecimal('0.1') },
  { level: 1, name: 'Silver', rebateRate: requireDecimal('0.15') },
  { level: 2, name: 'Gold', rebateRate: requireDecimal('0.2') },
  { level: 3, name: 'Platinum', rebateRate: requireDecimal('0.25') },
  { level: 4, name: 'Diamond', rebateRate: requireDecimal('0.3') },
];

export const tierLevelMax = 4;

/** A share can be anything from zero to the whole fee. */
export const rebateRateMax = requireDecimal('1');

/** The tier of a level. Throws an AssertionError unless the level is 0 to 4. */
export function getTier(level: number): Tier {
  const tier = tiers[level];
  assert(tier !== undefined, `tier ${level} is between 0 and ${tierLevelMax}`);
  return tier;
}
