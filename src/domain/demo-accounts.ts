import type { Address } from './identifiers.ts';

// The traders of `npm start -- --demo`: addresses that begin with `demo` in hex and that nobody
// holds the key of. They keep markets moving and are ranked nowhere.

const prefix = '0x64656d6f';

/** The market's kind and number and the trader's role, each in four hex digits. */
export function demoAddress(kind: 'spot' | 'futures', marketId: number, role: number): Address {
  const hex = (value: number): string => value.toString(16).padStart(4, '0');
  const parts = [kind === 'spot' ? 0 : 1, marketId, role];
  return `${prefix}${parts.map(hex).join('').padStart(32, '0')}` as Address;
}

/** The least and the greatest address that a demo trader can have. */
export const demoAddresses = {
  first: `${prefix}${'0'.repeat(32)}`,
  last: `${prefix}${'f'.repeat(12).padStart(32, '0')}`,
} as const;
