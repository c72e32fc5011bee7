import type { Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { ObjectExchange } from '../peers/object-exchange.ts';
import { timeStop } from '../stop-time.ts';
import { fundingCommands, tradingCommands } from '../workload/exchange-commands.ts';
import { generateWorkload, type Workload } from '../workload/generate-workload.ts';
import { loadWorkload } from '../workload/load-workload.ts';
import { mixTrade, tradeHashStart } from '../workload/trade-hash.ts';

// The whole engine in process: every rule, every lock and fee, every event built and read. The
// trades must be those of the workload, and afterwards every invariant must hold.

const rounds = 4;
const defaultSize = { commands: 1_000_000, liveOrders: 50_000, seed: 42 };
/** Commands reach the engine in batches, freshly decoded, as they do from the queue. */
const batchSize = 1_024;
const startTime = 1_750_000_000_000;

interface Machine {
  apply(command: Command, stamp: { sequence: Sequence; timestamp: TimestampMs }): AppliedCommand;
}

/** Reads every event, as the least that anyone does who is sent them. */
class Reader {
  trades = 0;
  hash = tradeHashStart;
  events = 0;
  refused = 0;

  read({ events, rejection }: AppliedCommand): void {
    this.events += events.length;
    if (rejection !== null) this.refused += 1;
    for (const event of events) {
      if (event.type !== 'spotTradeExecuted') continue;
      const { makerOrderNumber, takerOrderNumber, quantity, price } = event.trade;
      this.trades += 1;
      this.hash = mixTrade(this.hash, makerOrderNumber, takerOrderNumber, quantity, price);
    }
  }
}

/** Commands a second of the fastest round; only the thread's own time with the machine counts. */
function measure(name: string, workload: Workload, create: () => Machine): number {
  const { prefillCount, types, expected } = workload;
  let best = 0;
  for (let round = 0; round < rounds; round += 1) {
    const machine = create();
    const reader = new Reader();
    let sequence = 0;
    const apply = (command: Command): void => {
      sequence += 1;
      const timestamp = (startTime + (sequence >> 8)) as TimestampMs;
      reader.read(machine.apply(command, { sequence: sequence as Sequence, timestamp }));
    };
    for (const command of fundingCommands()) apply(command);
    for (const command of tradingCommands(workload, 0, prefillCount)) apply(command);
    let microseconds = 0;
    for (let from = prefillCount; from < types.length; from += batchSize) {
      const batch = tradingCommands(workload, from, Math.min(from + batchSize, types.length));
      const { ownMicroseconds } = timeStop(() => {
        for (const command of batch) apply(command);
      });
      microseconds += ownMicroseconds;
    }
    if (reader.hash !== expected.hash || reader.refused > 0) {
      throw new Error(`${name}: ${reader.trades} trades, hash ${reader.hash}: wrong`);
    }
    const rate = ((types.length - prefillCount) * 1e6) / microseconds;
    console.log(`${name}: ${Math.round(rate)} commands/s, ${reader.events} events`);
    best = Math.max(best, rate);
  }
  return best;
}

async function run(options: readonly string[]): Promise<BenchmarkResult> {
  const at = options.indexOf('--workload');
  const path = at < 0 ? undefined : options[at + 1];
  const workload = path === undefined ? generateWorkload(defaultSize) : await loadWorkload(path);
  const engine = { last: engineFactory.create() };
  const ours = measure('openbourse', workload, () => {
    engine.last = engineFactory.create();
    return engine.last;
  });
  checkInvariants(engine.last);
  const peer = measure('object exchange', workload, () => new ObjectExchange());
  return {
    name: 'engine',
    ours: Math.round(ours),
    peer: Math.round(peer),
    peer_name: 'exchange of objects, Maps and bigints',
    unit: 'commands/s',
  };
}

export const benchmark: Benchmark = {
  name: 'engine',
  summary: 'the whole spot engine in process: ledger, rules, client order ids, events',
  run,
};
