import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAmount } from '../../../src/domain/amount.ts';
import type { FuturesTradeParty } from '../../../src/domain/futures-order.ts';
import type { AccountId, Sequence, TimestampMs } from '../../../src/domain/identifiers.ts';
import type { Rejection } from '../../../src/domain/rejection.ts';
import type { Command } from '../../../src/engine/commands.ts';
import { engineFactory } from '../../../src/engine/engine.ts';
import { findFuturesViolations } from '../../../src/engine/futures/futures-invariants.ts';
import type { TransferFunds } from '../../../src/engine/futures-commands.ts';
import { accountsUsed, type FuturesAction, futuresAction } from './futures-actions.ts';
import { FuturesRules } from './futures-rules.ts';
import { simulatedMarkets } from './futures-simulation.ts';
import type { Ending } from './naive-futures-children.ts';
import type { Fill as JudgedFill } from './naive-futures-judge.ts';
import { NaiveFuturesMachine } from './naive-futures-machine.ts';
import type { Market, Order } from './naive-futures-types.ts';
import { resolveFuturesAction } from './resolve-futures-action.ts';

// Checks that never fail prove nothing. Each canary is the plain futures engine with one bug
// planted, and the rules must find it in random traffic without any twin to compare it with.

const runs = 60;
const steps = 150;
const seed = 4_711;
const funds = toAmount(20_000_000_000n);

type Fill = { price: number; quantity: number; role: 'maker' | 'taker' };

class LosesFees extends NaiveFuturesMachine {
  protected override settle(market: Market, order: Order, fill: Fill): FuturesTradeParty {
    const party = super.settle(market, order, fill);
    this.futuresFees = toAmount(this.futuresFees - party.fee);
    return party;
  }
}

class RoundsFeesDown extends NaiveFuturesMachine {
  protected override fee(...given: Parameters<NaiveFuturesMachine['fee']>): bigint {
    const fee = super.fee(...given);
    return fee > 0n ? fee - 1n : fee;
  }
}

class OpensByReducing extends NaiveFuturesMachine {
  protected override room(): number {
    return Number.MAX_SAFE_INTEGER;
  }
}

class ForgetsToFollow extends NaiveFuturesMachine {
  protected override followPositions(): void {
    this.touched.clear();
  }
}

class KeepsEntries extends NaiveFuturesMachine {
  protected override fillPosition(
    market: Market,
    order: Order,
    price: number,
    quantity: number,
  ): bigint {
    const { marketId } = market.terms;
    const { entry } = this.position(order.accountId, marketId);
    const profit = super.fillPosition(market, order, price, quantity);
    const position = this.position(order.accountId, marketId);
    if (profit !== 0n && position.quantity !== 0) position.entry = entry;
    return profit;
  }
}

class MovesOneSide extends NaiveFuturesMachine {
  protected override settle(market: Market, order: Order, fill: Fill): FuturesTradeParty {
    const party = super.settle(market, order, fill);
    const isForgotten = fill.role === 'maker' && order.orderNumber % 9 === 0;
    const position = this.position(order.accountId, market.terms.marketId);
    if (isForgotten) position.quantity -= order.side === 'buy' ? 1 : -1;
    return party;
  }
}

class TradesWithItself extends NaiveFuturesMachine {
  protected override isOwn(): boolean {
    return false;
  }
}

class IgnoresMargin extends NaiveFuturesMachine {
  protected override refuseMargin(): Rejection | null {
    return null;
  }
}

class FillsFokInPart extends NaiveFuturesMachine {
  protected override reach(...given: Parameters<NaiveFuturesMachine['reach']>): JudgedFill {
    return { ...super.reach(...given), lots: Number.MAX_SAFE_INTEGER };
  }

  protected override mayFill(market: Market, order: Order, fill: JudgedFill): boolean {
    return fill.whole !== undefined || super.mayFill(market, order, fill);
  }
}

class LetsGtxTake extends NaiveFuturesMachine {
  protected override admit(...given: Parameters<NaiveFuturesMachine['admit']>): Rejection | null {
    const refusal = super.admit(...given);
    return refusal?.reason === 'post_only_would_cross' ? null : refusal;
  }
}

class RestsAtTheEnd extends NaiveFuturesMachine {
  protected override rest(market: Market, order: Order): void {
    market[order.side].push(order);
    order.isResting = true;
  }
}

class ForgetsChildren extends NaiveFuturesMachine {
  protected override finish(order: Order, how: Ending): void {
    const children = this.orders.filter((each) => each.parentOrderNumber === order.orderNumber);
    for (const child of children) child.parentOrderNumber = null;
    super.finish(order, how);
    for (const child of children) child.parentOrderNumber = order.orderNumber;
  }
}

