import type { TimestampMs } from '../../domain/identifiers.ts';

/** The state of a timed job, over all processes. */
export interface JobRecord {
  readonly job: string;
  readonly holder: string | null;
  readonly expiresAt: TimestampMs | null;
  readonly dueAt: TimestampMs;
  readonly lastSuccessAt: TimestampMs | null;
  readonly failures: number;
}

/** A request for a job's lease; leaseMs and dueWithinMs in milliseconds. */
export interface LeaseRequest {
  readonly job: string;
  readonly holder: string;
  readonly now: TimestampMs;
  readonly leaseMs: number;
  /** A due time further away than this results from a clock that was fast, and is ignored. */
  readonly dueWithinMs: number;
}

/** The end of a run. */
export interface JobEnd {
  readonly job: string;
  readonly holder: string;
  readonly dueAt: TimestampMs;
  /** Null if the run failed. */
  readonly succeededAt: TimestampMs | null;
}

/** The results of a job's runs since the last report. */
export interface JobReport {
  readonly job: string;
  /** The last success; null if there was none. */
  readonly succeededAt: TimestampMs | null;
  readonly failures: number;
}

/** A request to renew long leases and to record reports. */
export interface LongLeaseRenewal {
  readonly holder: string;
  readonly now: TimestampMs;
  readonly leaseMs: number;
  readonly leases: readonly string[];
  readonly reports: readonly JobReport[];
}

/**
 * The right to run timed jobs, stored in the database. At most one process at a time holds a job's
 * lease, and only when the job is due.
 */
export interface JobLeases {
  /** All jobs that have ever run, with the holder of each lease. */
  list(): Promise<readonly JobRecord[]>;
  /** True if the caller is to run the job now. */
  take(request: LeaseRequest): Promise<boolean>;
  /** False if the lease expired and another process may have taken it. */
  renew(request: Omit<LeaseRequest, 'dueWithinMs'>): Promise<boolean>;
  /**
   * Renews long leases and records the reports; returns those still held.
   */
  renewAll(request: LongLeaseRenewal): Promise<readonly string[]>;
  /** Releases the lease; does nothing if it was lost. */
  finish(end: JobEnd): Promise<void>;
  /** Releases long leases: the named ones, or all of the holder's. */
  release(holder: string, leases: readonly string[] | null): Promise<void>;
}

/** Records that are removed once they are old. */
export type OldRecordKind =
  | 'loginNonces'
  | 'endedSessions'
  | 'futuresVolumeHours'
  | 'rewardVouchers'
  | 'accountEvents'
  | 'downloads';

/** Removes old records. */
export interface OldRecords {
  /** Removes at most rowsMax records that ended before the moment; returns how many. */
  remove(
    kind: OldRecordKind,
    limits: { readonly before: TimestampMs; readonly rowsMax: number },
  ): Promise<number>;
}
