import {
  ambiguousPattern,
  timestampPattern,
  timestampWindowMs,
} from '../../auth/signed-request.ts';
import type { SigningKey } from '../../auth/signing-key.ts';

export type SignedParams = Readonly<Record<string, unknown>>;

/**
 * Verifies the signature of Binance's WebSocket API: all parameters but `signature`, sorted by
 * name, joined like a query, HMAC-SHA256 in hex; the timestamp must be within the window. False
 * whenever the joined text could also be read as other parameters.
 */
export function isSignatureValid(params: SignedParams, key: SigningKey, nowMs: number): boolean {
  const { signature } = params;
  const timestamp = textOf(params['timestamp']);
  if (typeof signature !== 'string' || timestamp === null) return false;
  if (!timestampPattern.test(timestamp)) return false;
  if (Math.abs(nowMs - Number(timestamp)) > timestampWindowMs) return false;
  const text = signedText(params);
  return text !== null && key.matches(text, signature.toLowerCase());
}

/** Null if the text would not represent these parameters alone. */
export function signedText(params: SignedParams): string | null {
  let joined = '';
  for (const name of Object.keys(params).sort()) {
    if (name === 'signature') continue;
    const text = textOf(params[name]);
    if (text === null || ambiguousPattern.test(name) || ambiguousPattern.test(text)) return null;
    joined += joined === '' ? `${name}=${text}` : `&${name}=${text}`;
  }
  return joined;
}

// Lists, objects and null have no unambiguous text.
function textOf(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return null;
  }
}
