import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TimestampMs } from '../domain/identifiers.ts';
import { ExchangeClock } from './exchange-clock.ts';

const start = 1_700_000_000_000;
const second = 1_000;
const hour = 3_600 * second;
const ahead = 'clock jump: the wall clock is ahead of the elapsed time';
const halfSpeed = 'clock jump: exchange time is ahead and advances at half speed';
const follows = "exchange time follows the wall clock, as the database's agrees";

interface Line {
  readonly level: number;
  readonly offsetMs: number;
  readonly msg: string;
}

/** Clocks that the test sets, and a database that answers when the test says so. */
class Bench {
  passed = 0;
  wallAhead = 0;
  asked = 0;
  answer: Promise<number | null> | null = null;
  readonly log: Line[] = [];
  readonly timers = new Map<() => void, number>();
  readonly clock: ExchangeClock;

  constructor() {
    const write = (line: string): void => void this.log.push(JSON.parse(line) as Line);
    this.clock = new ExchangeClock({
      time: {
        wallMs: () => start + this.passed + this.wallAhead,
        monotonicMs: () => 50 + this.passed,
        after: (delayMs, callback) => {
          this.timers.set(callback, delayMs);
          return () => void this.timers.delete(callback);
        },
      },
      readSecondClock: () => {
        this.asked += 1;
        return this.answer ?? Promise.resolve(start + this.passed + this.wallAhead);
      },
      logger: pino({ base: null, timestamp: false }, { write }),
    });
  }

  /** Exchange time since the beginning. */
  get stamp(): number {
    return this.clock.now() - start;
  }

  begin(last: number): Promise<void> {
    return this.clock.begin((start + last) as TimestampMs);
  }

  /** Lets a second pass at a time, with a check after each. */
  async run(seconds: number): Promise<void> {
    for (let at = 0; at < seconds; at += 1) {
      this.passed += second;
      await this.clock.check();
    }
  }
}

let bench: Bench;

beforeEach(() => {
  bench = new Bench();
});

describe('exchange time at the limit of 2 s', () => {
  it.each([
    [2_000, second + 50, 0],
    [2_001, second, 1],
    [-2_000, second - 50, 0],
    [-2_001, second / 2, 0],
  ])(
    'a wall clock that is %d ms ahead: it advances by %d ms in a second',
    (wallAhead, ...expected) => {
      bench.passed = second;
      bench.wallAhead = wallAhead;
      expect([bench.stamp, bench.clock.jumps]).toEqual(expected);
    },
  );

  it('goes exactly to a wall clock that is near enough', () => {
    bench.passed = second;
    bench.wallAhead = 30;
    expect(bench.stamp).toBe(second + 30);
    bench.passed += second;
    bench.wallAhead = 0;
    expect(bench.stamp).toBe(2 * second);
  });

  it('is a whole number of milliseconds, never later than it is', () => {
    bench.passed = 0.9;
    expect(bench.stamp).toBe(0);
    bench.passed = 1.2;
    expect(bench.stamp).toBe(1);
  });

  it('is at least the newest stamp of another process, and keeps on from there', () => {
    expect(bench.clock.now(start + 700)).toBe(start + 700);
    bench.passed = 100;
    expect(bench.stamp).toBe(795);
  });

  it('tells how far ahead the wall clock is', () => {
    bench.wallAhead = hour;
    expect(bench.clock.offsetMs).toBe(hour);
    expect(bench.clock.now(start + 2 * hour)).toBe(start + 2 * hour);
    expect(bench.clock.offsetMs).toBe(-hour);
  });
});

