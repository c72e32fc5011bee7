/** What a benchmark measured: ours against a peer or the machine's own limit, in one run. */
export interface BenchmarkResult {
  readonly name: string;
  readonly ours: number;
  readonly peer: number;
  readonly peer_name: string;
  readonly unit: string;
}

/** One benchmark; each file of bench/benchmarks exports one as `benchmark`. */
export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  /** Options are the words after the name on the command line. */
  run(options: readonly string[]): Promise<BenchmarkResult>;
}
