import type { Address } from './identifiers.ts';

// The traders of `npm start -- --demo`: addresses that begin with `demo` in hex and that nobody
// holds the key of. They keep markets moving and are ranked nowhere, but for those that begin with
// `rank`, which stand on every board.

const prefix = '0x64656d6f';
const rankedPrefix = '0x72616e6b';

export interface DemoOptions {
  /** Whether leaderboards and statistics count the demo traders. */
  readonly isRanked: boolean;
}

export interface DemoAccount extends DemoOptions {
  readonly kind: 'spot' | 'futures';
  readonly marketId: number;
  readonly role: number;
}

/** The market's kind and number and the trader's role, each in four hex digits. */
export function demoAddress({ kind, marketId, role, isRanked }: DemoAccount): Address {
  const hex = (value: number): string => value.toString(16).padStart(4, '0');
  const parts = [kind === 'spot' ? 0 : 1, marketId, role];
  const begin = isRanked ? rankedPrefix : prefix;
  return `${begin}${parts.map(hex).join('').padStart(32, '0')}` as Address;
}

/** The least and the greatest address of the demo traders that are ranked nowhere. */
export const demoAddresses = {
  first: `${prefix}${'0'.repeat(32)}`,
  last: `${prefix}${'f'.repeat(12).padStart(32, '0')}`,
} as const;
