import {
  NumberedBook,
  type NumberedBookListener,
  type NumberedOrder,
} from '../../src/engine/book/numbered-book.ts';
import { buySide, sellSide } from '../../src/engine/book/order-book.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { ObjectBook } from '../peers/object-book.ts';
import {
  addCommand,
  cancelCommand,
  generateWorkload,
  type Workload,
} from '../workload/generate-workload.ts';
import { loadWorkload } from '../workload/load-workload.ts';
import { mixTrade, tradeHashStart } from '../workload/trade-hash.ts';

// The product's book against the book that most would write first, on one workload. Both runs
// must reproduce the workload's trades to the last lot, in order.

const rounds = 5;
const defaultSize = { commands: 1_000_000, liveOrders: 50_000, seed: 42 };

/** Counts and hashes the book's news, as a consumer must at the very least. */
class Recorder implements NumberedBookListener {
  trades = 0;
  tradedQuantity = 0;
  hash = tradeHashStart;
  taker = 0;
  levelChanges = 0;
  private lotsAtLastLevel = 0;

  onTrade(maker: number, price: number, quantity: number, _makerLeft: number): void {
    this.trades += 1;
    this.tradedQuantity += quantity;
    this.hash = mixTrade(this.hash, maker, this.taker, quantity, price);
  }

  onLevelChanged(_side: number, _price: number, quantity: number): void {
    this.levelChanges += 1;
    this.lotsAtLastLevel = quantity;
  }
}

interface Run {
  readonly nanoseconds: number;
  readonly trades: number;
  readonly tradedQuantity: number;
  readonly hash: number;
}

function runProduct(workload: Workload): Run {
  const recorder = new Recorder();
  const book = new NumberedBook(recorder);
  const arrival: NumberedOrder = {
    orderNumber: 0,
    account: 1,
    side: buySide,
    price: 0,
    quantity: 0,
    policy: 'rest',
  };
  // Makers and takers belong to two accounts, since an account cannot trade with itself.
  const apply = (from: number, to: number): void => {
    const { types, sides, prices, quantities, orderNumbers } = workload;
    for (let index = from; index < to; index += 1) {
      const orderNumber = orderNumbers[index] as number;
      const type = types[index] as number;
      if (type === cancelCommand) {
        book.cancel(orderNumber);
        continue;
      }
      recorder.taker = orderNumber;
      arrival.orderNumber = orderNumber;
      arrival.account = type === addCommand ? 1 : 2;
      arrival.side = sides[index] === 0 ? buySide : sellSide;
      arrival.price = prices[index] as number;
      arrival.quantity = quantities[index] as number;
      book.add(arrival);
    }
  };
  apply(0, workload.prefillCount);
  const start = process.hrtime.bigint();
  apply(workload.prefillCount, workload.types.length);
  const nanoseconds = Number(process.hrtime.bigint() - start);
  return { ...recorder, nanoseconds };
}

function runPeer(workload: Workload): Run {
  const book = new ObjectBook();
  const apply = (from: number, to: number): void => {
    const { types, sides, prices, quantities, orderNumbers } = workload;
    for (let index = from; index < to; index += 1) {
      const orderNumber = orderNumbers[index] as number;
      if (types[index] === cancelCommand) {
        book.cancel(orderNumber);
      } else {
        const side = sides[index] as number;
        book.add(orderNumber, side, prices[index] as number, quantities[index] as number);
      }
    }
  };
  apply(0, workload.prefillCount);
  const start = process.hrtime.bigint();
  apply(workload.prefillCount, workload.types.length);
  const nanoseconds = Number(process.hrtime.bigint() - start);
  const { trades, tradedQuantity, hash } = book;
  return { nanoseconds, trades, tradedQuantity, hash };
}

/** Nanoseconds a command of the fastest round: the steady state, with the least disturbance. */
function measure(name: string, workload: Workload, run: (workload: Workload) => Run): number {
  const commands = workload.types.length - workload.prefillCount;
  const { expected } = workload;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const result = run(workload);
    if (
      result.trades !== expected.trades ||
      result.tradedQuantity !== expected.tradedQty ||
      result.hash !== expected.hash
    ) {
      throw new Error(`${name} made ${result.trades} trades, hash ${result.hash}: wrong`);
    }
    best = Math.min(best, result.nanoseconds / commands);
    console.log(`${name}: ${(result.nanoseconds / commands).toFixed(1)} ns/command`);
  }
  return best;
}

async function run(options: readonly string[]): Promise<BenchmarkResult> {
  const at = options.indexOf('--workload');
  const path = at < 0 ? undefined : options[at + 1];
  const workload = path === undefined ? generateWorkload(defaultSize) : await loadWorkload(path);
  const { trades, hash } = workload.expected;
  console.log(`${workload.types.length} commands, ${trades} trades, hash ${hash}`);
  const ours = measure('openbourse', workload, runProduct);
  const peer = measure('object book', workload, runPeer);
  return {
    name: 'book',
    ours: Number((1_000 / ours).toPrecision(4)),
    peer: Number((1_000 / peer).toPrecision(4)),
    peer_name: 'book of objects, a Map and a sorted array',
    unit: 'million commands/s',
  };
}

export const benchmark: Benchmark = {
  name: 'book',
  summary: 'the order book against a book of objects; --workload <file> takes a recorded one',
  run,
};
