import { describe, expect, it } from 'vitest';
import { fundingCommands, tradingCommands } from '../../bench/workload/exchange-commands.ts';
import {
  addCommand,
  cancelCommand,
  generateWorkload,
} from '../../bench/workload/generate-workload.ts';
import { mixTrade, tradeHashStart } from '../../bench/workload/trade-hash.ts';
import type { Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import { NumberedBook, type NumberedBookListener } from '../../src/engine/book/numbered-book.ts';
import { buySide, sellSide } from '../../src/engine/book/order-book.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';

const workload = generateWorkload({ commands: 60_000, liveOrders: 4_000, seed: 7 });

class Recorder implements NumberedBookListener {
  trades = 0;
  hash = tradeHashStart;
  taker = 0;

  onTrade(maker: number, price: number, quantity: number): void {
    this.trades += 1;
    this.hash = mixTrade(this.hash, maker, this.taker, quantity, price);
  }

  onLevelChanged(): void {}
}

describe('workload', () => {
  it('workload: the generator produces the same market on every machine', () => {
    const { expected } = generateWorkload({ commands: 20_000, liveOrders: 1_000, seed: 42 });
    expect(expected).toEqual({ trades: 3_904, tradedQty: 100_235, hash: 2_805_871_911 });
  });

  it('NumberedBook: produces the trades of the workload, order by order', () => {
    const recorder = new Recorder();
    const book = new NumberedBook(recorder);
    const { types, sides, prices, quantities, orderNumbers } = workload;
    types.forEach((type, index) => {
      const orderNumber = orderNumbers[index] ?? 0;
      if (type === cancelCommand) {
        if (book.cancel(orderNumber) === 0) throw new Error(`order ${orderNumber} is missing`);
        return;
      }
      recorder.taker = orderNumber;
      book.add({
        orderNumber,
        account: type === addCommand ? 1 : 2,
        side: sides[index] === 0 ? buySide : sellSide,
        price: prices[index] ?? 0,
        quantity: quantities[index] ?? 0,
        policy: 'rest',
      });
    });
    expect(recorder.trades).toBe(workload.expected.trades);
    expect(recorder.hash).toBe(workload.expected.hash);
  });

  it('engine: produces the same trades with accounts, locks, fees and client order ids', () => {
    const engine = engineFactory.create();
    let hash = tradeHashStart;
    for (const command of [...fundingCommands(), ...tradingCommands(workload)]) {
      const sequence = (engine.sequence + 1) as Sequence;
      const applied = engine.apply(command, {
        sequence,
        timestamp: sequence as number as TimestampMs,
      });
      if (applied.rejection !== null) throw new Error(applied.rejection.reason);
      for (const event of applied.events) {
        if (event.type !== 'spotTradeExecuted') continue;
        const { makerOrderNumber, takerOrderNumber, quantity, price } = event.trade;
        hash = mixTrade(hash, makerOrderNumber, takerOrderNumber, quantity, price);
      }
    }
    expect(hash).toBe(workload.expected.hash);
    checkInvariants(engine);
  });
});
