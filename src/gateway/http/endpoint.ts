import type { Static, TObject, TSchema } from 'typebox';
import type { ApiKeyPermission } from '../../application/ports.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { ErrorRow, ErrorValues } from '../errors/error-row.ts';
import type { GatewayFailure } from '../errors/gateway-failure.ts';
import type { Reason, ReasonRows } from '../errors/surface.ts';
import type { Parameters } from './parameters.ts';
import type { OrderUnits } from './request-limiter.ts';

// What an endpoint file says: path, who may call, what it weighs, the schemas, and the handler.
// register-endpoint.ts makes a route of it.

/** Who calls: the account's address, and by what it proved to be it. */
export interface Caller {
  readonly address: Address;
  /** Null: by a token, which may do everything that the account may. */
  readonly apiKey: string | null;
}

/** Open to all; credentials are not looked at. */
export interface NoAuth {
  readonly kind: 'none';
}

/** Open to all; credentials that are sent must be valid. */
export interface OptionalAuth {
  readonly kind: 'optional';
  readonly permission: ApiKeyPermission;
}

/** For an account: a token, or an API key that has the permission and signs the request. */
export interface AccountAuth {
  readonly kind: 'account';
  readonly permission: ApiKeyPermission;
  /** A token counts for nothing: the API key is asked for. */
  readonly isKeyOnly?: boolean;
  /** The API key's header alone is enough; a signature that is sent must be right. */
  readonly isSignatureOptional?: boolean;
}

/** For an account by its token only; an API key, though valid, is refused. */
export interface TokenAuth {
  readonly kind: 'token';
}

/** For the administrator, by X-API-Key. */
export interface AdminAuth {
  readonly kind: 'admin';
}

/** For whoever watches the service, by a token of its own, unless the settings open it to all. */
export interface OperatorAuth {
  readonly kind: 'operator';
}

export type AuthNeed = NoAuth | OptionalAuth | AccountAuth | TokenAuth | AdminAuth | OperatorAuth;

export const anyone: NoAuth = { kind: 'none' };
export const anyoneOrAccount: OptionalAuth = { kind: 'optional', permission: 'read' };
export const accountReads: AccountAuth = { kind: 'account', permission: 'read' };
export const accountTrades: AccountAuth = { kind: 'account', permission: 'trade' };
export const accountWithdraws: AccountAuth = { kind: 'account', permission: 'withdraw' };
export const tokenOnly: TokenAuth = { kind: 'token' };
export const administrator: AdminAuth = { kind: 'admin' };
export const operator: OperatorAuth = { kind: 'operator' };

/** An endpoint's own error: a row of its surface's catalog, with the row's values. */
export interface NamedError {
  readonly kind: 'error';
  readonly row: ErrorRow;
  readonly values: ErrorValues;
}

export function namedError(row: ErrorRow, values: ErrorValues = {}): NamedError {
  return { kind: 'error', row, values };
}

/** A parameter that the handler itself has found wrong. */
export interface FailedAnswer {
  readonly kind: 'failed';
  readonly failure: GatewayFailure;
}

/** A whole answer of another form than the surface's: for machines that watch the service. */
export interface RawAnswer {
  readonly kind: 'raw';
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** What a browser calls the file that it saves. */
  readonly fileName?: string;
}

/** What a handler gives back: done with the value, refused with a rejection, or a named error. */
export type Answer<T> = Outcome<T> | NamedError | FailedAnswer | RawAnswer;

type CallerFor<A extends AuthNeed> = A extends AccountAuth | TokenAuth
  ? Caller
  : A extends OptionalAuth
    ? Caller | null
    : null;

/** What a handler sees of a request; everything in it was validated, and verified if signed. */
export interface EndpointRequest<Params, Query, Body, Who> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Who;
  /** The client's address, as the whitelist and the limits see it. */
  readonly clientAddress: string;
}

/** A handler may answer values whose lists and fields are read-only. */
type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

/** What else limits an endpoint's calls, beside its weight. */
export type ExtraLimit = 'sign_in' | 'signing';

/** A request's query by name, as it came. */
export type QueryFields = Readonly<Record<string, unknown>>;

/** What a call weighs by its query. */
export type Weighs = (this: void, query: QueryFields) => number;

interface EndpointText {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The whole path, `:name` standing for a parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What the call counts towards the minute's weight of address and key. */
  readonly weight: number;
  /** What it weighs where the query decides; `weight` is then the heaviest. */
  readonly weighs?: Weighs;
  readonly extraLimit?: ExtraLimit;
  /** Places orders: counted as such, and the same signed request twice makes one order. */
  readonly isOrderEntry?: boolean;
  /** What it counts for in the limits on orders, where that is not one order in each. */
  readonly orderUnits?: OrderUnits;
  /** Rows that stand in for the surface's own where this endpoint gives these reasons. */
  readonly errorRows?: Partial<ReasonRows>;
  /** Further rows that the handler names, for the reference page. */
  readonly namedRows?: readonly ErrorRow[];
  /** Reasons for which the call may be refused, for the reference page. */
  readonly reasons?: readonly Reason[];
  /** What the reference page shows in the place of the schemas that are checked. */
  readonly documented?: { readonly query: TObject; readonly answer: TSchema };
}

export interface EndpointDefinition<
  Auth extends AuthNeed,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Answered extends TSchema,
> extends EndpointText {
  readonly auth: Auth;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The value of a success; the envelope surface puts it in `data`. */
  readonly answer: Answered;
  handle(
    this: void,
    request: EndpointRequest<Static<Params>, Static<Query>, Static<Body>, CallerFor<Auth>>,
  ): Answer<ReadonlyDeep<Static<Answered>>> | Promise<Answer<ReadonlyDeep<Static<Answered>>>>;
}

/** An endpoint whose schemas and handler are known to agree. */
export interface Endpoint extends EndpointText {
  readonly auth: AuthNeed;
  readonly params: TObject | null;
  readonly query: TObject | null;
  readonly body: TSchema | null;
  readonly answer: TSchema;
  handle(
    this: void,
    request: EndpointRequest<unknown, unknown, unknown, Caller | null>,
  ): Answer<unknown> | Promise<Answer<unknown>>;
}

/** Ties the handler's types to the schemas; what an endpoint file exports is made by this. */
export function defineEndpoint<
  Auth extends AuthNeed,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Answered extends TSchema,
>(definition: EndpointDefinition<Auth, Params, Query, Body, Answered>): Endpoint {
  const { params, query, body, ...rest } = definition;
  return {
    ...rest,
    params: params ?? null,
    query: query ?? null,
    body: body ?? null,
    // The route checks the request against these very schemas before it calls the handler.
    handle: definition.handle,
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    clientAddress: string;
    /** The body's text as it came; what a signature is checked over. */
    rawBody: string;
    /** The fields of a form body, or null where the body is none. */
    form: Parameters | null;
  }
}
