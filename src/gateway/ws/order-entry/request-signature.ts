import type { SigningKey } from '../../auth/signing-key.ts';

/** How far a request's timestamp may lie from the server's time, in either direction. */
const timestampWindowMs = 60_000;

export type SignedParams = Readonly<Record<string, unknown>>;

/**
 * Whether the parameters are signed as Binance's WebSocket API is: all but `signature`, sorted by
 * name, joined like a query, HMAC-SHA256 in hex; and the timestamp is within the window.
 */
export function isSignatureValid(params: SignedParams, key: SigningKey, nowMs: number): boolean {
  const timestamp = Number(params['timestamp'] ?? Number.NaN);
  if (!Number.isSafeInteger(timestamp)) return false;
  if (Math.abs(nowMs - timestamp) > timestampWindowMs) return false;
  const { signature } = params;
  if (typeof signature !== 'string') return false;
  return key.matches(signedText(params), signature.toLowerCase());
}

export function signedText(params: SignedParams): string {
  return Object.keys(params)
    .filter((name) => name !== 'signature')
    .sort()
    .map((name) => `${name}=${textOf(params[name])}`)
    .join('&');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
