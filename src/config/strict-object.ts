import { type TObject, type TProperties, Type } from 'typebox';

/** An object with exactly these fields: an unknown one in a file is a mistake. */
export function strictObject<Fields extends TProperties>(fields: Fields): TObject<Fields> {
  return Type.Object(fields, { additionalProperties: false });
}
