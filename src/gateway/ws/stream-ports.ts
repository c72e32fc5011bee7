import type { Address } from '../../domain/identifiers.ts';
import type { VerifiedToken } from '../auth/access-tokens.ts';
import type { TokenSession } from '../auth/caller.ts';

/** What a login token proves, or null if the token is invalid; the same as over HTTP. */
export type TokenVerifier = (token: string) => Promise<VerifiedToken | null>;

/** Whether a session that was verified has been ended since. */
export type SessionEnded = (session: TokenSession) => boolean;

/** Listen keys of the derivatives interface; each lookup extends the key's life. */
export interface ListenKeys {
  find(listenKey: string): Promise<Address | null>;
}

/** Log for the operator; a pino logger implements it. */
export interface StreamLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
