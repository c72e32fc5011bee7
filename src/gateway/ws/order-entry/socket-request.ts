import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { holdsNul } from '../../http/nul-character.ts';
import type { SignedParams } from './request-signature.ts';

export type RequestId = number | string | null;

export interface SocketRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: SignedParams;
}

const checker = Compile(
  Type.Object({
    id: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 64 }), Type.Null()])),
    method: Type.String({ maxLength: 64 }),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
);

/** Parses the request; null if the text is not a request. */
export function parseSocketRequest(text: string): SocketRequest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Text that is not JSON is not a request; the caller reports it.
    return null;
  }
  if (holdsNul('', text, 'json') || !checker.Check(value)) return null;
  const { id = null, method, params = {} } = value;
  return { id, method, params };
}
