import { pino } from 'pino';
import type { TimestampMs } from '../../src/domain/identifiers.ts';
import { ExchangeClock } from '../../src/sequencer/exchange-clock.ts';
import { systemTime } from '../../src/system/system-time.ts';

export const startOfClocks = 1_700_000_000_000 as TimestampMs;
const start = startOfClocks;
const second = 1_000;

/** The clocks of a machine and of a database; the test lets time pass. */
export class SimulatedClocks {
  readonly messages: string[] = [];
  readonly clock: ExchangeClock;
  passed = 0;
  /** How far the machine's clock is ahead of true time. */
  wallAhead = 0;
  /** The same of the database's clock; null while it is away. */
  databaseAhead: number | null = 0;

  constructor() {
    const write = (line: string): void => {
      this.messages.push((JSON.parse(line) as { msg: string }).msg);
    };
    this.clock = new ExchangeClock({
      time: {
        wallMs: () => start + this.passed + this.wallAhead,
        monotonicMs: () => this.passed,
        after: (delayMs, callback) => systemTime.after(delayMs, callback),
      },
      readSecondClock: async () =>
        this.databaseAhead === null ? null : start + this.passed + this.databaseAhead,
      logger: pino({ base: null }, { write }),
    });
  }

  /** Exchange time since the beginning. */
  get stamp(): number {
    return this.clock.now() - start;
  }

  async run(durationMs: number): Promise<void> {
    const end = this.passed + durationMs;
    while (this.passed < end) {
      this.passed = Math.min(end, this.passed + second);
      await this.clock.check();
    }
  }
}
