import type { Address, TimestampMs } from '../../domain/identifiers.ts';

// History as files: requested, made in the background, and kept for a week.

export const downloadKinds = ['order', 'trade', 'income'] as const;
export type DownloadKind = (typeof downloadKinds)[number];

/** The contents of a file; times in milliseconds since 1970, both inclusive. */
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
  /** Opens the file without a signature; null while the file is being made. */
  readonly token: string | null;
  readonly expiresAt: TimestampMs;
}

export interface DownloadFile {
  readonly name: string;
  readonly content: string;
}

/** Maximum number of files of an account at a time, made or requested. */
export const downloadsMax = 10;
/** How long a file is kept after its request. */
export const downloadLifetimeMs = 7 * 86_400_000;
/** Maximum number of rows of a file. */
export const downloadRowsMax = 100_000;

/** Files are stored whole or not at all. @throws DatabaseError */
export interface DownloadStore {
  /** The file's number; null if the account has the maximum number of files. */
  request(terms: DownloadTerms): Promise<string | null>;
  /** The account's own unexpired file of that kind. */
  find(address: Address, kind: DownloadKind, id: string): Promise<Download | null>;
  /** How long it took to create files, on average; 0 if there are none. */
  averageMs(): Promise<number>;
  /** The oldest request without a file. */
  findPending(): Promise<PendingDownload | null>;
  /** Stores the file, unless there already is one. */
  complete(id: string, content: string): Promise<void>;
  /** The unexpired file that the token opens. */
  open(token: string): Promise<DownloadFile | null>;
}
