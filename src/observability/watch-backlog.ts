import { Gauge, type Registry } from 'prom-client';

/** Numbers that are loaded when the metrics are read, one for each value of a label. */
export interface WatchedGauge {
  readonly name: string;
  readonly help: string;
  /** Null: one number, whose label is not shown. */
  readonly label: string | null;
  readonly load: () => Promise<readonly { readonly label: string; readonly value: number }[]>;
}

/** What cannot be loaded is not shown: an old number would be taken for the present one. */
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
