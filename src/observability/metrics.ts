import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A number that is read when the metrics are scraped. */
export interface WatchedNumber {
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

/** Creates the registry behind /metrics, with the process's own metrics. */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

export function watchNumbers(registry: Registry, numbers: readonly WatchedNumber[]): void {
  for (const { name, help, read } of numbers) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => gauge.set(read()),
    });
  }
}

/** The projector's activity, as its observer receives it. */
export interface ProjectorWatch {
  readonly onBatch: (batch: {
    readonly commandCount: number;
    readonly rowCount: number;
    readonly durationMs: number;
  }) => void;
  readonly onFailure: () => void;
}

export function watchProjector(registry: Registry): ProjectorWatch {
  const registers = [registry];
  const durations = new Histogram({
    name: 'projector_batch_seconds',
    help: 'Time to write one batch of outcomes to the database',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const commands = new Counter({
    name: 'projector_commands_total',
    help: 'Commands whose outcomes the database has stored, since the start',
    registers,
  });
  const rows = new Counter({
    name: 'projector_rows_total',
    help: 'Rows written by the projector since the start',
    registers,
  });
  const failures = new Counter({
    name: 'projector_failures_total',
    help: 'Batches that the database failed or refused; each is tried again',
    registers,
  });
  return {
    onBatch: ({ commandCount, rowCount, durationMs }) => {
      durations.observe(durationMs / 1000);
      commands.inc(commandCount);
      rows.inc(rowCount);
    },
    onFailure: () => failures.inc(),
  };
}
