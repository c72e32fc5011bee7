import { jwtVerify, SignJWT } from 'jose';
import type { Address } from '../../domain/identifiers.ts';
import type { Caller } from '../http/endpoint.ts';

// Tokens of signed-in accounts: JWTs signed with HS256, the only accepted algorithm, with `iss` and
// `aud` (the exchange), `sub` (lowercase address), `iat` and `exp`. Verified tokens are cached, so
// that a trader's token is checked only once.

export interface AccessTokenSettings {
  /** At least 32 bytes. */
  readonly secret: string;
  readonly lifetimeSeconds: number;
  /** Issuer and audience of the tokens: the exchange's public address. */
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface VerifiedToken {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

const algorithm = 'HS256';
// A token of this service has about 200 characters.
const tokenLengthMax = 1_024;
const rememberedMax = 50_000;
// Maximum clock skew between the processes that issue and verify tokens.
const clockToleranceSeconds = 5;
const addressPattern = /^0x[0-9a-f]{40}$/;

/** Issues and verifies access tokens; shared by the HTTP gateway and the WebSocket streams. */
export class AccessTokens {
  readonly #key: Uint8Array;
  readonly #settings: AccessTokenSettings;
  // In order of verification, so that the oldest entry is evicted first.
  readonly #verified = new Map<string, VerifiedToken>();

  constructor(settings: AccessTokenSettings) {
    this.#key = new TextEncoder().encode(settings.secret);
    this.#settings = settings;
  }

  async issue(address: Address): Promise<IssuedToken> {
    const issuedAt = Math.floor(this.#settings.now() / 1000);
    const expiresAt = issuedAt + this.#settings.lifetimeSeconds;
    const token = await new SignJWT()
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setIssuer(this.#settings.issuer)
      .setAudience(this.#settings.issuer)
      .setSubject(address)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(this.#key);
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }

  /** Returns the token's account if the token is cached and has not expired; null: verify it. */
  recall(token: string): VerifiedToken | null {
    const known = this.#verified.get(token);
    if (known === undefined) return null;
    if (this.#settings.now() < known.expiresAtMs) return known;
    this.#verified.delete(token);
    return null;
  }

  /**
   * Returns the token's account, or null for anything that is not a valid token of this service.
   */
  async verify(token: string): Promise<VerifiedToken | null> {
    const known = this.recall(token);
    if (known !== null) return known;
    const verified = await this.#check(token);
    if (verified === null) return null;
    if (this.#verified.size >= rememberedMax) this.#forgetOldest();
    this.#verified.set(token, verified);
    return verified;
  }

  #forgetOldest(): void {
    const [oldest] = this.#verified.keys();
    if (oldest !== undefined) this.#verified.delete(oldest);
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
    // addressPattern matches addresses only.
    return {
      caller: { address: sub as Address, apiKey: null },
      expiresAtMs: Number(exp) * 1000,
    };
  }
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
