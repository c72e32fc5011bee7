import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { strictObject } from '../../schema.ts';

// Building blocks for the schemas of /fapi answers. They are for the interface reference and for
// tests; only the answers to orders are serialized with them.

export const exampleTimeMs = 1_767_571_200_000;

export function text(description: string, example = '64000.5'): TSchema {
  return Type.String({ description, examples: [example] });
}

/** A price, quantity or amount: plain decimal text. */
export function decimal(description: string, example: string): TSchema {
  return Type.String({ description, pattern: '^-?[0-9]+(\\.[0-9]+)?$', examples: [example] });
}

export function usdt(description: string, example = '1250.5'): TSchema {
  return decimal(`${description}, in USDT`, example);
}

export function price(description: string, example = '64000.5'): TSchema {
  return decimal(`${description}, USDT for one of the base asset`, example);
}

export function base(description: string, example = '0.25'): TSchema {
  return decimal(`${description}, in the base asset`, example);
}

export function whole(description: string, example: number): TSchema {
  return Type.Integer({ description, examples: [example] });
}

export function float(description: string, example: number): TSchema {
  return Type.Number({ description, examples: [example] });
}

export function flag(description: string, example = false): TSchema {
  return Type.Boolean({ description, examples: [example] });
}

export function time(description: string): TSchema {
  return whole(`${description}, milliseconds since 1970`, exampleTimeMs);
}

export function word(description: string, words: readonly string[]): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: words, description, examples: [words[0]] });
}

export function list(items: TSchema, description: string): TSchema {
  return Type.Array(items, { description });
}

/** A list of arrays that all have these fields in this order. */
export function listOfArrays(
  fields: readonly TSchema[],
  about: { readonly item: string; readonly list: string },
): TSchema {
  const items = Type.Unsafe<unknown>({
    type: 'array',
    description: about.item,
    prefixItems: fields,
    items: false,
    minItems: fields.length,
    examples: [fields.map((field) => (field as { examples?: unknown[] }).examples?.[0])],
  });
  return list(items, about.list);
}

/** A list of objects, or a single one if a symbol was given. */
export function oneOrList(item: TSchema, description: string): TSchema {
  return Type.Unsafe<unknown>({
    anyOf: [item, Type.Array(item, { description: 'For all markets, if no symbol was given' })],
    description,
  });
}

export function object(fields: TProperties, description: string): TObject {
  return strictObject(fields, { description });
}

/** The same object for the serializer, which then writes its texts without escaping. */
export function withoutEscapes({ properties, ...rest }: TObject): TSchema {
  const fields = Object.entries(properties).map(([name, field]): [string, object] => {
    const isText = (field as { readonly type?: unknown }).type === 'string';
    return [name, isText ? { ...field, format: 'unsafe' } : field];
  });
  return Type.Unsafe<unknown>({ ...rest, properties: Object.fromEntries(fields) });
}

/** A field that exists only with FAPI_DIALECT=binance. */
export function inDialect(field: TSchema): TSchema {
  const { description } = field as { readonly description?: string };
  const noted = `${description ?? ''} (FAPI_DIALECT=binance only)`;
  return Type.Optional(Type.Unsafe<unknown>({ ...field, description: noted }));
}

export const symbol = text('The market', 'BTCUSDT');
export const empty = object({}, 'An empty object');
