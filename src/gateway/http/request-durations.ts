import type { Histogram, MetricValueWithName, Registry } from 'prom-client';

// A histogram of the registry whose series are counted in place. The library's histogram looks up a
// series by its labels at each observation, which takes longer than everything else about observing
// an order.

const name = 'http_request_duration_seconds';
const help = 'Time from the first byte of a request to the end of its answer';
const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

interface Labels {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

type Value = MetricValueWithName<'le' | keyof Labels>;

/** The durations of the requests with the same labels. */
export class DurationSeries {
  readonly #labels: Labels;
  /** How many fell between each bound and the one before it, then how many above the last. */
  readonly #counts = boundsSeconds.map(() => 0);
  #count = 0;
  #sumSeconds = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  observe(seconds: number): void {
    this.#count += 1;
    this.#sumSeconds += seconds;
    for (let at = 0; at < boundsSeconds.length; at += 1) {
      if (seconds > boundsSeconds[at]!) continue;
      this.#counts[at]! += 1;
      return;
    }
  }

  /** The values as the registry shows them. */
  show(): Value[] {
    const labels = this.#labels;
    const values: Value[] = [];
    let sum = 0;
    for (const [at, le] of boundsSeconds.entries()) {
      sum += this.#counts[at]!;
      values.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: sum });
    }
    values.push(
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: this.#count },
      { metricName: `${name}_sum`, labels, value: this.#sumSeconds },
      { metricName: `${name}_count`, labels, value: this.#count },
    );
    return values;
  }
}

/** The histogram of all requests, by method, route and status. */
export class RequestDurations {
  // What the registry reads of a metric.
  readonly name = name;
  readonly help = help;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #series = new Map<string, Map<string, Map<number, DurationSeries>>>();

  constructor(metrics: Registry) {
    // The library's types name its own classes; it calls nothing but `get` and `reset`.
    metrics.registerMetric(this as unknown as Histogram);
  }

  /** The series of these labels. */
  of(method: string, route: string, status: number): DurationSeries {
    return this.#series.get(route)?.get(method)?.get(status) ?? this.#add(method, route, status);
  }

  #add(method: string, route: string, status: number): DurationSeries {
    const series = new DurationSeries({ method, route, status });
    const byMethod = this.#series.get(route) ?? new Map<string, Map<number, DurationSeries>>();
    const byStatus = byMethod.get(method) ?? new Map<number, DurationSeries>();
    this.#series.set(route, byMethod.set(method, byStatus.set(status, series)));
    return series;
  }

  get() {
    const values: Value[] = [];
    for (const byMethod of this.#series.values()) {
      for (const byStatus of byMethod.values()) {
        for (const series of byStatus.values()) values.push(...series.show());
      }
    }
    const { type, aggregator } = this;
    return { name, help, type, aggregator, values };
  }

  /** Forgets all that was observed. */
  reset(): void {
    this.#series.clear();
  }
}
