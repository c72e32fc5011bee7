import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  codeBytesNeeded,
  generateClaimNumber,
  generateReferralCode,
  isClaimNumber,
  isReferralCode,
} from './referral-code.ts';

test.each(['ABCD', 'A_1_', '0000', '____', 'ABCDEFGHIJ0123456789'])(
  'isReferralCode: %s is one',
  (code) => expect(isReferralCode(code)).toBe(true),
);

test.each([
  'ABC',
  'ABCDEFGHIJ01234567890',
  'abcd',
  'ABCD ',
  ' ABCD',
  'AB-CD',
  'ÄBCD',
  'ABCD\n',
  '',
  'ＡＢＣＤ',
])('isReferralCode: %j is not one', (code) => expect(isReferralCode(code)).toBe(false));

const randomBytes = fc.uint8Array({ minLength: codeBytesNeeded, maxLength: codeBytesNeeded });

test('generateReferralCode: always a code of 8 letters, the same for the same bytes', () => {
  fc.assert(
    fc.property(randomBytes, (bytes) => {
      fc.pre(bytes.filter((byte) => byte < 240).length >= 8);
      const code = generateReferralCode(bytes);
      expect(isReferralCode(code)).toBe(true);
      expect(code).toHaveLength(8);
      expect(generateReferralCode(bytes)).toBe(code);
    }),
  );
});

test('generateReferralCode: all letters are equally likely', () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 240; byte += 1) {
    const [letter = ''] = generateReferralCode(new Uint8Array(8).fill(byte));
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  expect(counts.size).toBe(30);
  expect(new Set(counts.values())).toEqual(new Set([8]));
});

test('generateReferralCode: bytes that would favour some letters are skipped', () => {
  expect(() => generateReferralCode(new Uint8Array(codeBytesNeeded).fill(240))).toThrow(RangeError);
});

test('generateClaimNumber: CLM-, the day, ten letters', () => {
  const number = generateClaimNumber(new Uint8Array(codeBytesNeeded), '2026-01-05');
  expect(number).toBe('CLM-20260105-AAAAAAAAAA');
  expect(isClaimNumber(number)).toBe(true);
  expect(isClaimNumber('CLM-1')).toBe(false);
  expect(isClaimNumber(`${number}'`)).toBe(false);
});
