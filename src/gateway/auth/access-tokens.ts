import { createHash, randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { EndedSessions } from '../../application/ports/accounts.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Caller } from './caller.ts';
import { type TokenSession } from './caller.ts';
import { NewestEntries } from './newest-entries.ts';

// Tokens of signed-in accounts: JWTs signed with HS256, the only accepted algorithm, with `iss` and
// `aud` (the exchange), `sub` (lowercase address), `iat` and `exp`; `sid` names the session and
// `auth_time` says when its wallet signed. A session can have several tokens, since renewing one
// does not end it, and `jti` distinguishes those of one second; ending the session ends them all.
// Verified tokens are cached, so that a trader's token is checked only once.

export interface AccessTokenSettings {
  /** At least 32 bytes. */
  readonly secret: string;
  readonly lifetimeSeconds: number;
  /** Issuer and audience of the tokens: the exchange's public address. */
  readonly issuer: string;
  readonly endedSessions: EndedSessions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface VerifiedToken {
  readonly caller: Caller & { readonly session: TokenSession };
  readonly expiresAtMs: number;
}

const algorithm = 'HS256';
// A token of this service has about 200 characters.
const tokenLengthMax = 1_024;
const rememberedMax = 50_000;
// A stolen token can be renewed by the thief: after this time only the wallet opens a session.
const sessionSeconds = 7 * 86_400;
// Maximum clock skew between the processes that issue and verify tokens.
const clockToleranceSeconds = 5;
const addressPattern = /^0x[0-9a-f]{40}$/;

/** Issues and verifies access tokens; shared by the HTTP gateway and the WebSocket streams. */
export class AccessTokens {
  readonly #key: Uint8Array;
  readonly #settings: AccessTokenSettings;
  readonly #verified = new NewestEntries<VerifiedToken>(rememberedMax);

  constructor(settings: AccessTokenSettings) {
    this.#key = new TextEncoder().encode(settings.secret);
    this.#settings = settings;
  }

  /** Issues a token for a new session, or a further one for the given session. */
  async issue(address: Address, session?: TokenSession): Promise<IssuedToken> {
    const issuedAt = Math.floor(this.#settings.now() / 1000);
    const { id, signedInAt } = session ?? { id: randomUUID(), signedInAt: issuedAt };
    const expiresAt = Math.min(issuedAt + this.#settings.lifetimeSeconds, this.#endOf(signedInAt));
    const token = await new SignJWT({ sid: id, auth_time: signedInAt })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setIssuer(this.#settings.issuer)
      .setAudience(this.#settings.issuer)
      .setSubject(address)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .setJti(randomUUID())
      .sign(this.#key);
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }

  /**
   * Ends the session: from now on none of its tokens is valid, in any process.
   * @throws DatabaseError
   */
  async endSession(address: Address, { id, signedInAt }: TokenSession): Promise<void> {
    const expiresAt = new Date(this.#endOf(signedInAt) * 1000);
    await this.#settings.endedSessions.end({ id, address, expiresAt });
  }

  /** True once the session was ended; false if it was not, as far as this process knows. */
  isEnded({ id }: TokenSession): boolean {
    return this.#settings.endedSessions.recall(id) === true;
  }

  /** Returns the token's account if the token is cached and still valid; null: verify it. */
  recall(token: string): VerifiedToken | null {
    const known = this.#verified.get(token);
    if (known === undefined) return null;
    const isEnded = this.#settings.endedSessions.recall(known.caller.session.id);
    if (this.#settings.now() < known.expiresAtMs && isEnded === false) return known;
    this.#verified.delete(token);
    return null;
  }

  /** The last second in which the session can have a token. */
  #endOf(signedInAt: number): number {
    return signedInAt + Math.max(sessionSeconds, this.#settings.lifetimeSeconds);
  }

  /**
   * Returns the token's account, or null for anything that is not a valid token of this service.
   * @throws DatabaseError if it is unknown which sessions have ended.
   */
  async verify(token: string): Promise<VerifiedToken | null> {
    const known = this.recall(token);
    if (known !== null) return known;
    const verified = await this.#check(token);
    if (verified === null) return null;
    const { session } = verified.caller;
    if (await this.#settings.endedSessions.has(session.id)) return null;
    this.#verified.set(token, verified);
    return verified;
  }

  async #check(token: string): Promise<VerifiedToken | null> {
    if (token.length > tokenLengthMax || !hasPlainParts(token)) return null;
    const nowMs = this.#settings.now();
    const claims = await jwtVerify(token, this.#key, {
      algorithms: [algorithm],
      requiredClaims: ['iss', 'aud', 'sub', 'iat', 'exp'],
      issuer: this.#settings.issuer,
      audience: this.#settings.issuer,
      currentDate: new Date(nowMs),
      clockTolerance: clockToleranceSeconds,
    }).then(
      (result) => result.payload,
      // Any failure, whichever jose error it is, means the same here: no valid token.
      () => null,
    );
    if (claims === null) return null;
    const { sub, iat, exp } = claims;
    if (typeof sub !== 'string' || !addressPattern.test(sub)) return null;
    if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return null;
    const nowSeconds = nowMs / 1000;
    const isFromFuture = Number(iat) > nowSeconds + clockToleranceSeconds;
    if (isFromFuture || Number(exp) <= nowSeconds || Number(exp) <= Number(iat)) return null;
    const session = sessionOf(token, claims);
    // addressPattern matches addresses only.
    return {
      caller: { address: sub as Address, apiKey: null, session },
      expiresAtMs: Number(exp) * 1000,
    };
  }
}

// A token that names no session is a separate session.
function sessionOf(token: string, { sid, auth_time: signedInAt, iat }: JWTPayload): TokenSession {
  return {
    id: typeof sid === 'string' ? sid : createHash('sha256').update(token).digest('hex'),
    signedInAt: Number(signedInAt ?? iat),
  };
}

/** True if header and payload are JSON objects without duplicate names. */
function hasPlainParts(token: string): boolean {
  const parts = token.split('.');
  if (parts.length !== 3) return false;
  return parts.slice(0, 2).every(isPlainPart);
}

function isPlainPart(part: string): boolean {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return false;
  const text = Buffer.from(part, 'base64url').toString('utf8');
  try {
    // Serializing again drops duplicate names, which makes the text shorter.
    return JSON.stringify(JSON.parse(text)) === text.replace(/\s/g, '');
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
