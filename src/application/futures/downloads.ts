import type { Address, TimestampMs } from '../../domain/identifiers.ts';

// History as files: asked for, made in the background, and kept for a week.

export const downloadKinds = ['order', 'trade', 'income'] as const;
export type DownloadKind = (typeof downloadKinds)[number];

/** What a file is to hold; times in milliseconds since 1970, both inclusive. */
export interface DownloadTerms {
  readonly address: Address;
  readonly kind: DownloadKind;
  readonly startTime: number;
  readonly endTime: number;
}

export interface PendingDownload extends DownloadTerms {
  readonly id: string;
}

export interface Download {
  readonly id: string;
  /** Opens the file without a signature; null while it is being made. */
  readonly token: string | null;
  readonly expiresAt: TimestampMs;
}

export interface DownloadFile {
  readonly name: string;
  readonly content: string;
}

/** How many files, made or not, an account may have at a time. */
export const downloadsMax = 10;
/** How long a file is kept from the request on. */
export const downloadLifetimeMs = 7 * 86_400_000;
/** The most rows that a file may have. */
export const downloadRowsMax = 100_000;

/** Files are written whole or not at all. @throws DatabaseError */
export interface DownloadStore {
  /** The file's number; null where the account has as many as it may. */
  request(terms: DownloadTerms): Promise<string | null>;
  /** The account's own file of that kind that is not over. */
  find(address: Address, kind: DownloadKind, id: string): Promise<Download | null>;
  /** How long files took to be made, on average; 0 where there is none. */
  averageMs(): Promise<number>;
  /** The oldest request without a file. */
  findPending(): Promise<PendingDownload | null>;
  /** Keeps the file; where there is one already, that one stays. */
  keep(id: string, content: string): Promise<void>;
  /** The file that the token opens, while it is not over. */
  open(token: string): Promise<DownloadFile | null>;
}
