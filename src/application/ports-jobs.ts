import type { TimestampMs } from '../domain/identifiers.ts';

/** How a timed job stands, over all processes. */
export interface JobRecord {
  readonly job: string;
  readonly holder: string | null;
  readonly expiresAt: TimestampMs | null;
  readonly dueAt: TimestampMs;
  readonly lastSuccessAt: TimestampMs | null;
  readonly failures: number;
}

export interface LeaseRequest {
  readonly job: string;
  readonly holder: string;
  readonly now: TimestampMs;
  readonly leaseMs: number;
  /** A due time further away than this comes of a clock that stood ahead, and does not hold. */
  readonly dueWithinMs: number;
}

export interface JobEnd {
  readonly job: string;
  readonly holder: string;
  readonly dueAt: TimestampMs;
  /** Null where the run failed. */
  readonly succeededAt: TimestampMs | null;
}

/** How the runs of a job went since the last report. */
export interface JobReport {
  readonly job: string;
  /** The last success; null where there was none. */
  readonly succeededAt: TimestampMs | null;
  readonly failures: number;
}

export interface KeepRequest {
  readonly holder: string;
  readonly now: TimestampMs;
  readonly leaseMs: number;
  readonly leases: readonly string[];
  readonly reports: readonly JobReport[];
}

/**
 * Who may run a timed job, kept in the database: of however many processes one at a time holds a
 * job's lease, and only when the job is due.
 */
export interface JobLeases {
  list(): Promise<readonly JobRecord[]>;
  /** True: the caller runs the job now. */
  take(request: LeaseRequest): Promise<boolean>;
  /** False: the lease ran out and somebody else may have taken it. */
  renew(request: Omit<LeaseRequest, 'dueWithinMs'>): Promise<boolean>;
  /** Prolongs leases from run to run and notes the reports; answers the leases still held. */
  keep(request: KeepRequest): Promise<readonly string[]>;
  /** Gives the lease back; does nothing where it was lost. */
  finish(end: JobEnd): Promise<void>;
  /** Gives kept leases back, all of the holder's where none is named. */
  release(holder: string, leases: readonly string[] | null): Promise<void>;
}

/** Records that are of no use to anybody once they are old. */
export type OldRecordKind =
  | 'loginNonces'
  | 'futuresVolumeHours'
  | 'rewardVouchers'
  | 'accountEvents'
  | 'downloads';

export interface OldRecords {
  /** Removes some of those whose time was over before the moment; answers how many. */
  remove(
    kind: OldRecordKind,
    limits: { readonly before: TimestampMs; readonly rowsMax: number },
  ): Promise<number>;
}
