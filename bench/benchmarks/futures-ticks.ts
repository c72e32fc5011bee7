import { toAmount } from '../../src/domain/amount.ts';
import type { Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import {
  type FlowStep,
  futuresCommand,
  middlePrice,
  perpetualFunding,
  perpetualTerms,
} from '../workload/futures-commands.ts';

// Prices move under 100,000 open positions: 5,000 accounts that hold each of 20 symbols. Every tick
// sets all mark prices and looks at every position for accounts to liquidate, in commands that are
// each as long as an order may have to wait. What is measured is the longest of them.

const flow = { accounts: 5_000, markets: 20, commands: 0, seed: 7 };
const ticks = 20;
const warmUpTicks = 5;
/** The longest that order flow may stop, in milliseconds. */
const stopMax = 10;
const startTime = 1_750_000_000_000;

/** Half of the accounts buy one to five lots of each symbol from the other half. */
function* openings(): Generator<FlowStep> {
  const half = flow.accounts / 2;
  for (let market = 0; market < flow.markets; market += 1) {
    for (let account = 1; account <= half; account += 1) {
      const quantity = 1 + ((account + market) % 5);
      const terms = { market, price: 100_000, quantity, canceled: 0 };
      yield { ...terms, account, isBuy: true, isTaking: false };
      yield { ...terms, account: account + half, isBuy: false, isTaking: true };
    }
  }
}

class Clock {
  readonly engine = engineFactory.create();
  private now = startTime;
  private sequence = 0;

  pass(ms: number): void {
    this.now += ms;
  }

  apply(command: Command): AppliedCommand {
    this.sequence += 1;
    const stamp = { sequence: this.sequence as Sequence, timestamp: this.now as TimestampMs };
    return this.engine.apply(command, stamp);
  }
}

/**
 * Microseconds of each command of one tick: the processor's time, since other programs' turns on a
 * busy machine are no stop of ours.
 */
function tick(clock: Clock, round: number): number[] {
  const times: number[] = [];
  const measure = (command: Command): AppliedCommand => {
    const start = process.cpuUsage();
    const applied = clock.apply(command);
    const { user, system } = process.cpuUsage(start);
    times.push(user + system);
    return applied;
  };
  clock.pass(1_000);
  const price = toAmount(middlePrice + BigInt(((round % 7) - 3) * 10_000_000));
  for (let market = 0; market < flow.markets; market += 1) {
    measure({ type: 'setIndexPrice', symbol: perpetualTerms(market).symbol, price });
  }
  let isDue = true;
  while (isDue) {
    const { events } = measure({ type: 'advanceTime' });
    isDue = events.some(({ type }) => type === 'timedWorkDue');
  }
  return times;
}

function run(): Promise<BenchmarkResult> {
  const clock = new Clock();
  for (const command of perpetualFunding(flow)) clock.apply(command);
  let at = 1;
  for (const step of openings()) {
    clock.apply(futuresCommand(step, at, 0));
    at += 1;
  }
  let longest = 0;
  for (let round = 0; round < ticks + warmUpTicks; round += 1) {
    const times = tick(clock, round);
    const [sum, most] = [times.reduce((total, each) => total + each, 0), Math.max(...times)];
    if (round < warmUpTicks) continue;
    longest = Math.max(longest, most);
    const text = `${(sum / 1e3).toFixed(1)} ms in ${times.length} commands`;
    console.log(`tick ${round}: ${text}, the longest ${(most / 1e3).toFixed(2)} ms`);
  }
  const open = clock.engine.futures.getOpenInterest(0 as never);
  console.log(`open interest of the first symbol: ${open} lots`);
  return Promise.resolve({
    name: 'futures-ticks',
    ours: Number((longest / 1e3).toFixed(2)),
    peer: stopMax,
    peer_name: 'the longest that order flow may stop',
    unit: 'ms',
  });
}

export const benchmark: Benchmark = {
  name: 'futures-ticks',
  summary:
    'mark prices move under 100,000 open positions: the longest stop of order flow (less is better)',
  run,
};
