import { defect, type Parameters, rawText } from '../http/parameters.ts';
import type { SigningKey } from './signing-key.ts';

// What an API key signs: the query string without `signature`, in the order sent, followed directly
// by the body (a form body without a `signature` field). The text as it was sent is accepted, and
// its URL-encoded form; its decoded reading only where no name or value holds a character that
// would let one text mean two requests.

export interface SignedRequest {
  readonly query: Parameters;
  /** Null where the body is no form. */
  readonly form: Parameters | null;
  /** The body as it came; empty where there is none. */
  readonly body: string;
}

/** How far a request's timestamp may lie from the server's time, in either direction. */
export const timestampWindowMs = 60_000;

export const timestampPattern = /^[0-9]{13}$/;
const receiveWindowPattern = /^[0-9]{1,13}$/;
/** Characters by which the joined text of a decoded reading could be read in another way. */
export const ambiguousPattern = /[&=%+#\u0000-\u001f\u007f]/;

/** The signature in lowercase hex where the request is validly signed, else null. */
export function verifySignedRequest(
  request: SignedRequest,
  key: SigningKey,
  nowMs: number,
): string | null {
  const { query, form, body } = request;
  if (!isWellFormed(request)) return null;
  const timestamp = query['timestamp'] ?? form?.['timestamp'];
  if (typeof timestamp !== 'string' || !timestampPattern.test(timestamp)) return null;
  if (Math.abs(nowMs - Number(timestamp)) > timestampWindowMs) return null;
  const hex = query['signature'] ?? form?.['signature'];
  if (typeof hex !== 'string') return null;
  const signature = hex.toLowerCase();
  const text = withoutSignature(query[rawText]) + (form === null ? body : withoutSignature(body));
  if (key.matches(text, signature)) return signature;
  return matchesOtherForm(request, key, signature) ? signature : null;
}

/** Why a request that could not be verified was not; callers are told in their surface's words. */
export function findSignatureFault(
  { query, form }: SignedRequest,
  nowMs: number,
): 'timestamp_missing' | 'timestamp_invalid' | 'signature_missing' | 'signature_invalid' {
  const timestamp = query['timestamp'] ?? form?.['timestamp'];
  if (typeof timestamp !== 'string' || timestamp === '') return 'timestamp_missing';
  const signature = query['signature'] ?? form?.['signature'];
  if (typeof signature !== 'string' || signature === '') return 'signature_missing';
  const isInWindow =
    timestampPattern.test(timestamp) && Math.abs(nowMs - Number(timestamp)) <= timestampWindowMs;
  return isInWindow ? 'signature_invalid' : 'timestamp_invalid';
}

// The parts of a request must not be movable into each other: a parameter stands once, and either
// all of them stand in the query or all in the body, but for the two that belong to the signature.
function isWellFormed({ query, form, body }: SignedRequest): boolean {
  if (query[defect] !== null) return false;
  if (form !== null) return form[defect] === null && isUndivided(query, form);
  if (body === '') return true;
  const receiveWindow = query['recvWindow'];
  const isWindowPlain =
    receiveWindow === undefined ||
    (typeof receiveWindow === 'string' && receiveWindowPattern.test(receiveWindow));
  return isWindowPlain && Object.keys(query).every((name) => besideJson.has(name));
}

const ofSignature: ReadonlySet<string> = new Set(['timestamp', 'signature']);
const besideJson: ReadonlySet<string> = new Set(['timestamp', 'signature', 'recvWindow']);

function isUndivided(query: Parameters, form: Parameters): boolean {
  const inQuery = Object.keys(query);
  const inForm = Object.keys(form);
  if (inQuery.some((name) => Object.hasOwn(form, name))) return false;
  const isOwn = (name: string): boolean => !ofSignature.has(name);
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

/** The text without its `signature` pair and one `&` beside it. */
function withoutSignature(text: string): string {
  const start = text.startsWith('signature=') ? 0 : text.indexOf('&signature=') + 1;
  if (start === 0 && !text.startsWith('signature=')) return text;
  const next = text.indexOf('&', start);
  if (next < 0) return text.slice(0, Math.max(0, start - 1));
  return text.slice(0, start) + text.slice(next + 1);
}
