import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** Clients give their requests a number or a text, which is returned as it was. */
export type ControlId = number | string | null;

export interface ControlMessage {
  readonly id: ControlId;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The meaning of Binance's codes for a bad request, for the interface description. */
export const controlErrorMeanings = {
  2: 'the request is not one, names no stream or method, or comes too fast; `msg` says which',
  3: 'the text is not JSON',
} as const;

export interface ControlError {
  readonly code: keyof typeof controlErrorMeanings;
  readonly msg: string;
}

const checker = Compile(
  Type.Object({
    id: Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 64 }), Type.Null()])),
    method: Type.String(),
    params: Type.Optional(Type.Array(Type.Unknown())),
  }),
);

export function parseControlMessage(
  text: string,
): { readonly message: ControlMessage } | { readonly error: ControlError; readonly id: ControlId } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: { code: 3, msg: 'Invalid JSON: expected value' }, id: null };
  }
  if (!checker.Check(value)) {
    const msg = 'Invalid request: method must be a text, params a list, id a number or a text';
    return { error: { code: 2, msg }, id: null };
  }
  const { id = null, method, params = [] } = value;
  return { message: { id, method, params } };
}
