import { assert } from '../../domain/assert.ts';

// A referral code is 4 to 20 of A-Z, 0-9 and the underscore (contract.md section 4).

const codePattern = /^[A-Z0-9_]{4,20}$/;

export function isReferralCode(text: string): boolean {
  return codePattern.test(text);
}

// Without I, L, O, U, 0 and 1: codes are read aloud and typed from paper.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const lettersPerByte = Math.floor(256 / letters.length) * letters.length;

/** How many random bytes a generated code is made of at most. */
export const codeBytesNeeded = 32;
const codeLength = 8;

/** A code of 8 letters, each as likely as the other. */
export function generateReferralCode(bytes: Uint8Array): string {
  return pickLetters(bytes, codeLength);
}

/**
 * Claim numbers are spelled with the same letters, after the day on which they are made: the first
 * ten characters of its ISO 8601 form in UTC.
 */
export function generateClaimNumber(bytes: Uint8Array, day: string): string {
  assert(/^\d{4}-\d\d-\d\d$/.test(day), 'a day is a date');
  return `CLM-${day.replaceAll('-', '')}-${pickLetters(bytes, claimLettersLength)}`;
}

const claimLettersLength = 10;
const claimNumberPattern = /^CLM-\d{8}-[A-Z0-9]{10}$/;

export function isClaimNumber(text: string): boolean {
  return claimNumberPattern.test(text);
}

// A byte beyond the last whole run of letters would make the first ones likelier.
function pickLetters(bytes: Uint8Array, length: number): string {
  let text = '';
  for (const byte of bytes) {
    if (byte >= lettersPerByte) continue;
    text += letters[byte % letters.length] ?? '';
    if (text.length === length) return text;
  }
  throw new RangeError('too few random bytes');
}
