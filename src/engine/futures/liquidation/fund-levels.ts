import { drawdownMs } from '../risk-limits.ts';

const slotMs = 60_000;

/** A level that the insurance fund had, in 10^-8 USDT. */
export interface FundLevel {
  /** The time until which the fund held that much: the end of a whole minute. */
  readonly until: number;
  readonly level: bigint;
}

/**
 * The highest level of the insurance fund, free and reserved together, over the last hours. Only
 * decreases have to be noted, with the level before them. Levels within one minute share an entry,
 * and a level that a later one reaches is dropped, so that the list stays short.
 */
export class FundLevels {
  private levels: FundLevel[] = [];

  /** Records the level, in 10^-8 USDT, that the fund has before it decreases at `now`. */
  note(level: bigint, now: number): void {
    const until = (Math.floor(now / slotMs) + 1) * slotMs;
    const { levels } = this;
    let high = level;
    for (let last = levels.at(-1); last !== undefined; last = levels.at(-1)) {
      if (last.level > level && last.until !== until) break;
      if (last.level > high) high = last.level;
      levels.pop();
    }
    levels.push({ until, level: high });
  }

  /** The highest level of the last hours, with `level` as today's; in 10^-8 USDT. */
  highest(level: bigint, now: number): bigint {
    this.forget(now);
    const first = this.levels[0];
    return first === undefined || first.level < level ? level : first.level;
  }

  /** Forgets all levels. */
  clear(): void {
    this.levels.length = 0;
  }

  /** From the oldest on, as a snapshot stores them. */
  list(): readonly FundLevel[] {
    return this.levels;
  }

  /** Adds a level of a snapshot, in its order. */
  restore(level: FundLevel): void {
    this.levels.push(level);
  }

  private forget(now: number): void {
    const kept = this.levels.findIndex(({ until }) => until + drawdownMs > now);
    this.levels = kept < 0 ? [] : this.levels.slice(kept);
  }
}
