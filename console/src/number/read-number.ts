import { fromUnits, toUnits } from '@openbourse/client';

// Parses what people type and paste into decimal text.

/**
 * The text of a number field after an edit, with commas turned into points. Null: refuse the edit.
 */
export function acceptEdit(text: string): string | null {
  const point = text.replace(',', '.');
  return /^\d*\.?\d*$/.test(point) && point.length <= 30 ? point : null;
}

/** Accepts pasted numbers: "64,036.64", "64 036.64" and "64.036,64" are all one price. */
export function acceptPaste(text: string): string | null {
  const bare = text
    .trim()
    .replace(/[\s\u2009\u202f']/g, '')
    .replace(/[A-Za-z$€]+$/, '');
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare)) return bare.replaceAll(',', '');
  if (/^\d{1,3}(\.\d{3})+,\d*$/.test(bare)) return bare.replaceAll('.', '').replace(',', '.');
  return acceptEdit(bare);
}

/** The decimal text of a field, or null if it is empty or not yet a number. */
export function readNumber(text: string): string | null {
  const point = text.endsWith('.') ? text.slice(0, -1) : text;
  const whole = point.startsWith('.') ? `0${point}` : point;
  if (!/^\d+(\.\d+)?$/.test(whole)) return null;
  return fromUnits(toUnits(whole));
}

/** Truncates to a multiple of the step; never rounds up. */
export function cutToStep(text: string, step: string): string {
  const size = toUnits(step);
  const value = toUnits(text);
  return size === 0n ? text : fromUnits(value - (value % size));
}

/** The number that many steps away, at least 0. */
export function moveBySteps(text: string, step: string, count: number): string {
  const size = toUnits(step);
  const base = toUnits(readNumber(text) ?? '0');
  const moved = base - (base % size) + size * BigInt(count);
  return fromUnits(moved < 0n ? 0n : moved);
}

const unit = 10n ** 8n;

/** Price times quantity, truncated to 10^-8 like in the engine. */
export function multiply(a: bigint, b: bigint): bigint {
  return (a * b) / unit;
}

/** `a` divided by `b`, truncated to 10^-8; 0 if `b` is 0. */
export function divide(a: bigint, b: bigint): bigint {
  return b === 0n ? 0n : (a * unit) / b;
}
