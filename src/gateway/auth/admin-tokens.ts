import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

// Short-lived tokens of the administration, so that a page need not keep the administrator's key.
// They are signed with a key that is derived from the administrator's, so changing that one ends
// them all. No token of an account is one of these.

export const adminRoles = ['write', 'read'] as const;
/** `read` opens the reading endpoints only. */
export type AdminRole = (typeof adminRoles)[number];

export interface IssuedAdminToken {
  readonly token: string;
  readonly expiresAt: Date;
}

const algorithm = 'HS256';
const audience = 'openbourse administration';
const lifetimeSeconds = 3_600;
const tokenLengthMax = 1_024;

/** Issues and verifies the administration's tokens; keeps no state. */
export class AdminTokens {
  readonly #key: Uint8Array | null;
  readonly #now: () => number;

  /**
   * @param adminKey Null or empty: there is no administrator, and no token is valid.
   * @param now Milliseconds since 1970.
   */
  constructor(adminKey: string | null, now: () => number) {
    const isConfigured = adminKey !== null && adminKey !== '';
    this.#key = isConfigured ? createHmac('sha256', adminKey).update(audience).digest() : null;
    this.#now = now;
  }

  /** Null if there is no administrator. */
  async issue(role: AdminRole): Promise<IssuedAdminToken | null> {
    if (this.#key === null) return null;
    const issuedAt = Math.floor(this.#now() / 1000);
    const expiresAt = issuedAt + lifetimeSeconds;
    const token = await new SignJWT({ role })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(this.#key);
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }

  /** Returns what the token allows; null if it is not a valid one. */
  async verify(token: string): Promise<AdminRole | null> {
    if (this.#key === null || token.length > tokenLengthMax) return null;
    const role = await jwtVerify(token, this.#key, {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['iat', 'exp'],
      currentDate: new Date(this.#now()),
    }).then(
      ({ payload }) => payload['role'],
      // Any failure, whichever jose error it is, means the same here: no valid token.
      () => null,
    );
    return adminRoles.find((each) => each === role) ?? null;
  }
}
