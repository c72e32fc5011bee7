import type { Static, TObject, TSchema } from 'typebox';
import type { ApiKeyPermission } from '../../application/ports/accounts.ts';
import type { RequestDigest } from '../../application/ports/exchange.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { TokenSession } from '../auth/caller.ts';
import { type Caller } from '../auth/caller.ts';
import type { ErrorRow, ErrorValues } from '../errors/error-row.ts';
import type { GatewayFailure } from '../errors/gateway-failure.ts';
import type { Reason, ReasonRows } from '../errors/surface.ts';
import type { Parameters } from './parameters.ts';
import type { OrderUnits } from './request-limiter.ts';

// What an endpoint file defines: path, authorization, weight, schemas and handler.
// register-endpoint.ts turns it into a route.

/** Open to everyone; credentials are ignored. */
export interface NoAuth {
  readonly kind: 'none';
}

/** Open to everyone; credentials that are sent must be valid. */
export interface OptionalAuth {
  readonly kind: 'optional';
  readonly permission: ApiKeyPermission;
}

/** For an account: a token, or an API key that has the permission and signs the request. */
export interface AccountAuth {
  readonly kind: 'account';
  readonly permission: ApiKeyPermission;
  /** A token is not accepted: an API key is required. */
  readonly isKeyOnly?: boolean;
  /** The API key's header is enough; a signature that is sent must be valid. */
  readonly isSignatureOptional?: boolean;
}

/** For an account by its token only; an API key, even a valid one, is refused. */
export interface TokenAuth {
  readonly kind: 'token';
}

/** For the administrator, by X-API-Key or by a token of the administration. */
export interface AdminAuth {
  readonly kind: 'admin';
  /** A token is not accepted: the key is required. */
  readonly isKeyOnly?: boolean;
}

/** For monitoring, by a separate token, unless the settings open it to everyone. */
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
export const administratorKey: AdminAuth = { kind: 'admin', isKeyOnly: true };
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

/** A parameter error that the handler itself detected. */
interface FailedAnswer {
  readonly kind: 'failed';
  readonly failure: GatewayFailure;
}

/** A complete answer that does not have the surface's form, for monitoring systems. */
export interface RawAnswer {
  readonly kind: 'raw';
  readonly status: number;
  readonly contentType: string;
  /** As bytes if it is kept encoded. */
  readonly text: string | Buffer;
  /** The name under which a browser saves the file. */
  readonly fileName?: string;
}

/** The result of a handler: done with the value, refused with a rejection, or a named error. */
export type Answer<T> = Outcome<T> | NamedError | FailedAnswer | RawAnswer;

type CallerFor<A extends AuthNeed> = A extends TokenAuth
  ? Caller & { readonly session: TokenSession }
  : A extends AccountAuth
    ? Caller
    : A extends OptionalAuth
      ? Caller | null
      : null;

/**
 * A request as the handler sees it; everything in it has been validated, and verified if signed.
 */
export interface EndpointRequest<Params, Query, Body, Who> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Who;
  /** The client's address, as used by the whitelist and the limits. */
  readonly clientAddress: string;
  /** Of an order that is signed, and therefore accepted once. */
  readonly digest?: RequestDigest | null;
}

/** Handlers can return values whose lists and fields are read-only. */
type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

/** Further limits on an endpoint's calls, besides its weight. */
type ExtraLimit = 'sign_in' | 'signing';

/** A request's query parameters by name, as received. */
export type QueryFields = Readonly<Record<string, unknown>>;

/** Computes a call's weight from its query. */
export type Weighs = (this: void, query: QueryFields) => number;

interface EndpointText {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The whole path; `:name` is a parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Counts towards the address's and the key's weight per minute. */
  readonly weight: number;
  /** Computes the weight if it depends on the query; `weight` is then the maximum. */
  readonly weighs?: Weighs;
  readonly extraLimit?: ExtraLimit;
  /**
   * Places orders: they count towards the order limits, and the same signed request sent twice
   * makes one order.
   */
  readonly isOrderEntry?: boolean;
  /** What the call counts towards the order limits, if not one order in each. */
  readonly orderUnits?: OrderUnits;
  /** Rows that replace the surface's own when this endpoint gives these reasons. */
  readonly errorRows?: Partial<ReasonRows>;
  /** Further rows that the handler uses, for the reference page. */
  readonly namedRows?: readonly ErrorRow[];
  /** Reasons for which the call can be refused, for the reference page. */
  readonly reasons?: readonly Reason[];
  /** What the reference page shows instead of the schemas that are checked. */
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
  /** The schema of a success; the envelope surface puts the value in `data`. */
  readonly answer: Answered;
  handle(
    this: void,
    request: EndpointRequest<Static<Params>, Static<Query>, Static<Body>, CallerFor<Auth>>,
  ): Answer<ReadonlyDeep<Static<Answered>>> | Promise<Answer<ReadonlyDeep<Static<Answered>>>>;
}

/** An endpoint whose schemas and handler have matching types. */
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

/** Ties the handler's types to the schemas; every endpoint file exports what this returns. */
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
    // The route validates the request against exactly these schemas before it calls the handler.
    handle: definition.handle,
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    clientAddress: string;
    /** The body's text as received; signatures are checked over it. */
    rawBody: string;
    /** The fields of a form body, or null if the body is not a form. */
    form: Parameters | null;
  }
}
