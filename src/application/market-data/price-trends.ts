import type { TimestampMs } from '../../domain/identifiers.ts';

// The last day of many markets as a few prices each: what a list of markets draws as a line.

export interface TrendView {
  readonly symbol: string;
  /** The last price of each hour, oldest first; the last one is of the current hour. */
  readonly closes: readonly string[];
}

export interface HourClose {
  /** Milliseconds since 1970. */
  readonly openTime: number;
  readonly close: string;
}

export interface TrendSource {
  readonly now: () => TimestampMs;
  readonly listSymbols: () => readonly string[];
  /** The hours from `startTime` on in which a market traded, oldest first. */
  readonly listHours: (symbol: string, startTime: number) => Promise<readonly HourClose[]>;
}

const hourMs = 3_600_000;

/** Hours of a trend. */
export const trendHours = 24;
const keptMs = 60_000;

interface Held {
  readonly since: number;
  readonly trends: Promise<readonly TrendView[]>;
}

/** Trends of all markets that traded; read at most once a minute for all callers. */
export class PriceTrends {
  readonly #source: TrendSource;
  #held: Held | null = null;

  constructor(source: TrendSource) {
    this.#source = source;
  }

  /** @throws EngineRestartingError, DatabaseError */
  list(): Promise<readonly TrendView[]> {
    const now = this.#source.now();
    const held = this.#held;
    if (held !== null && now - held.since < keptMs) return held.trends;
    const reading = { since: now, trends: this.#read(now) };
    this.#held = reading;
    // A failed read is not kept: the next caller reads again.
    reading.trends.catch(() => {
      if (this.#held === reading) this.#held = null;
    });
    return reading.trends;
  }

  async #read(now: number): Promise<readonly TrendView[]> {
    const lastHour = Math.floor(now / hourMs) * hourMs;
    const firstHour = lastHour - (trendHours - 1) * hourMs;
    const trends: TrendView[] = [];
    for (const symbol of this.#source.listSymbols()) {
      const hours = await this.#source.listHours(symbol, firstHour);
      const closes = fillHours(hours, lastHour);
      if (closes.length > 0) trends.push({ symbol, closes });
    }
    return trends;
  }
}

/** An hour without trades keeps the price of the hour before. */
function fillHours(hours: readonly HourClose[], lastHour: number): readonly string[] {
  const [first] = hours;
  if (first === undefined) return [];
  const byTime = new Map(hours.map(({ openTime, close }) => [openTime, close]));
  const closes: string[] = [];
  let price = first.close;
  for (let time = first.openTime; time <= lastHour; time += hourMs) {
    price = byTime.get(time) ?? price;
    closes.push(price);
  }
  return closes;
}
