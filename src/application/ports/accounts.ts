import type { Address } from '../../domain/identifiers.ts';

// What accounts are identified by: API keys, nonces, sessions and profiles.

/** An API key without its secret. */
export interface ApiKey {
  readonly apiKey: string;
  readonly address: Address;
  readonly label: string;
  readonly ipWhitelist: readonly string[];
  readonly permissions: readonly ApiKeyPermission[];
  readonly isEnabled: boolean;
  readonly createdAt: Date;
}

/** An API key as it is listed. */
export interface ListedApiKey extends ApiKey {
  /** To the minute; null: never, as far as recorded. */
  readonly lastUsedAt: Date | null;
}

/** What a key permits; `withdraw` is for withdrawals of the perp wallet. */
export type ApiKeyPermission = 'read' | 'trade' | 'withdraw';

/**
 * A key with its decrypted secret, as needed to verify signatures; kept in memory, never logged.
 */
export interface ApiKeyCredential extends ApiKey {
  readonly apiSecret: string;
}

/** The changes to make to a key; missing fields are kept. */
export interface ApiKeyChange {
  readonly label?: string;
  readonly isEnabled?: boolean;
  readonly ipWhitelist?: readonly string[];
}

/** Stores API keys; all methods but recallCredential and noteUse throw DatabaseError. */
export interface ApiKeyStore {
  /** Stores a new key with its sealed secret; false if its account has `apiKeysMax` already. */
  create(credential: ApiKeyCredential): Promise<boolean>;
  /** The account's keys without their secrets. */
  list(address: Address): Promise<readonly ListedApiKey[]>;
  /** The changed key, or null if the address has no such key. */
  change(address: Address, apiKey: string, change: ApiKeyChange): Promise<ListedApiKey | null>;
  /** False if the address has no such key. */
  remove(address: Address, apiKey: string): Promise<boolean>;
  /** From memory if cached there, so that trading survives the loss of the database. */
  findCredential(apiKey: string): Promise<ApiKeyCredential | null>;
  /** The key if it is cached and certain to be current; null: call findCredential. */
  recallCredential(apiKey: string): ApiKeyCredential | null;
  /** Records that the key was used at a time in milliseconds since 1970, without waiting. */
  noteUse(apiKey: string, at: number): void;
}

/** Stores the nonces of sign-in messages. */
export interface LoginNonceStore {
  /** Stores a nonce until it is used or expires. */
  issue(entry: LoginNonce): Promise<void>;
  /** Deletes and returns the nonce, so that it works only once; null if it is unknown. */
  consume(nonce: string): Promise<LoginNonce | null>;
}

/** A nonce that one address can sign in with until it expires. */
export interface LoginNonce {
  readonly nonce: string;
  readonly address: Address;
  readonly expiresAt: Date;
}

/** Stores which sessions were ended before their tokens expired. */
export interface EndedSessions {
  /**
   * Ends a session for every process; harmless if it has ended.
   * @throws DatabaseError
   */
  end(session: EndedSession): Promise<void>;
  /** From memory; null while it is unknown which sessions have ended. */
  recall(id: string): boolean | null;
  /** @throws DatabaseError */
  has(id: string): Promise<boolean>;
}

/** A session that its account or an operator has ended. */
export interface EndedSession {
  readonly id: string;
  readonly address: Address;
  /** When the last token that the session could have expires. */
  readonly expiresAt: Date;
}

/** An account's public profile. */
export interface Profile {
  readonly address: Address;
  readonly username: string | null;
  readonly createdAt: Date;
}

/** Stores profiles. */
export interface ProfileStore {
  /** Null for an address without an account. */
  find(address: Address): Promise<Profile | null>;
  /** Returns 'taken' if another account has the name in any letter case. */
  setUsername(address: Address, username: string): Promise<'changed' | 'taken'>;
}

/** Account data that administrators change. */
export interface UserStore {
  /** Also writes the audit log, in the same transaction; false if the address has no account. */
  setMarketMaker(address: Address, isMarketMaker: boolean): Promise<boolean>;
}

/** Asks a contract wallet whether a signature is its own (EIP-1271). */
export interface ContractSignatures {
  /** Whether the account's contract accepts the signature, by ERC-1271. */
  verify(claim: SignatureClaim): Promise<boolean>;
}

/** A signature to verify. */
export interface SignatureClaim {
  readonly address: Address;
  /** The signed text; wallets sign texts as in EIP-191. */
  readonly message: string;
  readonly signature: `0x${string}`;
}
