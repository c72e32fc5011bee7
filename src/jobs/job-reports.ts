import type { JobReport } from '../application/ports/jobs.ts';
import type { TimestampMs } from '../domain/identifiers.ts';

/** The results of this process's runs, until they are written to the database. */
export class JobReports {
  readonly #lastSuccesses = new Map<string, TimestampMs>();
  readonly #waiting = new Map<string, JobReport>();
  readonly #failures = new Map<string, string>();

  /** Null: the run failed. */
  add(job: string, succeededAt: TimestampMs | null): void {
    const before = this.#waiting.get(job);
    const failures = (before?.failures ?? 0) + (succeededAt === null ? 1 : 0);
    if (succeededAt !== null) this.#lastSuccesses.set(job, succeededAt);
    const last = succeededAt ?? before?.succeededAt ?? null;
    this.#waiting.set(job, { job, succeededAt: last, failures });
  }

  /** When the job last succeeded in this process. */
  lastSuccessOf(job: string): TimestampMs | null {
    return this.#lastSuccesses.get(job) ?? null;
  }

  takeOut(): readonly JobReport[] {
    const reports = [...this.#waiting.values()];
    this.#waiting.clear();
    return reports;
  }

  /** Restores reports that could not be written. */
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

  /** Whether the job fails with a different error than last time; each is logged once. */
  isNewFailure(job: string, error: unknown): boolean {
    const failure = String(error);
    const isNew = this.#failures.get(job) !== failure;
    this.#failures.set(job, failure);
    return isNew;
  }

  clearFailure(job: string): void {
    this.#failures.delete(job);
  }
}
