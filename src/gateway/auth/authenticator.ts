import type { FastifyRequest } from 'fastify';
import type { ApiKeyPermission, ApiKeyStore } from '../../application/ports.ts';
import type { GatewayFailure } from '../errors/gateway-failure.ts';
import type { AccountAuth, Caller, OptionalAuth, TokenAuth } from '../http/endpoint.ts';
import type { Parameters } from '../http/parameters.ts';
import type { RequestLimiter } from '../http/request-limiter.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AdminKey } from './admin-key.ts';
import { type KeySession, KeySessions } from './key-session.ts';
import { findSignatureFault, type SignedRequest, verifySignedRequest } from './signed-request.ts';

// Who a request comes from. What headers alone can tell is judged before the body is read; a
// signature covers the body and is judged after. An API key is judged in this order: known,
// enabled, client's address, timestamp, signature, permission.

export interface AuthenticatorParts {
  readonly tokens: AccessTokens;
  readonly apiKeys: ApiKeyStore;
  readonly adminKey: AdminKey;
  /** What opens the measurements; null: they are open to all. */
  readonly operatorKey: AdminKey | null;
  readonly limiter: RequestLimiter;
  readonly now: () => number;
}

type AccountNeed = AccountAuth | OptionalAuth | TokenAuth;
type Verdict = GatewayFailure | null;

const bearerPrefix = /^bearer /i;
const apiKeyLength = 64;

const unauthorized: GatewayFailure = { reason: 'unauthorized' };
const apiKeyMissing: GatewayFailure = { reason: 'api_key_missing' };
const apiKeyMalformed: GatewayFailure = { reason: 'api_key_malformed' };
const apiKeyUnknown: GatewayFailure = { reason: 'api_key_unknown' };
const apiKeyDisabled: GatewayFailure = { reason: 'api_key_disabled' };
const ipNotAllowed: GatewayFailure = { reason: 'ip_not_allowed' };
const permissionDenied: GatewayFailure = { reason: 'permission_denied' };
const tokenRequired: GatewayFailure = { reason: 'token_required' };
const adminNotConfigured: GatewayFailure = { reason: 'admin_not_configured' };
const adminUnauthorized: GatewayFailure = { reason: 'admin_unauthorized' };

/** Proves who calls; one for the gateway. */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #sessions = new KeySessions();

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /** Judges the headers; sets the caller, or the key session whose signature is still to come. */
  identify(request: FastifyRequest, need: AccountNeed): Verdict | Promise<Verdict> {
    const isKeyOnly = need.kind === 'account' && need.isKeyOnly === true;
    const authorization = isKeyOnly ? undefined : request.headers.authorization;
    if (authorization !== undefined && bearerPrefix.test(authorization)) {
      return this.#identifyToken(request, authorization.slice('bearer '.length));
    }
    const apiKey = request.headers['x-mbx-apikey'];
    if (apiKey !== undefined) return this.#identifyKey(request, String(apiKey));
    if (authorization !== undefined) return unauthorized;
    return need.kind === 'optional' ? null : apiKeyMissing;
  }

  /** Judges the signature, once the body is read, and sets the caller. */
  verify(request: FastifyRequest, need: AccountNeed): Verdict {
    const session = request.keySession;
    if (session === null) return null;
    if (need.kind === 'account' && need.isSignatureOptional === true && !isSigned(request)) {
      request.caller = session.caller;
      return null;
    }
    const signed = {
      query: request.query as Parameters,
      form: request.form,
      body: request.rawBody,
    };
    const signature = verifySignedRequest(signed, session.signingKey, this.#parts.now());
    if (signature === null) return { reason: findSignatureFault(signed, this.#parts.now()) };
    if (need.kind === 'token') return tokenRequired;
    if (!hasPermission(session, need.permission)) return permissionDenied;
    request.caller = session.caller;
    request.signature = signature;
    return null;
  }

  /** The caller of a signed request where all is known and well; null says nothing of the rest. */
  verifyAtOnce(
    apiKey: string,
    clientAddress: string,
    permission: ApiKeyPermission,
    signed: SignedRequest,
  ): { readonly caller: Caller; readonly signature: string } | null {
    if (apiKey.length !== apiKeyLength) return null;
    const credential = this.#parts.apiKeys.recallCredential(apiKey);
    if (credential === null) return null;
    const session = this.#sessions.get(credential);
    if (judgeSession(session, clientAddress) !== null) return null;
    const signature = verifySignedRequest(signed, session.signingKey, this.#parts.now());
    if (signature === null || !hasPermission(session, permission)) return null;
    return { caller: session.caller, signature };
  }

  /** Judges the administrator's key; failed attempts of one address are limited. */
  identifyAdmin(request: FastifyRequest): Verdict {
    const { adminKey, limiter } = this.#parts;
    if (!adminKey.isConfigured) return adminNotConfigured;
    const given = request.headers['x-api-key'];
    if (typeof given === 'string' && adminKey.matches(given)) return null;
    const { retryAfterSeconds } = limiter.useSignIn(request.clientAddress);
    if (retryAfterSeconds !== null) return { reason: 'rate_limited', retryAfterSeconds };
    return adminUnauthorized;
  }

  /** Judges the token of whoever watches the service. */
  identifyOperator({ headers }: FastifyRequest): Verdict {
    const { operatorKey } = this.#parts;
    if (operatorKey === null) return null;
    const { authorization = '' } = headers;
    const isGiven = bearerPrefix.test(authorization);
    return isGiven && operatorKey.matches(authorization.slice('bearer '.length))
      ? null
      : unauthorized;
  }

  #identifyToken(request: FastifyRequest, token: string): Verdict | Promise<Verdict> {
    const { tokens } = this.#parts;
    const known = tokens.recall(token);
    if (known !== null) {
      request.caller = known.caller;
      return null;
    }
    return tokens.verify(token).then((verified) => {
      if (verified === null) return unauthorized;
      request.caller = verified.caller;
      return null;
    });
  }

  async #identifyKey(request: FastifyRequest, apiKey: string): Promise<Verdict> {
    if (apiKey.length !== apiKeyLength) return apiKeyMalformed;
    const credential = await this.#parts.apiKeys.findCredential(apiKey);
    if (credential === null) return apiKeyUnknown;
    const session = this.#sessions.get(credential);
    const failure = judgeSession(session, request.clientAddress);
    if (failure === null) request.keySession = session;
    return failure;
  }
}

function isSigned({ query, form }: FastifyRequest): boolean {
  return (query as Parameters)['signature'] !== undefined || form?.['signature'] !== undefined;
}

function judgeSession({ credential, whitelist }: KeySession, clientAddress: string): Verdict {
  if (!credential.isEnabled) return apiKeyDisabled;
  return whitelist.isEmpty || whitelist.has(clientAddress) ? null : ipNotAllowed;
}

function hasPermission(session: KeySession, permission: ApiKeyPermission): boolean {
  return session.credential.permissions.includes(permission);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key that the request names, until its signature is verified. */
    keySession: KeySession | null;
    /** The verified signature in lowercase hex; null where the caller is known by a token. */
    signature: string | null;
  }
}
