import { Gauge, type Registry } from 'prom-client';

/** Numbers that are loaded when the metrics are scraped, one per value of a label. */
export interface WatchedGauge {
  readonly name: string;
  readonly help: string;
  /** Null: a single number without a label. */
  readonly label: string | null;
  readonly load: () => Promise<readonly { readonly label: string; readonly value: number }[]>;
}

/** A number that cannot be loaded is omitted: an old one would be mistaken for the current one. */
export function watchLoaded(registry: Registry, gauges: readonly WatchedGauge[]): void {
  for (const { name, help, label, load } of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: label === null ? [] : [label],
      registers: [registry],
      collect: async () => {
        const numbers = await load().catch(() => []);
        gauge.reset();
        if (numbers.length === 0 && label === null) gauge.remove();
        for (const each of numbers) {
          if (label === null) gauge.set(each.value);
          else gauge.set({ [label]: each.label }, each.value);
        }
      },
    });
  }
}
