import { assert } from './assert.ts';
import type { Brand } from './brand.ts';

/** An exact decimal number as parsed from or formatted to text: a bigint counted in 10^-18. */
export type Decimal = Brand<bigint, 'Decimal'>;

/** The number of decimals of a Decimal. */
export const decimalScale = 18;
/** One as a Decimal. */
export const decimalOne = (10n ** 18n) as Decimal;
/** The weight of the last digit, by the number of digits after the point. */
const units = Array.from(
  { length: decimalScale + 1 },
  (_, places) => decimalOne / 10n ** BigInt(places),
);

// Leading zeros are rejected: two spellings of one number would be two texts to sign.
const decimalPattern = /^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/;
const textLengthMax = 50;
const significantDigitsMax = 15;

/**
 * Parses a decimal text. Returns null if it is malformed: an exponent, a plus sign, hex, blanks,
 * leading zeros, more than 30 integer digits or more than 18 decimals.
 */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > textLengthMax || !decimalPattern.test(text)) return null;
  const point = text.indexOf('.');
  const places = point < 0 ? 0 : text.length - point - 1;
  return (readDigits(text, point) * (units[places] ?? decimalOne)) as Decimal;
}

/** The decimal that a text is known to be, as in a constant. */
export function requireDecimal(text: string): Decimal {
  const value = parseDecimal(text);
  assert(value !== null, `${text} is a decimal`);
  return value;
}

/** The digits on both sides of the point, as one number. */
function readDigits(text: string, point: number): bigint {
  const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1);
  // For short texts, Number is faster than parsing a bigint.
  return BigInt(digits.length <= significantDigitsMax ? Number(digits) : digits);
}

/**
 * Parses a JSON value: a text as in parseDecimal, or a finite number with at most 15 significant
 * digits. Returns null for anything else.
 */
export function parseDecimalValue(value: unknown): Decimal | null {
  if (typeof value === 'string') return parseDecimal(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  if (Number(value.toPrecision(significantDigitsMax)) !== value) return null;
  const text = String(value);
  return parseDecimal(text.includes('e') ? expandExponent(text) : text);
}

/** Formats a decimal as plain text, without exponent or trailing zeros. */
export function formatDecimal(value: Decimal): string {
  return formatScaled(value, decimalScale);
}

/** Formats an integer counted in 10^-scale as plain text, without trailing zeros. */
export function formatScaled(value: bigint, scale: number): string {
  if (value === 0n) return '0';
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  let end = digits.length;
  while (end > whole.length && digits.charCodeAt(end - 1) === 48) end -= 1;
  const fraction = digits.slice(whole.length, end);
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

function expandExponent(text: string): string {
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', lead = '', fraction = '', power = '0'] = match;
  const exponent = Number(power);
  const digits = lead + fraction;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, '0');
}