describe('jumps of the wall clock', () => {
  it('count once while it stays there, give or take 2 s, and again if it goes elsewhere', () => {
    for (const [wallAhead, jumps] of [
      [hour, 1],
      [hour + 2_000, 1],
      [hour - 2_000, 1],
      [hour + 2_001, 2],
      [hour, 3],
      [0, 3],
      [hour, 4],
    ] as const) {
      bench.passed += second;
      bench.wallAhead = wallAhead;
      bench.clock.now();
      expect(bench.clock.jumps).toBe(jumps);
    }
  });

  it('are logged at the next check, the largest of them and only once', async () => {
    for (const wallAhead of [hour, 3 * hour, 2 * hour, 0]) {
      bench.passed += 100;
      bench.wallAhead = wallAhead;
      bench.clock.now();
    }
    await bench.run(2);
    expect(bench.log).toEqual([{ level: 50, offsetMs: 3 * hour, msg: ahead }]);
  });

  it('ask the database after a minute at the same place, and not before', async () => {
    bench.wallAhead = hour;
    await bench.run(60);
    expect(bench.asked).toBe(0);
    await bench.run(1);
    expect(bench.asked).toBe(1);
    expect(bench.log.slice(1)).toEqual([{ level: 40, offsetMs: hour, msg: follows }]);
    expect([bench.stamp, bench.clock.offsetMs]).toEqual([hour + 61 * second, 0]);
    await bench.run(100);
    expect([bench.asked, bench.log.length]).toEqual([1, 2]);
  });

  it('that the database denies are logged once with the distance', async () => {
    bench.answer = Promise.resolve(start);
    bench.wallAhead = hour;
    await bench.run(63);
    expect(bench.asked).toBe(3);
    const msg = "clock jump: the database's clock disagrees";
    expect(bench.log.slice(1)).toEqual([{ level: 50, offsetMs: hour, msg }]);
  });
});

describe('exchange time that is ahead', () => {
  it('is logged once until the wall clock has caught up, and again the next time', async () => {
    bench.wallAhead = -4 * second;
    await bench.run(3);
    expect(bench.log).toEqual([{ level: 50, offsetMs: -4 * second + 500, msg: halfSpeed }]);
    await bench.run(60);
    expect(bench.log).toHaveLength(1);
    bench.wallAhead = -8 * second;
    await bench.run(3);
    expect(bench.log).toHaveLength(2);
  });
});

describe('exchange time at a start', () => {
  it.each([
    ['in a new journal', -start],
    ['2 s after the last stamp', -2 * second],
    ['right after the last stamp', -1],
  ])('%s is that of the wall clock, which nobody has to confirm', async (_name, last) => {
    bench.passed = 0;
    await bench.begin(last);
    expect([bench.stamp, bench.asked, bench.timers.size]).toEqual([0, 0, 0]);
  });

  it('more than 2 s after the last stamp is that of the wall clock once it is confirmed', async () => {
    await bench.begin(-2 * second - 1);
    expect([bench.stamp, bench.asked, bench.timers.size]).toEqual([0, 1, 0]);
    expect(bench.log).toMatchObject([{ offsetMs: 2_001, msg: follows }]);
    expect(bench.clock.jumps).toBe(0);
  });

  it('before the last stamp continues from that one', async () => {
    await bench.begin(hour);
    expect([bench.stamp, bench.asked]).toEqual([hour, 0]);
  });

  it('counts from the start, whatever passed since the clock was made', async () => {
    bench.passed = 10 * second;
    await bench.begin(5 * hour);
    bench.passed += second;
    expect(bench.stamp).toBe(5 * hour + 500);
  });

  it('continues from the last stamp after 5 s without an answer, which still counts later', async () => {
    let answer = (_time: number): void => undefined;
    bench.answer = new Promise((resolve) => (answer = resolve));
    const begun = bench.begin(-hour);
    expect([...bench.timers.values()]).toEqual([5 * second]);
    bench.passed = 5 * second;
    for (const callback of bench.timers.keys()) callback();
    await begun;
    expect(bench.stamp).toBe(5 * second - hour);
    answer(start + bench.passed);
    await bench.answer;
    await Promise.resolve();
    expect(bench.stamp).toBe(5 * second);
  });
});
