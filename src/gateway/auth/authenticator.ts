import type { FastifyRequest } from 'fastify';
import type { ApiKeyPermission, ApiKeyStore } from '../../application/ports/accounts.ts';
import type { GatewayFailure } from '../errors/gateway-failure.ts';
import type { AccountAuth, AdminAuth, OptionalAuth, TokenAuth } from '../http/endpoint.ts';
import type { Parameters } from '../http/parameters.ts';
import type { RequestLimiter } from '../http/request-limiter.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AdminKey } from './admin-key.ts';
import type { AdminTokens } from './admin-tokens.ts';
import type { Caller } from './caller.ts';
import { type PreparedKey, PreparedKeys } from './prepared-key.ts';
import { findSignatureFault, type SignedRequest, verifySignedRequest } from './signed-request.ts';

// Identifies the caller of a request. Whatever the headers alone decide is checked before the body
// is read; a signature covers the body and is checked afterwards. An API key is checked in this
// order: known, enabled, client's address, timestamp, signature, permission.

export interface AuthenticatorParts {
  readonly tokens: AccessTokens;
  readonly apiKeys: ApiKeyStore;
  readonly adminKey: AdminKey;
  readonly adminTokens: AdminTokens;
  /** Protects the metrics; null: they are open to everyone. */
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

/** Authenticates callers; the gateway has one instance. */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #preparedKeys = new PreparedKeys();

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /** Checks the headers; sets the caller, or the key whose signature is checked later. */
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

  /** Checks the signature once the body is read, and sets the caller. */
  verify(request: FastifyRequest, need: AccountNeed): Verdict {
    const key = request.preparedKey;
    if (key === null) return null;
    if (need.kind === 'account' && need.isSignatureOptional === true && !isSigned(request)) {
      if (!hasPermission(key, need.permission)) return permissionDenied;
      this.#accept(request, key);
      return null;
    }
    const signed = {
      query: request.query as Parameters,
      form: request.form,
      body: request.rawBody,
    };
    const signature = verifySignedRequest(signed, key.signingKey, this.#parts.now());
    if (signature === null) return { reason: findSignatureFault(signed, this.#parts.now()) };
    if (need.kind === 'token') return tokenRequired;
    if (!hasPermission(key, need.permission)) return permissionDenied;
    this.#accept(request, key);
    request.signature = signature;
    return null;
  }

  /**
   * Returns the caller of a signed request if the key is cached and every check passes; null does
   * not say which check failed.
   */
  verifyAtOnce(
    apiKey: string,
    clientAddress: string,
    permission: ApiKeyPermission,
    signed: SignedRequest,
  ): { readonly caller: Caller; readonly signature: string } | null {
    if (apiKey.length !== apiKeyLength) return null;
    const credential = this.#parts.apiKeys.recallCredential(apiKey);
    if (credential === null) return null;
    const key = this.#preparedKeys.get(credential);
    if (judgeKey(key, clientAddress) !== null) return null;
    const signature = verifySignedRequest(signed, key.signingKey, this.#parts.now());
    if (signature === null || !hasPermission(key, permission)) return null;
    this.#parts.apiKeys.noteUse(apiKey, this.#parts.now());
    return { caller: key.caller, signature };
  }

  #accept(request: FastifyRequest, { caller, credential }: PreparedKey): void {
    request.caller = caller;
    this.#parts.apiKeys.noteUse(credential.apiKey, this.#parts.now());
  }

  /**
   * Checks the administrator's key, or a token of the administration; failed attempts are limited
   * per address.
   */
  identifyAdmin(request: FastifyRequest, need: AdminAuth): Verdict | Promise<Verdict> {
    const { adminKey, adminTokens } = this.#parts;
    if (!adminKey.isConfigured) return adminNotConfigured;
    const given = request.headers['x-api-key'];
    if (typeof given === 'string' && adminKey.matches(given)) return null;
    const { authorization = '' } = request.headers;
    const isToken = given === undefined && need.isKeyOnly !== true;
    if (!isToken || !bearerPrefix.test(authorization)) return this.#refuseAdmin(request);
    return adminTokens.verify(authorization.slice('bearer '.length)).then((role) => {
      if (role === null) return this.#refuseAdmin(request);
      return role === 'write' || request.method === 'GET' ? null : permissionDenied;
    });
  }

  #refuseAdmin({ clientAddress }: FastifyRequest): GatewayFailure {
    const { retryAfterSeconds } = this.#parts.limiter.useSignIn(clientAddress);
    if (retryAfterSeconds !== null) return { reason: 'rate_limited', retryAfterSeconds };
    return adminUnauthorized;
  }

  /** Checks the token of the operator who monitors the service. */
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
    const key = this.#preparedKeys.get(credential);
    const failure = judgeKey(key, request.clientAddress);
    if (failure === null) request.preparedKey = key;
    return failure;
  }
}

function isSigned({ query, form }: FastifyRequest): boolean {
  return (query as Parameters)['signature'] !== undefined || form?.['signature'] !== undefined;
}

function judgeKey({ credential, whitelist }: PreparedKey, clientAddress: string): Verdict {
  if (!credential.isEnabled) return apiKeyDisabled;
  return whitelist.isEmpty || whitelist.has(clientAddress) ? null : ipNotAllowed;
}

function hasPermission(key: PreparedKey, permission: ApiKeyPermission): boolean {
  return key.permissions.has(permission);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key that the request names, until its signature is verified. */
    preparedKey: PreparedKey | null;
    /** The verified signature in lowercase hex; null if the caller signed in with a token. */
    signature: string | null;
  }
}
