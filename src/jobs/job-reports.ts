import type { JobReport } from '../application/ports-jobs.ts';
import type { TimestampMs } from '../domain/identifiers.ts';

/** How the runs of this process went, until the database was told. */
export class JobReports {
  readonly #lastSuccesses = new Map<string, TimestampMs>();
  readonly #waiting = new Map<string, JobReport>();
  readonly #troubles = new Map<string, string>();

  /** Null: the run failed. */
  add(job: string, succeededAt: TimestampMs | null): void {
    const before = this.#waiting.get(job);
    const failures = (before?.failures ?? 0) + (succeededAt === null ? 1 : 0);
    if (succeededAt !== null) this.#lastSuccesses.set(job, succeededAt);
    const last = succeededAt ?? before?.succeededAt ?? null;
    this.#waiting.set(job, { job, succeededAt: last, failures });
  }

  /** When it last succeeded here. */
  lastSuccessOf(job: string): TimestampMs | null {
    return this.#lastSuccesses.get(job) ?? null;
  }

  takeOut(): readonly JobReport[] {
    const reports = [...this.#waiting.values()];
    this.#waiting.clear();
    return reports;
  }

  /** The database could not be told. */
  putBack(reports: readonly JobReport[]): void {
    for (const { job, succeededAt, failures } of reports) {
      const later = this.#waiting.get(job);
      this.#waiting.set(job, {
        job,
        succeededAt: later?.succeededAt ?? succeededAt,
        failures: failures + (later?.failures ?? 0),
      });
    }
  }

  /** Whether the job stumbles over something else than the last time: said once. */
  isNewTrouble(job: string, error: unknown): boolean {
    const trouble = String(error);
    const isNew = this.#troubles.get(job) !== trouble;
    this.#troubles.set(job, trouble);
    return isNew;
  }

  clearTrouble(job: string): void {
    this.#troubles.delete(job);
  }
}
