import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** A number that is asked for when the metrics are read. */
export interface WatchedNumber {
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

/** The registry behind /metrics, with the process's own figures. */
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
