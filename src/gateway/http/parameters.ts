// One strict parser of `name=value&...`, for query strings and form bodies alike. Signatures are
// checked over the same reading that handlers get, so nothing is parsed twice by different rules.

/** The text as received, kept next to the parsed parameters. */
export const rawText: unique symbol = Symbol('rawText');
/** Why the text cannot be parsed, for the caller; null if it can. */
export const defect: unique symbol = Symbol('defect');

/** Decoded parameters by name; each appears once. */
export interface Parameters {
  [name: string]: unknown;
  [rawText]: string;
  [defect]: string | null;
}

const parametersMax = 64;

// Parameters have no prototype, so that a parameter named `constructor` is just a parameter.
class ParameterSet {
  [name: string]: unknown;
  [rawText]: string;
  [defect]: string | null = null;

  constructor(text: string) {
    this[rawText] = text;
  }
}
Object.setPrototypeOf(ParameterSet.prototype, null);
Reflect.deleteProperty(ParameterSet.prototype, 'constructor');

/** Parses the text; a malformed text yields its defect and no parameters. */
export function parseParameters(text: string): Parameters {
  const parameters = new ParameterSet(text);
  if (text === '') return parameters;
  let count = 0;
  let start = 0;
  while (start <= text.length) {
    const next = text.indexOf('&', start);
    const end = next < 0 ? text.length : next;
    if (end > start) {
      count += 1;
      const fault = count > parametersMax ? tooMany : addPair(parameters, text, start, end);
      if (fault !== null) return unreadable(text, fault);
    }
    start = end + 1;
  }
  return parameters;
}

const tooMany = `query: more than ${parametersMax} parameters`;

function unreadable(text: string, fault: string): Parameters {
  const parameters = new ParameterSet(text);
  parameters[defect] = fault;
  return parameters;
}

function addPair(into: Parameters, text: string, start: number, end: number): string | null {
  const equals = text.indexOf('=', start);
  const nameEnd = equals < 0 || equals > end ? end : equals;
  const name = knownName(text, start, nameEnd) ?? decode(text, start, nameEnd);
  const value = nameEnd === end ? '' : decode(text, nameEnd + 1, end);
  if (name === null || value === null) return 'query: malformed percent-encoding';
  if (into[name] !== undefined) return 'query: a parameter appears twice';
  into[name] = value;
  return null;
}

// A name cut out of a text would have to be looked up in the runtime's string table.
const commonNames: readonly string[] = [
  'timestamp',
  'signature',
  'recvWindow',
  'symbol',
  'side',
  'type',
  'timeInForce',
  'quantity',
  'price',
  'reduceOnly',
  'newClientOrderId',
  'orderId',
  'stopPrice',
];
const namesByLength = Array.from({ length: 17 }, (_, length) =>
  commonNames.filter((name) => name.length === length),
);

function knownName(text: string, start: number, end: number): string | null {
  for (const name of namesByLength[end - start] ?? []) {
    if (text.startsWith(name, start)) return name;
  }
  return null;
}

function decode(text: string, start: number, end: number): string | null {
  const part = text.slice(start, end);
  if (!part.includes('%') && !part.includes('+')) return part;
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
