import { describe, expect, it } from 'vitest';
import { ClockCheck } from './clock-check.ts';

const trueMs = 1_750_000_000_000;

class Clocks {
  own = 0;
  server: number | null = 0;
  database: number | null = 0;
  monotonic = 0;
  readonly check: ClockCheck;

  constructor() {
    this.check = new ClockCheck({
      time: { wallMs: () => this.#at(this.own), monotonicMs: () => this.monotonic },
      databaseTime: async () => (this.database === null ? null : this.#at(this.database)),
    });
  }

  /** Whether this clock counts as wrong after that many seconds with these offsets. */
  async isOffAfter(seconds: number): Promise<boolean> {
    for (let second = 0; second < seconds; second += 1) {
      this.monotonic += 1_000;
      const wall = this.#at(this.own);
      if (this.server !== null) {
        const storedAt = this.#at(this.server);
        this.check.noteServer({ storedAt, wallBefore: wall - 20, wallAfter: wall });
      }
      await this.check.check();
    }
    return this.check.isOff;
  }

  #at(offset: number): number {
    return trueMs + this.monotonic + offset;
  }
}

describe('ClockCheck', () => {
  it.each([
    [0, 0, 0, false],
    [200, 0, 0, false],
    [300, 0, 0, true],
    [-300, 0, 0, true],
    [86_400_000, 0, 0, true],
    [0, 300, 0, false],
    [0, 0, -3_600_000, false],
    [0, 300, -300, false],
    [0, 300, 400, true],
  ])(
    'own %i ms, server %i ms, database %i ms away from true time: %s',
    async (own, server, database, isOff) => {
      const clocks = new Clocks();
      Object.assign(clocks, { own, server, database });
      expect(await clocks.isOffAfter(2)).toBe(isOff);
    },
  );

  it('with fewer than three clocks the verdict stays, and a wrong clock is fit again after 10 s', async () => {
    const clocks = new Clocks();
    Object.assign(clocks, { own: 60_000, server: null });
    expect(await clocks.isOffAfter(20)).toBe(false);
    Object.assign(clocks, { server: 0, database: null });
    expect(await clocks.isOffAfter(20)).toBe(false);
    clocks.database = 0;
    expect(await clocks.isOffAfter(1)).toBe(true);
    clocks.own = 0;
    expect(await clocks.isOffAfter(9)).toBe(true);
    clocks.database = null;
    expect(await clocks.isOffAfter(9)).toBe(true);
    clocks.database = 0;
    expect(await clocks.isOffAfter(12)).toBe(false);
  });

  it('a process that stores nothing, as nobody owns the exchange, is fit again by the database alone', async () => {
    const clocks = new Clocks();
    clocks.own = 60_000;
    expect(await clocks.isOffAfter(1)).toBe(true);
    Object.assign(clocks, { own: 0, server: null });
    expect(await clocks.isOffAfter(9)).toBe(true);
    expect(await clocks.isOffAfter(12)).toBe(false);
  });
});