class AllowsIdTwice extends NaiveFuturesMachine {
  protected override isTaken(): boolean {
    return false;
  }
}

class TransfersTwice extends NaiveFuturesMachine {
  protected override transfer(command: TransferFunds): Rejection | null {
    const refusal = super.transfer(command);
    const isIn = refusal === null && command.direction === 'spot_to_perp';
    if (isIn && command.amount > 0n) this.wallet(command.accountId).balance += command.amount;
    return refusal;
  }
}

/** The markets as the engine makes them, for the plain engine. */
function createMarkets(subject: NaiveFuturesMachine): void {
  const engine = engineFactory.create();
  simulatedMarkets.forEach((terms, at) => {
    const stamp = { sequence: (at + 1) as Sequence, timestamp: 1 as TimestampMs };
    const { events } = engine.apply({ type: 'createFuturesMarket', terms }, stamp);
    for (const event of events) {
      if (event.type === 'futuresMarketCreated') subject.adopt(event.market);
    }
  });
}

function beginning(): Command[] {
  const accounts = Array.from({ length: accountsUsed }, (_, at) => at);
  const credits = accounts.map((account): Command => {
    const address = `0x${account.toString(16).padStart(40, '0')}` as never;
    const reference = { actor: 'faucet', reason: null, reference: null };
    return { type: 'creditBalance', address, token: 'USDT', amount: funds, ...reference };
  });
  const transfers = accounts.map((account): Command => {
    const accountId = (account + 1) as AccountId;
    const terms = { direction: 'spot_to_perp', amount: funds, clientTransferId: null } as const;
    return { type: 'transferFunds', accountId, ...terms };
  });
  return [...credits, ...transfers];
}

/** The first rule that random traffic shows to be broken, or null. */
function findBug(subject: NaiveFuturesMachine, actions: readonly FuturesAction[]): string | null {
  createMarkets(subject);
  const rules = new FuturesRules();
  const start = beginning();
  let sequence = 0;
  for (let at = 0; at < start.length + actions.length; at += 1) {
    sequence += 1;
    const timestamp = (1_000 + sequence) as TimestampMs;
    const each = actions[at - start.length];
    const command = each === undefined ? start[at] : resolveFuturesAction(each, subject, timestamp);
    if (command === null || command === undefined) continue;
    const stamp = { sequence: sequence as Sequence, timestamp };
    const outcome = subject.apply(command, stamp);
    const [broken] = [
      ...rules.follow({ command, ...outcome }, subject),
      ...findFuturesViolations(subject).map(({ invariant, detail }) => `${invariant}: ${detail}`),
    ];
    if (broken !== undefined) return broken;
  }
  return null;
}

function hunt(Subject: new () => NaiveFuturesMachine): string {
  for (let run = 0; run < runs; run += 1) {
    const actions = fc.sample(futuresAction, { numRuns: steps, seed: seed + run });
    const bug = findBug(new Subject(), actions);
    if (bug !== null) return bug;
  }
  return 'nothing found';
}

describe('futures rules', () => {
  it('futures rules: find nothing in the plain engine', () => {
    expect(hunt(NaiveFuturesMachine)).toBe('nothing found');
  });

  it.each<[string, new () => NaiveFuturesMachine, RegExp]>([
    ['fees that vanish', LosesFees, /^M1: |^M2: fees/],
    ['fees rounded down', RoundsFeesDown, /has a fee of/],
    ['a reduce-only order that opens', OpensByReducing, /^M13: |a reduce-only order makes/],
    ['reduce-only orders that do not follow', ForgetsToFollow, /^M13: /],
    ['an entry that outlives its lots', KeepsEntries, /^M1: |^M7: /],
    ['a position on one side only', MovesOneSide, /^M6: |^M2: /],
    ['an account that trades with itself', TradesWithItself, /with itself/],
    ['margin that is not checked', IgnoresMargin, /has margins beyond its equity/],
    [
      'a fok order filled in part',
      FillsFokInPart,
      /the fok order .* is filled in part|^M12: limit fok/,
    ],
    ['a gtx order that takes', LetsGtxTake, /a gtx order took/],
    ['orders that rest out of turn', RestsAtTheEnd, /^M11: |^M10: /],
    ['children that outlive their parent', ForgetsChildren, /outlives its parent/],
    ['a client order id that is there twice', AllowsIdTwice, /^M12: client order id/],
    ['a transfer that counts twice', TransfersTwice, /^M1: /],
  ])('futures rules: find %s', (_name, Subject, message) => {
    expect(hunt(Subject)).toMatch(message);
  });
});
