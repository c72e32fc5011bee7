import { type Address } from '../../domain/identifiers.ts';
/** The caller: the account's address and the credential it used. */
export interface Caller {
  readonly address: Address;
  /** Null: authenticated by a token, which has all of the account's permissions. */
  readonly apiKey: string | null;
  /** The token's session; null: authenticated by an API key. */
  readonly session: TokenSession | null;
}

/** What one signature of a wallet opened. */
export interface TokenSession {
  readonly id: string;
  /** Unix seconds. */
  readonly signedInAt: number;
}
