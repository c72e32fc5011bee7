import type { Registry } from 'prom-client';
import { readDatabaseClock } from '../database/database-clock.ts';
import type { Database } from '../database/open-database.ts';
import type { Logger } from '../observability/log.ts';
import { watchNumbers } from '../observability/metrics.ts';
import { ExchangeClock } from '../sequencer/exchange-clock.ts';
import { systemTime } from '../system/system-time.ts';

const checkMs = 1_000;

/** The exchange's time, based on the clocks of this machine and of the database. */
export function createExchangeClock(database: () => Promise<Database>, log: Logger): ExchangeClock {
  return new ExchangeClock({
    time: systemTime,
    readSecondClock: () => database().then(readDatabaseClock, () => null),
    logger: log,
  });
}

export interface ClockWatch {
  stop(): void;
}

/** Checks the clock each second until it is stopped. */
export function watchClock(clock: ExchangeClock, metrics: Registry): ClockWatch {
  watchNumbers(metrics, [
    {
      name: 'exchange_clock_offset_seconds',
      help: "How far the machine's clock is ahead of the exchange's time",
      read: () => clock.offsetMs / 1000,
    },
    {
      name: 'exchange_clock_jumps',
      help: "Jumps ahead of the machine's clock since the start",
      read: () => clock.jumps,
    },
  ]);
  let isChecking = false;
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void clock.check().finally(() => {
      isChecking = false;
    });
  }, checkMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
