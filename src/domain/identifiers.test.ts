import { expect, test } from 'vitest';
import { isClientOrderId, isTokenSymbol, parseAddress } from './identifiers.ts';

const address = '0xAbCdEf0123456789aBcDeF0123456789abcdef01';

test('parseAddress: every letter case is accepted and answered in lowercase', () => {
  expect(parseAddress(address)).toBe(address.toLowerCase());
});

test.each([
  '',
  '0x',
  address.slice(2),
  `${address}0`,
  address.slice(0, -1),
  address.replace('A', 'G'),
  ` ${address}`,
  `${address}\n`,
  'vitalik.eth',
  address.replace('0x', '0X'),
])('parseAddress: %j is not an address', (text) => {
  expect(parseAddress(text)).toBeNull();
});

test.each(['a', 'A-Z_1.2:3/4', 'x'.repeat(36)])('isClientOrderId: %j may be one', (text) => {
  expect(isClientOrderId(text)).toBe(true);
});

test.each(['', 'x'.repeat(37), 'a b', 'ä', 'a\n', 'a%20', '\u212a'])(
  'isClientOrderId: %j may not',
  (text) => {
    expect(isClientOrderId(text)).toBe(false);
  },
);

test.each(['', 'US DT', '__proto__\u0000', 'x'.repeat(21), 'ü'])(
  'isTokenSymbol: %j is not one',
  (text) => {
    expect(isTokenSymbol(text)).toBe(false);
  },
);
