import { fromUnits, toUnits } from '@openbourse/client';

// Text in, text out: no amount becomes a floating-point number on its way to the page.

const minus = '−';

/** The number of decimals of a tick or lot: "0.01" has 2. */
export function decimalsOf(step: string): number {
  const fraction = step.split('.')[1];
  return fraction === undefined ? 0 : fraction.replace(/0+$/, '').length;
}

/** Grouped decimal text with a fixed number of decimals; further digits are truncated. */
export function formatUnits(value: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = fromUnits(value < 0n ? -value : value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const cut = fraction.slice(0, decimals).padEnd(decimals, '0');
  const isZero = /^0*$/.test(whole + cut);
  return `${value < 0n && !isZero ? minus : ''}${grouped}${decimals === 0 ? '' : `.${cut}`}`;
}

/** The same for decimal text; an absent amount is a dash. */
export function formatDecimal(text: string | null | undefined, decimals: number): string {
  return text === null || text === undefined ? '–' : formatUnits(toUnits(text), decimals);
}

/** All decimals of the text, grouped. */
export function formatWhole(text: string | null | undefined): string {
  if (text === null || text === undefined) return '–';
  return formatDecimal(text, Math.min(8, text.split('.')[1]?.length ?? 0));
}

/** An amount of a token: of USDT two decimals, of others all that the text has. */
export function formatAmount(text: string | null | undefined, token: string | null): string {
  return token === 'USDT' ? formatDecimal(text, 2) : formatWhole(text);
}

/** With a leading plus or minus, so that direction is never shown by color alone. */
export function formatSigned(text: string | null | undefined, decimals: number): string {
  if (text === null || text === undefined) return '–';
  const value = toUnits(text);
  return `${value > 0n ? '+' : ''}${formatUnits(value, decimals)}`;
}

/**
 * By how many milliseconds this clock is ahead of the server's, from the server's minus this one.
 */
export function formatOwnClock(offsetMs: number): string {
  const ahead = Math.round(-offsetMs);
  return `${ahead > 0 ? '+' : ahead < 0 ? minus : ''}${Math.abs(ahead)}`;
}

export function directionOf(text: string | null | undefined): 'up' | 'down' | '' {
  if (text === null || text === undefined || !/[1-9]/.test(text)) return '';
  return text.startsWith('-') ? 'down' : 'up';
}

/** A fraction as a percentage: "0.0005" is "0.05 %". */
export function formatFraction(text: string | null | undefined, decimals = 2): string {
  if (text === null || text === undefined) return '–';
  return `${formatUnits(toUnits(text) * 100n, decimals)} %`;
}

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'medium' });

/** The time of day of Unix milliseconds or ISO text. */
export function formatTime(at: number | string): string {
  return time.format(new Date(at));
}

export function formatMoment(at: number | string | null | undefined): string {
  return at === null || at === undefined ? '–' : moment.format(new Date(at));
}

/** "59:12" or "1:02:03". */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)}:${two(seconds % 60)}`;
}

export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** Shown numbers as programs read them: without the commas of groups, with a plain minus. */
export function plainNumbers(text: string): string {
  return text
    .replace(/\d{1,3}(?:,\d{3})+(?:\.\d+)?/g, (number) => number.replaceAll(',', ''))
    .replaceAll(minus, '-');
}
