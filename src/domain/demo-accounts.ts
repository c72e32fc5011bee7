import type { Address } from './identifiers.ts';

// The traders of `npm start -- --demo`: addresses that begin with `demo` in hex and whose keys do
// not exist. They keep markets moving and appear in no ranking, except for those that begin with
// `rank`, which appear on every leaderboard.

const prefix = '0x64656d6f';
const rankedPrefix = '0x72616e6b';

/** Options of the demo traders. */
export interface DemoOptions {
  /** Whether leaderboards and statistics count the demo traders. */
  readonly isRanked: boolean;
}

/** Identifies one demo trader. */
export interface DemoAccount extends DemoOptions {
  readonly kind: 'spot' | 'futures';
  readonly marketId: number;
  readonly role: number;
}

/**
 * The trader's address: the prefix, then the market's kind (0 spot, 1 futures), its number and the
 * trader's role, each in four hex digits.
 */
export function demoAddress({ kind, marketId, role, isRanked }: DemoAccount): Address {
  const hex = (value: number): string => value.toString(16).padStart(4, '0');
  const parts = [kind === 'spot' ? 0 : 1, marketId, role];
  const begin = isRanked ? rankedPrefix : prefix;
  return `${begin}${parts.map(hex).join('').padStart(32, '0')}` as Address;
}

/** The lowest and highest address of the unranked demo traders. */
export const demoAddresses = {
  first: `${prefix}${'0'.repeat(32)}`,
  last: `${prefix}${'f'.repeat(12).padStart(32, '0')}`,
} as const;
