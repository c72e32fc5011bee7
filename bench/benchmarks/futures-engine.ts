import type { Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../src/engine/engine.ts';
import { findFuturesViolations } from '../../src/engine/futures/futures-invariants.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { timeStop } from '../stop-time.ts';
import {
  type FlowStep,
  flowSteps,
  futuresCommand,
  perpetualFunding,
  spotCommand,
  spotFunding,
} from '../workload/futures-commands.ts';

// Perpetuals in process: 1,000 accounts that each trade 20 symbols, so that every order is judged
// by the margin of a whole portfolio. The peer is our own spot engine on the same orders: the ratio
// says what positions, margin and triggers cost.

const flow = { accounts: 1_000, markets: 20, commands: 300_000, seed: 42 };
const warmUp = 60_000;
const rounds = 3;
/** Commands reach the engine in batches, freshly made, as they do from the queue. */
const batchSize = 1_024;
const startTime = 1_750_000_000_000;

interface Side {
  readonly name: string;
  readonly funding: readonly Command[];
  readonly command: (step: FlowStep, at: number, orderNumber: number) => Command;
}

interface Round {
  readonly engine: Engine;
  /** Commands a second; only the thread's own time with the engine counts. */
  readonly rate: number;
  readonly trades: number;
  readonly refused: number;
}

/** Plays all steps; the first ones fill the books and are not counted. */
function play({ funding, command }: Side, steps: readonly FlowStep[]): Round {
  const engine = engineFactory.create();
  const numbers = [0];
  const counts = { trades: 0, refused: 0, events: 0 };
  let sequence = 0;
  const apply = (each: Command): void => {
    sequence += 1;
    const timestamp = (startTime + (sequence >> 8)) as TimestampMs;
    const { events, rejection } = engine.apply(each, { sequence: sequence as Sequence, timestamp });
    counts.events += events.length;
    if (rejection !== null) counts.refused += 1;
    let orderNumber = 0;
    for (const event of events) {
      if (event.type === 'futuresTradeExecuted' || event.type === 'spotTradeExecuted') {
        counts.trades += 1;
      } else if (event.type === 'futuresOrderUpdated' || event.type === 'spotOrderUpdated') {
        orderNumber = Math.max(orderNumber, event.order.orderNumber);
      }
    }
    const isOrder = each.type === 'placeFuturesOrder' || each.type === 'placeSpotOrder';
    if (isOrder) numbers.push(orderNumber);
  };
  for (const each of funding) apply(each);
  counts.refused = 0;
  let microseconds = 0;
  for (let from = 0; from < steps.length; from += batchSize) {
    const isCounted = from >= warmUp;
    const batch = steps.slice(from, from + batchSize);
    // A cancel names an order by the number that it was given, so its batch must be behind that.
    const { ownMicroseconds } = timeStop(() => {
      for (const [at, step] of batch.entries()) {
        apply(command(step, from + at, numbers[step.canceled] ?? 0));
      }
    });
    if (isCounted) microseconds += ownMicroseconds;
  }
  const rate = ((steps.length - warmUp) * 1e6) / microseconds;
  return { engine, rate, trades: counts.trades, refused: counts.refused };
}

/** The fastest round of each side; their rounds take turns, so that both meet the same machine. */
function measure(sides: readonly Side[], steps: readonly FlowStep[]): readonly Round[] {
  const best: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, side] of sides.entries()) {
      const played = play(side, steps);
      const { rate, trades, refused } = played;
      console.log(
        `${side.name}: ${Math.round(rate)} commands/s, ${trades} trades, ${refused} refused`,
      );
      if (rate > (best[at]?.rate ?? 0)) best[at] = played;
    }
  }
  return best;
}

function run(): Promise<BenchmarkResult> {
  const steps = flowSteps(flow);
  const futures = { name: 'perpetuals', funding: perpetualFunding(flow), command: futuresCommand };
  const spot = { name: 'spot', funding: spotFunding(flow), command: spotCommand };
  const [ours, peer] = measure([futures, spot], steps);
  if (ours === undefined || peer === undefined) throw new Error('no round was played');
  checkInvariants(ours.engine);
  const [violation] = findFuturesViolations(ours.engine.futures);
  if (violation !== undefined) throw new Error(`${violation.invariant}: ${violation.detail}`);
  return Promise.resolve({
    name: 'futures-engine',
    ours: Math.round(ours.rate),
    peer: Math.round(peer.rate),
    peer_name: 'our spot engine on the same orders',
    unit: 'commands/s',
  });
}

export const benchmark: Benchmark = {
  name: 'futures-engine',
  summary: 'perpetuals in process: 1,000 accounts x 20 symbols, every order judged by its margin',
  run,
};
