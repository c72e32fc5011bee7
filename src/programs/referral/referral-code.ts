import { assert } from '../../domain/assert.ts';

// A referral code has 4 to 20 characters of A-Z, 0-9 and underscore (contract.md section 4).

const codePattern = /^[A-Z0-9_]{4,20}$/;

/** Whether the text is a well-formed referral code. */
export function isReferralCode(text: string): boolean {
  return codePattern.test(text);
}

// Without I, L, O, U, 0 and 1, because codes are read aloud and typed from paper.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const lettersPerByte = Math.floor(256 / letters.length) * letters.length;

/** The number of random bytes to pass for a generated code. */
export const codeBytesNeeded = 32;
const codeLength = 8;

/**
 * Generates a code of 8 letters, each equally likely. Throws a RangeError if the random bytes run
 * out, as bytes that would bias the choice are skipped.
 */
export function generateReferralCode(bytes: Uint8Array): string {
  return pickLetters(bytes, codeLength);
}

/**
 * Generates a claim number: the day in UTC as YYYY-MM-DD, then 10 letters of the same alphabet.
 * Throws an AssertionError for a malformed day and a RangeError if the random bytes run out.
 */
export function generateClaimNumber(bytes: Uint8Array, day: string): string {
  assert(/^\d{4}-\d\d-\d\d$/.test(day), 'a day is a date');
  return `CLM-${day.replaceAll('-', '')}-${pickLetters(bytes, claimLettersLength)}`;
}

const claimLettersLength = 10;
const claimNumberPattern = /^CLM-\d{8}-[A-Z0-9]{10}$/;

/** Whether the text is a well-formed claim number. */
export function isClaimNumber(text: string): boolean {
  return claimNumberPattern.test(text);
}

// Bytes beyond the last whole multiple of the alphabet would bias the choice to its first letters.
function pickLetters(bytes: Uint8Array, length: number): string {
  let text = '';
  for (const byte of bytes) {
    if (byte >= lettersPerByte) continue;
    text += letters[byte % letters.length] ?? '';
    if (text.length === length) return text;
  }
  throw new RangeError('too few random bytes');
}
