import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { toAmount } from '../../src/domain/amount.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  Sequence,
  TimestampMs,
} from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { Side, SpotTimeInForce } from '../../src/domain/spot-order.ts';
import type { Command } from '../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';
import { type FlowMessage, readOrderFlow } from '../../src/replay/order-flow.ts';

// Half an hour of a real market straight through the engine, as many accounts. New orders rest,
// executions become marketable orders of the other side. The record keeps only the top levels, so
// an order that vanished from it is canceled when a later message would cross through it.

const file = fileURLToPath(
  new URL('../../../shared/data/amzn-2021-04-12-0930-1000-order-flow.csv.gz', import.meta.url),
);
const isPresent = existsSync(file);
if (!isPresent) console.log(`skipped: the recorded order flow ${file} is not there`);

const makerAccounts = 200;
const takerAccounts = 50;
const auditEvery = 2_000;
const startTime = 1_618_234_200_000;
const market = 0 as MarketId;

class FlowRunner {
  readonly engine: Engine = engineFactory.create();
  readonly commands: [Command, Sequence][] = [];
  readonly placed = new Map<string, OrderNumber>();
  readonly reasons = new Map<string, number>();
  trades = 0;
  knownExecutions = 0;
  executionsInTurn = 0;

  setUp(): void {
    this.apply({
      type: 'createSpotMarket',
      terms: {
        symbol: 'AMZNUSD',
        baseToken: 'AMZN',
        quoteToken: 'USD',
        tickSize: (10n ** 16n) as Decimal,
        lotSize: (10n ** 18n) as Decimal,
        minNotional: toAmount(0n),
        makerFeeBps: 2,
        takerFeeBps: 5,
      },
    });
    for (let account = 1; account <= makerAccounts + takerAccounts; account += 1) {
      const address = `0x${account.toString(16).padStart(40, '0')}` as Address;
      const source = { actor: 'admin_api_key', reason: null, reference: null };
      const [shares, dollars] = [toAmount(10n ** 13n), toAmount(10n ** 16n)];
      this.apply({ type: 'creditBalance', address, token: 'AMZN', amount: shares, ...source });
      this.apply({ type: 'creditBalance', address, token: 'USD', amount: dollars, ...source });
    }
  }

  handle(message: FlowMessage): void {
    const { kind, side, price, size, orderId } = message;
    switch (kind) {
      case 'new':
        this.clear(side, price);
        this.place({ account: makerOf(orderId), side, price, size, orderId });
        break;
      case 'reduce':
      case 'delete':
        this.withdraw(message);
        break;
      case 'execute':
        this.execute(message);
        break;
      case 'other':
        break;
    }
  }

  /** Cancels what an order of the side would cross, as the record no longer knows it. */
  private clear(side: Side, price: number): void {
    for (;;) {
      const [best] = this.engine.listRestingOrders(market, opposite(side));
      if (best?.price === undefined || best.price === null) return;
      if (side === 'buy' ? best.price > price : best.price < price) return;
      const { accountId, orderNumber } = best;
      this.apply({ type: 'cancelSpotOrder', accountId, orderNumber });
    }
  }

  private withdraw({ kind, orderId, size }: FlowMessage): void {
    const orderNumber = this.placed.get(orderId);
    const order = orderNumber === undefined ? null : this.engine.findOpenOrder(orderNumber);
    if (order === null) return;
    const { accountId, side } = order;
    this.apply({ type: 'cancelSpotOrder', accountId, orderNumber: order.orderNumber });
    const left = (order.quantity ?? 0) - order.filledQuantity - size;
    if (kind === 'delete' || left <= 0) return;
    this.place({ account: accountId, side, price: order.price ?? 0, size: left, orderId });
  }

  private execute({ side, price, size, orderId }: FlowMessage): void {
    const taker = opposite(side);
    this.clear(taker, taker === 'buy' ? price - 1 : price + 1);
    const account = makerAccounts + 1 + (Number(orderId) % takerAccounts);
    const maker = this.placed.get(orderId);
    const isKnown = maker !== undefined && this.engine.findOpenOrder(maker) !== null;
    const applied = this.place({ account, side: taker, price, size, orderId: null });
    if (!isKnown) return;
    this.knownExecutions += 1;
    const [trade] = applied.events.flatMap((event) =>
      event.type === 'spotTradeExecuted' ? [event.trade] : [],
    );
    if (trade?.makerOrderNumber === maker) this.executionsInTurn += 1;
  }

  private place(order: {
    readonly account: number;
    readonly side: Side;
    readonly price: number;
    readonly size: number;
    readonly orderId: string | null;
  }): AppliedCommand {
    const timeInForce: SpotTimeInForce = order.orderId === null ? 'ioc' : 'gtc';
    const applied = this.apply({
      type: 'placeSpotOrder',
      accountId: order.account as AccountId,
      marketId: market,
      side: order.side,
      clientOrderId: order.orderId,
      orderType: 'limit',
      timeInForce,
      price: order.price as Ticks,
      quantity: order.size as Lots,
      quoteQuantity: null,
    });
    for (const event of applied.events) {
      if (event.type === 'spotTradeExecuted') this.trades += 1;
      if (event.type !== 'spotOrderUpdated' || order.orderId === null) continue;
      if (event.order.status === 'new') this.placed.set(order.orderId, event.order.orderNumber);
    }
    return applied;
  }

  private apply(command: Command): AppliedCommand {
    const sequence = (this.engine.sequence + 1) as Sequence;
    this.commands.push([command, sequence]);
    const applied = this.engine.apply(command, { sequence, timestamp: startTime as TimestampMs });
    const reason = applied.rejection?.reason ?? 'accepted';
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    return applied;
  }
}

function makerOf(orderId: string): number {
  return 1 + (Number(orderId) % makerAccounts);
}

function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

describe.skipIf(!isPresent)('recorded order flow', () => {
  const runner = new FlowRunner();

  beforeAll(async () => {
    runner.setUp();
    let handled = 0;
    for (const message of await readOrderFlow(file)) {
      runner.handle(message);
      handled += 1;
      if (handled % auditEvery === 0) checkInvariants(runner.engine);
    }
  });

  it('recorded order flow: every order is accepted and money is conserved to the last unit', () => {
    checkInvariants(runner.engine);
    expect([...runner.reasons.keys()]).toEqual(['accepted']);
    expect(runner.trades).toBeGreaterThan(3_500);
  });

  it('recorded order flow: executions match the order that the exchange recorded', () => {
    // The others stand behind orders that left the recorded levels.
    expect(runner.executionsInTurn / runner.knownExecutions).toBeGreaterThan(0.97);
    expect(runner.knownExecutions).toBeGreaterThan(3_000);
  });

  it('recorded order flow: a replay, and a snapshot with the tail after it, end the same', () => {
    const { engine, commands } = runner;
    let replayed = engineFactory.create();
    const middle = Math.floor(commands.length / 2);
    commands.forEach(([command, sequence], index) => {
      replayed.apply(command, { sequence, timestamp: startTime as TimestampMs });
      if (index === middle) replayed = engineFactory.restore(replayed.encodeState());
    });
    expect(replayed.stateHash()).toBe(engine.stateHash());
  });
});
