import type { Address } from '../../domain/identifiers.ts';
import type { VerifiedToken } from '../auth/access-tokens.ts';

/** What a login token proves, or null where the token is no good; the same as over HTTP. */
export type TokenVerifier = (token: string) => Promise<VerifiedToken | null>;

/** Listen keys of the derivatives interface; each lookup refreshes the key's life. */
export interface ListenKeys {
  find(listenKey: string): Promise<Address | null>;
}

/** What an operator should hear of; a pino logger is one. */
export interface StreamLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
