import type { Address } from '../../src/domain/identifiers.ts';

/** The address whose digits are the number. */
export function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}` as Address;
}
