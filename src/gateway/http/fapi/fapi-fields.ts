import type { RequestDigest } from '../../../application/ports/exchange.ts';
import { type Decimal, parseDecimalValue } from '../../../domain/decimal.ts';
import type { ParameterFailure } from '../../errors/gateway-failure.ts';
import { latestTime } from '../read-time.ts';

// Binance's clients send parameters in the query, in a form or in both, numbers as text or as
// numbers, flags as text or as booleans, and omit a field by sending it empty or as the text
// `undefined`. The reader records the first error and continues, so that a handler reads all it
// needs and checks once.

const integerPattern = /^(0|-?[1-9][0-9]{0,15})$/;
const clientIdPattern = /^[.A-Z:/a-z0-9_-]{1,36}$/;

type Source = Readonly<Record<string, unknown>>;

/** The usual spelling of each name that a handler reads, by its spellings in the code. */
const usualNames = new Map<string, string>();
const usualByFolded = new Map<string, string>();

function usualName(name: string): string {
  let usual = usualNames.get(name);
  if (usual === undefined) {
    const folded = name.toLowerCase();
    usual = usualByFolded.get(folded) ?? name;
    usualByFolded.set(folded, usual);
    usualNames.set(name, usual);
  }
  return usual;
}

// No handler reads the fields that belong to the signature.
for (const name of ['timestamp', 'recvWindow', 'signature']) usualName(name);

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWrittenAsUsual(source: Source): boolean {
  return Object.keys(source).every((name) => usualNames.get(name) === name);
}

function foldNames(sources: readonly Source[]): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const source of sources) {
    for (const name of Object.keys(source)) {
      const folded = name.toLowerCase();
      if (!isAbsent(source[name]) && !values.has(folded)) values.set(folded, source[name]);
    }
  }
  return values;
}

export class FapiFields {
  /** The first field that is wrong. */
  failure: ParameterFailure | null = null;
  /** Of a signed order. */
  digest: RequestDigest | null = null;
  readonly #sources: readonly Source[];
  /** By names in lower case; null if all names have their usual spelling, as with most clients. */
  readonly #folded: ReadonlyMap<string, unknown> | null;

  /** Names match in any letter case; the query's fields take precedence. */
  constructor(...sources: readonly unknown[]) {
    this.#sources = sources.filter(isSource);
    this.#folded = this.#sources.every(isWrittenAsUsual) ? null : foldNames(this.#sources);
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  /** The value as text; that of the other name if the first is absent. */
  text(name: string, otherName?: string): string | null {
    const value = this.#get(name);
    if (value === undefined) return otherName === undefined ? null : this.text(otherName);
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    this.fail('parameter_malformed', name);
    return null;
  }

  requiredText(name: string): string {
    const text = this.text(name);
    if (text === null) this.fail('parameter_missing', name);
    return text ?? '';
  }

  /** A mandatory field as returned by `read`; missing and malformed are one failure. */
  required<Value>(name: string, read: (this: void) => Value | null): Value | null {
    const before = this.failure;
    const value = read();
    if (value !== null) return value;
    this.failure = before;
    this.fail('parameter_missing', name);
    return null;
  }

  /** A number above zero. */
  decimal(name: string, otherName?: string): Decimal | null {
    const given = this.#get(name);
    if (given === undefined) return otherName === undefined ? null : this.decimal(otherName);
    const value = parseDecimalValue(given);
    if (value !== null && value > 0n) return value;
    this.fail('parameter_malformed', name);
    return null;
  }

  /** A time in milliseconds since 1970, before the year 9999. */
  time(name: string): number | null {
    return this.integer(name, 0, latestTime);
  }

  /** A whole number from `min` to `max`. */
  integer(name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = integerPattern.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
    this.fail('parameter_malformed', name);
    return null;
  }

  /** The requested number of rows: at most `max`. */
  limit(fallback: number, max: number): number {
    const value = this.integer('limit', 1) ?? fallback;
    if (value > max) this.fail('parameter_malformed', 'limit', `at most ${max}`);
    return value;
  }

  flag(name: string): boolean | null {
    const text = this.text(name);
    if (text === null) return null;
    const word = text.toLowerCase();
    if (word === 'true' || word === 'false') return word === 'true';
    this.fail('parameter_malformed', name);
    return null;
  }

  /** The value that the word maps to. */
  member<Value>(name: string, words: Readonly<Record<string, Value>>): Value | null {
    const text = this.text(name);
    if (text === null) return null;
    if (Object.hasOwn(words, text)) return words[text] as Value;
    this.fail('parameter_unknown_member', name);
    return null;
  }

  requiredMember<Value>(
    name: string,
    words: Readonly<Record<string, Value>>,
    fallback: Value,
  ): Value {
    const text = this.text(name);
    if (text === null) this.fail('parameter_missing', name);
    else if (Object.hasOwn(words, text)) return words[text] as Value;
    else this.fail('parameter_unknown_member', name);
    return fallback;
  }

  clientId(name: string, otherName?: string): string | null {
    const text = this.text(name, otherName);
    if (text === null || clientIdPattern.test(text)) return text;
    this.fail('parameter_malformed', name);
    return null;
  }

  /** A list, sent as JSON text or as a list. */
  list(name: string): readonly unknown[] | null {
    const value = this.#get(name);
    if (value === undefined) return null;
    const list: unknown = typeof value === 'string' ? parseList(value) : value;
    if (Array.isArray(list)) return list as readonly unknown[];
    this.fail('parameter_malformed', name);
    return null;
  }

  fail(reason: ParameterFailure['reason'], parameter: string, why?: string): void {
    this.failure ??= { reason, parameter, detail: `${parameter}: ${why ?? detailOf(reason)}` };
  }

  #get(name: string): unknown {
    const usual = usualName(name);
    if (this.#folded !== null) return this.#folded.get(name.toLowerCase());
    for (const source of this.#sources) {
      const value = source[usual];
      if (!isAbsent(value)) return value;
    }
    return undefined;
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 'undefined';
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON is not a list; the caller reports it.
    return null;
  }
}

function detailOf(reason: ParameterFailure['reason']): string {
  switch (reason) {
    case 'parameter_missing':
      return 'required';
    case 'parameter_malformed':
      return 'malformed';
    case 'parameter_unknown_member':
      return 'not one of its set';
    case 'parameter_not_required':
      return 'must not be sent here';
    case 'parameter_combination':
      return 'cannot be combined with the others';
    case 'interval_unknown':
      return 'no such interval';
  }
}
