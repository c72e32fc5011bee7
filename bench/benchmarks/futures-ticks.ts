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
// sets all mark prices and lets time pass until no work is left, in commands that are each as long
// as an order may have to wait. What is measured is the longest of them. The same commands run in
// several rounds, each from the same snapshot: the least that a command took is its own work, what
// came along in single rounds are garbage collection, the compiler and other programs.

const flow = { accounts: 5_000, markets: 20, commands: 0, seed: 7 };
const rounds = 5;
const ticks = 20;
const warmUpTicks = 5;
const startTime = 1_750_000_000_000;
const firstMarket = 0 as FuturesMarketId;
/** From this round on prices are so low that no weak account survives. */
const crashRound = 1_000;
const crashTicksMax = 200;
/** The longest that a command may take of its own. */
const ownWorkMaxMs = 3;

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

/** The same commands in each round, with the least that each of them took. */
class Clock {
  engine = engineFactory.create();
  private now = startTime;
  private sequence = 0;
  private readonly least: number[] = [];
  private count = 0;

  pass(ms: number): void {
    this.now += ms;
  }

  apply(command: Command): AppliedCommand {
    this.sequence += 1;
    const stamp = { sequence: this.sequence as Sequence, timestamp: this.now as TimestampMs };
    return this.engine.apply(command, stamp);
  }

  /** Goes back to a state that was encoded at a time and sequence. */
  restore({ bytes, now, sequence }: Saved): void {
    this.engine = engineFactory.restore(bytes);
    this.now = now;
    this.sequence = sequence;
    this.count = 0;
  }

  save(): Saved {
    return { bytes: this.engine.encodeState(), now: this.now, sequence: this.sequence };
  }

  measure(command: Command, stops: Stops): AppliedCommand {
    const { result, microseconds, ownMicroseconds } = timeStop(() => this.apply(command));
    const least = Math.min(this.least[this.count] ?? Number.POSITIVE_INFINITY, ownMicroseconds);
    this.least[this.count] = least;
    this.count += 1;
    stops.count += 1;
    stops.sum += microseconds;
    stops.longest = Math.max(stops.longest, microseconds);
    stops.longestLeast = Math.max(stops.longestLeast, least);
    return result;
  }
}

interface Saved {
  readonly bytes: Uint8Array;
  readonly now: number;
  readonly sequence: number;
}

/** For how many microseconds the commands of one tick stop what waits for the engine. */
interface Stops {
  count: number;
  sum: number;
  longest: number;
  /** The longest by the least that each command took in the rounds so far. */
  longestLeast: number;
}

function noStops(): Stops {
  return { count: 0, sum: 0, longest: 0, longestLeast: 0 };
}

function tick(clock: Clock, number: number, stops: Stops): void {
  clock.pass(1_000);
  const jump = (middlePrice / 10n) * BigInt(Math.floor(number / crashRound));
  const price = toAmount(middlePrice + jump + BigInt(((number % 7) - 3) * 10_000_000));
  for (let market = 0; market < flow.markets; market += 1) {
    clock.measure({ type: 'setIndexPrice', symbol: perpetualTerms(market).symbol, price }, stops);
  }
  let isDue = true;
  while (isDue) {
    const { events } = clock.measure({ type: 'advanceTime' }, stops);
    isDue = events.some(({ type }) => type === 'timedWorkDue');
  }
}

/**
 * Every fiftieth account from the first on has taken out what it could, prices jump, and the books
 * are empty: each of them loses its 20 positions to the best ranked of the other side.
 */
function crash(clock: Clock, first: number, startRound: number): Stops {
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
  const stops = noStops();
  let crashTicks = 0;
  while (weak.some(isOpen) && crashTicks < crashTicksMax) {
    crashTicks += 1;
    tick(clock, startRound + crashTicks, stops);
  }
  const closed = weak.filter((accountId) => !isOpen(accountId)).length;
  if (closed < weak.length) throw new Error(`${weak.length - closed} accounts were not closed`);
  return stops;
}

// What making the positions has left is collected first: a tick leaves next to nothing behind, so
// that the old heap's collections are none of its doing.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function openPositions(): Saved {
  const clock = new Clock();
  for (const command of perpetualFunding(flow)) {
    const { rejection } = clock.apply(command);
    if (rejection !== null) throw new Error(rejection.reason);
  }
  let at = 1;
  for (const step of openings()) {
    clock.apply(futuresCommand(step, at, 0));
    at += 1;
  }
  const open = clock.engine.futures.getOpenInterest(firstMarket);
  console.log(`open interest of the first symbol: ${open} lots`);
  return clock.save();
}

function playRound(clock: Clock, saved: Saved): readonly [name: string, stops: Stops][] {
  const { ownMicroseconds } = timeStop(() => clock.restore(saved));
  console.log(`100,000 positions restored in ${(ownMicroseconds / 1e3).toFixed(0)} ms`);
  collectGarbage();
  const warmUp = noStops();
  for (let number = 0; number < warmUpTicks; number += 1) tick(clock, number, warmUp);
  const calm = noStops();
  for (let number = 0; number < ticks; number += 1) tick(clock, warmUpTicks + number, calm);
  const firstWeak = flow.accounts / 2 + 1;
  return [
    [`${ticks} ticks`, calm],
    ['50 accounts deleveraged', crash(clock, firstWeak, crashRound)],
    ['50 others', crash(clock, firstWeak + 1, crashRound * 2)],
  ];
}

function run(): Promise<BenchmarkResult> {
  const saved = openPositions();
  const clock = new Clock();
  let longest = 0;
  for (let round = 1; round <= rounds; round += 1) {
    longest = 0;
    for (const [name, { count, sum, ...stops }] of playRound(clock, saved)) {
      const [all, own] = [stops.longest / 1e3, stops.longestLeast / 1e3];
      console.log(
        `round ${round}, ${name}: ${(sum / 1e3).toFixed(1)} ms in ${count} commands, the ` +
          `longest ${all.toFixed(2)} ms, by the least of the rounds ${own.toFixed(2)} ms`,
      );
      longest = Math.max(longest, stops.longestLeast);
    }
  }
  return Promise.resolve(stopResult('futures-ticks', longest, ownWorkMaxMs));
}

export const benchmark: Benchmark = {
  name: 'futures-ticks',
  summary:
    'mark prices move under 100,000 open positions: the longest stop of order flow (less is better)',
  run,
};
