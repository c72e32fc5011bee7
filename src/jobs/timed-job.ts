/** Work that is done again and again, by one process at a time. */
export interface TimedJob {
  /** Verb and noun: the name of its lease and of its metrics. */
  readonly name: string;
  /** From one run's end to the next one's beginning, to which a jitter is added. */
  readonly intervalMs: number;
  /** Must be safe to be cut off and to be run again; what it throws is a failed run. */
  run(this: void): Promise<void>;
}
