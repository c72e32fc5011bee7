import { defect, type Parameters, rawText } from '../http/parameters.ts';
import type { SigningKey } from './signing-key.ts';

// What an API key signs: the query string without `signature`, in the order sent, followed directly
// by the body (a form body without its `signature` field). The text is accepted as sent and in its
// URL-encoded form. Its decoded form is accepted only if no name or value contains a character that
// would let one text represent two requests.

export interface SignedRequest {
  readonly query: Parameters;
  /** Null if the body is not a form. */
  readonly form: Parameters | null;
  /** The body as received; empty if there is none. */
  readonly body: string;
}

/** Maximum difference between a request's timestamp and the server's time, in either direction. */
export const timestampWindowMs = 60_000;

export const timestampPattern = /^[0-9]{13}$/;
const receiveWindowPattern = /^[0-9]{1,13}$/;
/** Characters that make the joined text of a decoded form ambiguous. */
export const ambiguousPattern = /[&=%+#\u0000-\u001f\u007f]/;

/** Returns the signature in lowercase hex if the request is validly signed, otherwise null. */
export function verifySignedRequest(
  request: SignedRequest,
  key: SigningKey,
  nowMs: number,
): string | null {
  const { query, form, body } = request;
  if (!isWellFormed(request)) return null;
  if (!isTimely(query['timestamp'] ?? form?.['timestamp'], nowMs)) return null;
  const hex = query['signature'] ?? form?.['signature'];
  if (typeof hex !== 'string') return null;
  const signature = hex.toLowerCase();
  const text = withoutSignature(query[rawText]) + (form === null ? body : withoutSignature(body));
  if (key.matches(text, signature)) return signature;
  return matchesOtherForm(request, key, signature) ? signature : null;
}

/** Explains why a request failed verification; each surface maps the reason to its own error. */
export function findSignatureFault(
  { query, form }: SignedRequest,
  nowMs: number,
): 'timestamp_missing' | 'timestamp_invalid' | 'signature_missing' | 'signature_invalid' {
  const timestamp = query['timestamp'] ?? form?.['timestamp'];
  if (typeof timestamp !== 'string' || timestamp === '') return 'timestamp_missing';
  const signature = query['signature'] ?? form?.['signature'];
  if (typeof signature !== 'string' || signature === '') return 'signature_missing';
  return isTimely(timestamp, nowMs) ? 'signature_invalid' : 'timestamp_invalid';
}

function isTimely(timestamp: unknown, nowMs: number): boolean {
  if (typeof timestamp !== 'string' || !timestampPattern.test(timestamp)) return false;
  return Math.abs(nowMs - Number(timestamp)) <= timestampWindowMs;
}

// It must not be possible to move a part of a request elsewhere: each parameter appears once, and
// all of them are either in the query or in the body, except the two that belong to the signature.
function isWellFormed({ query, form, body }: SignedRequest): boolean {
  if (query[defect] !== null) return false;
  if (form !== null) return form[defect] === null && isInOnePart(query, form);
  if (body === '') return true;
  const receiveWindow = query['recvWindow'];
  const isWindowPlain =
    receiveWindow === undefined ||
    (typeof receiveWindow === 'string' && receiveWindowPattern.test(receiveWindow));
  if (!isWindowPlain) return false;
  // The parameters object has no prototype, so the loop sees no inherited names.
  for (const name in query) if (!namesBesideJson.has(name)) return false;
  return true;
}

const signatureNames: ReadonlySet<string> = new Set(['timestamp', 'signature']);
const namesBesideJson: ReadonlySet<string> = new Set(['timestamp', 'signature', 'recvWindow']);

function isInOnePart(query: Parameters, form: Parameters): boolean {
  const inQuery = Object.keys(query);
  const inForm = Object.keys(form);
  if (inQuery.some((name) => Object.hasOwn(form, name))) return false;
  const isOwn = (name: string): boolean => !signatureNames.has(name);
  return !(inQuery.some(isOwn) && inForm.some(isOwn));
}

function matchesOtherForm(request: SignedRequest, key: SigningKey, signature: string): boolean {
  const { query, form, body } = request;
  const pairs = (part: Parameters): Pair[] =>
    Object.entries(part)
      .filter(([name]) => name !== 'signature')
      .map(([name, value]) => [name, String(value)]);
  const inQuery = pairs(query);
  const inForm = form === null ? null : pairs(form);
  const textOf = (write: (of: Pair[]) => string): string =>
    write(inQuery) + (inForm === null ? body : write(inForm));
  if (key.matches(textOf(encodeComponents), signature)) return true;
  if (key.matches(textOf(encodeForm), signature)) return true;
  const all = inForm === null ? inQuery : [...inQuery, ...inForm];
  if (all.some((pair) => pair.some((part) => ambiguousPattern.test(part)))) return false;
  return key.matches(textOf(joinDecoded), signature);
}

type Pair = [name: string, value: string];

function encodeComponents(pairs: Pair[]): string {
  return pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

function encodeForm(pairs: Pair[]): string {
  return new URLSearchParams(pairs).toString();
}

function joinDecoded(pairs: Pair[]): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

/** The text without its `signature` pair and one adjacent `&`. */
function withoutSignature(text: string): string {
  const start = text.startsWith('signature=') ? 0 : text.indexOf('&signature=') + 1;
  if (start === 0 && !text.startsWith('signature=')) return text;
  const next = text.indexOf('&', start);
  if (next < 0) return text.slice(0, Math.max(0, start - 1));
  return text.slice(0, start) + text.slice(next + 1);
}
