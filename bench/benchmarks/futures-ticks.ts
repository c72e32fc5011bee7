import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { toAmount } from '../../src/domain/amount.ts';
import type { FuturesMarketId } from '../../src/domain/futures-market.ts';
import type { AccountId, Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { stopResult, timeStop } from '../stop-time.ts';
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
const startTime = 1_750_000_000_000;
const firstMarket = 0 as FuturesMarketId;
/** From this round on prices are where no weak account can stand. */
const crashRound = 1_000;
const crashTicksMax = 200;

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

/** For how many microseconds the commands of one tick stop what waits for the engine. */
interface Stops {
  count: number;
  sum: number;
  longest: number;
  /** The longest but for the time in which other threads had the processors. */
  longestOwn: number;
}

function tick(clock: Clock, round: number): Stops {
  const stops: Stops = { count: 0, sum: 0, longest: 0, longestOwn: 0 };
  const measure = (command: Command): AppliedCommand => {
    const { result, microseconds, ownMicroseconds } = timeStop(() => clock.apply(command));
    stops.count += 1;
    stops.sum += microseconds;
    stops.longest = Math.max(stops.longest, microseconds);
    stops.longestOwn = Math.max(stops.longestOwn, ownMicroseconds);
    return result;
  };
  clock.pass(1_000);
  const jump = (middlePrice / 10n) * BigInt(Math.floor(round / crashRound));
  const price = toAmount(middlePrice + jump + BigInt(((round % 7) - 3) * 10_000_000));
  for (let market = 0; market < flow.markets; market += 1) {
    measure({ type: 'setIndexPrice', symbol: perpetualTerms(market).symbol, price });
  }
  let isDue = true;
  while (isDue) {
    const { events } = measure({ type: 'advanceTime' });
    isDue = events.some(({ type }) => type === 'timedWorkDue');
  }
  return stops;
}

/**
 * Every fiftieth account from the first on has taken out what it could, prices jump, and the books
 * are empty: each of them loses its 20 positions to the best ranked of the other side. The longest
 * command.
 */
function crash(clock: Clock, first: number, startRound: number): number {
  const { futures } = clock.engine;
  const weak: AccountId[] = [];
  for (let account = first; account <= flow.accounts; account += 50) {
    const accountId = account as AccountId;
    const amount = futures.getPerpAccount(accountId).withdrawable;
    const direction = 'perp_to_spot';
    const clientTransferId = null;
    clock.apply({ type: 'transferFunds', accountId, direction, amount, clientTransferId });
    weak.push(accountId);
  }
  const isOpen = (accountId: AccountId): boolean =>
    futures.listPositions(accountId).some(({ quantity }) => quantity !== 0);
  let [longest, longestOwn, rounds] = [0, 0, 0];
  while (weak.some(isOpen) && rounds < crashTicksMax) {
    rounds += 1;
    const stops = tick(clock, startRound + rounds);
    longest = Math.max(longest, stops.longest);
    longestOwn = Math.max(longestOwn, stops.longestOwn);
  }
  const closed = weak.filter((accountId) => !isOpen(accountId)).length;
  const text = `${closed} of ${weak.length} accounts with 20 positions each closed in ${rounds} ticks`;
  console.log(`crash: ${text}, the longest command ${describe(longest, longestOwn)}`);
  return longest;
}

function describe(longest: number, longestOwn: number): string {
  return `${(longest / 1e3).toFixed(2)} ms, of its own ${(longestOwn / 1e3).toFixed(2)} ms`;
}

// What making the positions has left is collected first: a tick leaves next to nothing behind, so
// that the old heap's collections are none of its doing.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function run(): Promise<BenchmarkResult> {
  const clock = new Clock();
  for (const command of perpetualFunding(flow)) clock.apply(command);
  let at = 1;
  for (const step of openings()) {
    clock.apply(futuresCommand(step, at, 0));
    at += 1;
  }
  collectGarbage();
  let longest = 0;
  for (let round = 0; round < ticks + warmUpTicks; round += 1) {
    const stops = tick(clock, round);
    if (round < warmUpTicks) continue;
    longest = Math.max(longest, stops.longest);
    const text = `${(stops.sum / 1e3).toFixed(1)} ms in ${stops.count} commands`;
    console.log(`tick ${round}: ${text}, the longest ${describe(stops.longest, stops.longestOwn)}`);
  }
  const open = clock.engine.futures.getOpenInterest(firstMarket);
  console.log(`open interest of the first symbol: ${open} lots`);
  const firstWeak = flow.accounts / 2 + 1;
  // The second time the compiler has seen all that is done to them.
  longest = Math.max(longest, crash(clock, firstWeak, crashRound));
  longest = Math.max(longest, crash(clock, firstWeak + 1, crashRound * 2));
  return Promise.resolve(stopResult('futures-ticks', longest));
}

export const benchmark: Benchmark = {
  name: 'futures-ticks',
  summary:
    'mark prices move under 100,000 open positions: the longest stop of order flow (less is better)',
  run,
};
