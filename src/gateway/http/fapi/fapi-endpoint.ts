import { type TObject, type TSchema, Type } from 'typebox';
import { assert } from '../../../domain/assert.ts';
import type { Caller } from '../../auth/caller.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import type { ReasonRows } from '../../errors/surface.ts';
import type {
  AccountAuth,
  Answer,
  AuthNeed,
  Endpoint,
  EndpointRequest,
  NoAuth,
  Weighs,
} from '../endpoint.ts';
import type { OrderUnits } from '../request-limiter.ts';
import { FapiFields } from './fapi-fields.ts';
import { describeEndpoint } from './reference/fapi-reference.ts';
import { withoutEscapes } from './reference/field-schemas.ts';

/** A parameter's description, by its name. */
type FieldTexts = Readonly<Record<string, string>>;

interface FapiText {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Binance's weight of the call. */
  readonly weight: number;
  readonly fields: FieldTexts;
  readonly answers: string;
  /** The answer is an object of texts without characters that JSON escapes. */
  readonly hasPlainAnswer?: boolean;
  /** Computes the weight if it depends on the query; `weight` is then the maximum. */
  readonly weighs?: Weighs;
  readonly isOrderEntry?: boolean;
  readonly orderUnits?: OrderUnits;
  readonly errorRows?: Partial<ReasonRows>;
  readonly namedRows?: readonly ErrorRow[];
}

export type Answered = Answer<unknown> | Promise<Answer<unknown>>;

/** A market data endpoint: credentials are ignored. */
export function publicEndpoint(
  definition: FapiText & { handle(this: void, fields: FapiFields): Answered },
): Endpoint {
  const { handle, ...text } = definition;
  return make(text, { kind: 'none' }, 'Futures market data', handlePublic(handle));
}

/**
 * An account endpoint: requests must be signed by the account's API key; tokens are not accepted.
 */
export function accountEndpoint(
  auth: AccountAuth,
  definition: FapiText & { handle(this: void, fields: FapiFields, caller: Caller): Answered },
): Endpoint {
  const { handle, ...text } = definition;
  const keyOnly = { ...auth, isKeyOnly: true };
  return make(text, keyOnly, 'Futures account and trading', handleAccount(handle));
}

/** Answers a request by its fields alone. */
export function handlePublic(handle: (fields: FapiFields) => Answered): FieldHandler {
  return ({ query, body }) => handle(new FapiFields(query, body));
}

/** Answers a request by its fields and its caller. */
export function handleAccount(
  handle: (fields: FapiFields, caller: Caller) => Answered,
): FieldHandler {
  return ({ query, body, caller, digest = null }) => {
    const fields = new FapiFields(query, body);
    fields.digest = digest;
    return handle(fields, caller as Caller);
  };
}

/** Answers a request whose parameters have not been checked. */
export type FieldHandler = (
  request: EndpointRequest<unknown, unknown, unknown, Caller | null>,
) => Answered;

function make(
  { fields, answers, hasPlainAnswer = false, description, ...text }: FapiText,
  auth: AuthNeed | NoAuth,
  tag: string,
  handle: FieldHandler,
): Endpoint {
  const { rows, note, ...described } = describeEndpoint(`${text.method} ${text.path}`, fields);
  return {
    ...text,
    ...described,
    namedRows: [...(text.namedRows ?? []), ...rows],
    tag,
    description: `${description ?? text.summary}.`.replace(/\.\.$/, '.') + note,
    auth,
    params: null,
    query: querySchema(fields),
    body: null,
    // A separate schema serializes such an answer in half the time.
    answer: hasPlainAnswer
      ? plainAnswer(described.documented?.answer)
      : Type.Unsafe<unknown>({ description: answers }),
    handle,
  };
}

function plainAnswer(documented: TSchema | undefined): TSchema {
  assert(documented !== undefined, 'an answer that is written by its schema has one');
  return withoutEscapes(documented as TObject);
}

/** Unknown parameters are ignored: clients send more than is needed. */
export function querySchema(fields: FieldTexts): TObject {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [
      name,
      Type.Optional(Type.Unsafe<unknown>({ description })),
    ]),
  );
  return Type.Object(properties, { additionalProperties: true });
}
