import {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from 'typebox';

// The schema pieces that endpoints share. Every field has a description, and an example if its form
// is not obvious: the reference page is generated from them.

export interface Described {
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/**
 * An object with exactly these fields; an unknown one is malformed, never dropped. One with a title
 * is described once in the OpenAPI document, under this name.
 */
export function strictObject<P extends TProperties>(
  fields: P,
  options: Partial<Described> & { readonly title?: string } = {},
): TObject<P> {
  return Type.Object(fields, { additionalProperties: false, ...options });
}

/** The schema or null; written as a list of types, which serializes without trying branches. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, enum: words } = schema as unknown as {
    readonly type: string;
    readonly enum?: readonly unknown[];
  };
  return Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [type, 'null'],
    ...(words === undefined ? {} : { enum: [...words, null] }),
  });
}

/** One of the given words. */
export function oneOf<W extends string>(
  words: readonly W[],
  options: Described & { readonly default?: W },
): TUnsafe<W> {
  return Type.Unsafe<W>({ type: 'string', enum: [...words], ...options });
}

/** An amount, price or quantity in an answer: plain decimal text. */
export function decimalText(description: string, example = '10.5'): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', description, examples: [example] });
}

/**
 * An amount, price or quantity in a request: text, or a number of at most 15 significant digits.
 * The handler parses it with parseDecimalValue, the only parser of decimals.
 */
export function decimalInput(description: string, example = '10.5'): TUnsafe<string | number> {
  return Type.Unsafe<string | number>({
    type: ['string', 'number'],
    maxLength: 50,
    description,
    examples: [example],
  });
}

/** An EVM address in an answer: lowercase. */
export function addressText(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', description, examples: [exampleAddress] });
}

/** An EVM address in a request, in any letter case. */
export function addressInput(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{40}$',
    description,
    examples: [exampleAddress],
  });
}

export const exampleAddress = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

/** A time in an answer: ISO 8601, UTC, milliseconds. */
export function timeText(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: 'string',
    format: 'date-time',
    description,
    examples: ['2026-01-05T00:00:00.000Z'],
  });
}
