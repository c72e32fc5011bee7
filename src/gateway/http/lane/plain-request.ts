// A strict parser for the one kind of request that the lane accepts. It supports a small part of
// HTTP/1.1 and refuses everything else, so nothing that it accepts could be read in two ways.

/** A POST with an API key and nothing unusual about it. */
export interface PlainRequest {
  /** Path and query. */
  readonly target: string;
  readonly apiKey: string;
  readonly forwardedFor: string | undefined;
  readonly bodyKind: 'json' | 'form' | 'none';
  readonly body: string;
}

interface PlainHeaders {
  readonly apiKey: string;
  readonly forwardedFor: string | undefined;
  readonly bodyKind: PlainRequest['bodyKind'];
  readonly bodyBytes: number;
}

const requestBytesMax = 8_192;
const headEnd = '\r\n\r\n';
const lineEnd = '\r\n';
const method = 'POST ';
const version = ' HTTP/1.1';
const targetPattern = /^\/[!"$-~]*$/;
const headerPattern = /^([A-Za-z0-9-]+):[ \t]*([!-~](?:[ -~]*[!-~])?)?[ \t]*$/;
const lengthPattern = /^(0|[1-9][0-9]{0,3})$/;
const types: ReadonlySet<string> = new Set([
  'application/json',
  'application/x-www-form-urlencoded',
]);

// Headers whose values do not affect the answer.
const withoutEffect: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'pragma',
  'sec-fetch-mode',
  'user-agent',
]);

interface KnownHeaders {
  readonly text: string;
  readonly headers: PlainHeaders | null;
}

// A program's requests differ in the length of their bodies, and some send for several keys.
const knownHeadersMax = 8;
/** Kept texts hold on to the whole request that they are cut from. */
const keptBytesMax = 1_024;

/** Reads the requests of one connection, whose headers repeat. */
export class PlainRequestReader {
  readonly #known: KnownHeaders[] = [];
  /** Which of them is replaced next. */
  #oldest = 0;

  /** The request if the bytes are exactly one; null if they are anything else. */
  read(bytes: Buffer): PlainRequest | null {
    if (bytes.length > requestBytesMax) return null;
    // One character per byte, so that positions in the text are positions in the bytes.
    const text = bytes.toString('latin1');
    const headLength = text.indexOf(headEnd);
    if (headLength < 0) return null;
    const firstEnd = text.indexOf(lineEnd);
    const targetEnd = firstEnd - version.length;
    if (!text.startsWith(method) || targetEnd < 0 || !text.startsWith(version, targetEnd)) {
      return null;
    }
    const target = text.slice(method.length, targetEnd);
    if (!targetPattern.test(target)) return null;
    const headerText = text.slice(firstEnd + lineEnd.length, headLength);
    const headers = this.#readHeaders(headerText, bytes.length <= keptBytesMax);
    const bodyStart = headLength + headEnd.length;
    if (headers === null || bytes.length !== bodyStart + headers.bodyBytes) return null;
    const { apiKey, forwardedFor, bodyKind } = headers;
    const body = bodyKind === 'none' ? '' : bytes.toString('utf8', bodyStart);
    return { target, apiKey, forwardedFor, bodyKind, body };
  }

  #readHeaders(text: string, isKept: boolean): PlainHeaders | null {
    for (const known of this.#known) {
      if (known.text === text) return known.headers;
    }
    const headers = readHeaders(text);
    if (!isKept) return headers;
    this.#known[this.#oldest] = { text, headers };
    this.#oldest = (this.#oldest + 1) % knownHeadersMax;
    return headers;
  }
}

function readHeaders(text: string): PlainHeaders | null {
  const values = new Map<string, string>();
  for (const line of text.split(lineEnd)) {
    const [, name, value = ''] = headerPattern.exec(line) ?? [];
    if (name === undefined) return null;
    const key = name.toLowerCase();
    if (values.has(key) || !isHarmless(key, value)) return null;
    values.set(key, value);
  }
  const apiKey = values.get('x-mbx-apikey');
  const bodyBytes = Number(values.get('content-length') ?? 0);
  const bodyKind = bodyKindOf(values.get('content-type'), bodyBytes === 0);
  if (apiKey === undefined || bodyKind === null || !values.has('host')) return null;
  return { apiKey, forwardedFor: values.get('x-forwarded-for'), bodyKind, bodyBytes };
}

/** Null: a kind that the lane does not accept. Some clients name a form's type and send no body. */
export function bodyKindOf(
  contentType: string | undefined,
  isEmpty: boolean,
): PlainRequest['bodyKind'] | null {
  switch (contentType) {
    case 'application/json':
      return isEmpty ? null : 'json';
    case 'application/x-www-form-urlencoded':
      return isEmpty ? 'none' : 'form';
    case undefined:
      return isEmpty ? 'none' : null;
    default:
      return null;
  }
}

function isHarmless(name: string, value: string): boolean {
  switch (name) {
    case 'host':
    case 'x-mbx-apikey':
    case 'x-forwarded-for':
      return true;
    case 'content-type':
      return types.has(value);
    case 'content-length':
      return lengthPattern.test(value);
    case 'connection':
      return value.toLowerCase() === 'keep-alive';
    default:
      return withoutEffect.has(name);
  }
}
