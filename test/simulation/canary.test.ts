import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amount, toAmount } from '../../src/domain/amount.ts';
import type { AccountId, Sequence, TimestampMs, TokenId } from '../../src/domain/identifiers.ts';
import type { Rejection } from '../../src/domain/rejection.ts';
import { findViolations } from '../../src/engine/invariants.ts';
import type { CreditDeposit } from '../../src/engine/wallet/wallet-commands.ts';
import { type Action, action, prologue } from './actions.ts';
import { NaiveEngine, type TradePart } from './naive-engine.ts';
import type { Market, Order } from './naive-state.ts';
import { type BooksBefore, booksOf, EventFollower, findBrokenRules } from './outcome-rules.ts';
import { resolveAction } from './resolve-action.ts';
import { Simulation } from './simulation.ts';

// Checks that never fail prove nothing. Each canary is the plain engine with one bug planted, and
// the rules must find it in random traffic without any twin to compare it with.

const runs = 60;
const steps = 150;
const seed = 31_337;

class SkipsLockRelease extends NaiveEngine {
  override cancelOrder(market: Market, order: Order): void {
    const lock = this.lockOf(market, order);
    super.cancelOrder(market, order);
    const [pays] = this.cellsOf(market, order);
    pays.available -= lock;
    pays.locked += lock;
  }
}

class KeepsPriceImprovement extends NaiveEngine {
  protected override finishTaker(market: Market, order: Order, lockLeft: bigint): void {
    const isPriced = order.side === 'buy' && order.price !== null;
    const isDone = isPriced && order.filledQuantity === order.quantity;
    super.finishTaker(market, order, isDone ? 0n : lockLeft);
  }
}

class SwapsMakers extends NaiveEngine {
  protected override planMatch(market: Market, order: Order) {
    const [first, second, ...others] = super.planMatch(market, order);
    if (first === undefined || second === undefined) return super.planMatch(market, order);
    return [second, first, ...others];
  }
}

class RoundsFeesDown extends NaiveEngine {
  protected override settle(part: TradePart): Amount {
    const fee = super.settle(part);
    if (fee === 0n) return fee;
    const [, gets] = this.cellsOf(part.market, part.order);
    gets.available += 1n;
    this.token(gets.tokenId).fees -= 1n;
    return toAmount(fee - 1n);
  }
}

class LosesFees extends NaiveEngine {
  protected override settle(part: TradePart): Amount {
    const fee = super.settle(part);
    const [, gets] = this.cellsOf(part.market, part.order);
    this.token(gets.tokenId).fees -= fee;
    return fee;
  }
}

class FillsFokInPart extends NaiveEngine {
  protected override matchOrder(market: Market, order: Order): bigint {
    const { timeInForce } = order;
    if (timeInForce === 'fok') order.timeInForce = 'ioc';
    const spent = super.matchOrder(market, order);
    order.timeInForce = timeInForce;
    return spent;
  }
}

class AllowsSelfTrade extends NaiveEngine {
  protected override refuseMatch(market: Market, order: Order): Rejection | null {
    const refusal = super.refuseMatch(market, order);
    return refusal?.reason === 'self_trade' ? null : refusal;
  }
}

class LetsPostOnlyTake extends NaiveEngine {
  protected override refuseMatch(market: Market, order: Order): Rejection | null {
    const refusal = super.refuseMatch(market, order);
    return refusal?.reason === 'post_only_would_cross' ? null : refusal;
  }
}

class RestsIoc extends NaiveEngine {
  protected override finishTaker(market: Market, order: Order, lockLeft: bigint): void {
    const { timeInForce, type } = order;
    if (timeInForce === 'ioc' && type === 'limit') order.timeInForce = 'gtc';
    super.finishTaker(market, order, lockLeft);
    order.timeInForce = timeInForce;
  }
}

class ForgetsToMatch extends NaiveEngine {
  protected override matchOrder(market: Market, order: Order): bigint {
    return order.timeInForce === 'gtc' ? 0n : super.matchOrder(market, order);
  }
}

class JumpsTheQueue extends NaiveEngine {
  protected override finishTaker(market: Market, order: Order, lockLeft: bigint): void {
    super.finishTaker(market, order, lockLeft);
    const side = market[order.side];
    const at = side.indexOf(order);
    const first = side.findIndex(({ price }) => price === order.price);
    if (at > first && first >= 0) side.splice(first, 0, ...side.splice(at, 1));
  }
}

class IgnoresFunds extends NaiveEngine {
  protected override refuseFunds(market: Market, order: Order): Rejection | null {
    const refusal = super.refuseFunds(market, order);
    return refusal?.reason === 'insufficient_balance' ? null : refusal;
  }
}

class AllowsIdTwice extends NaiveEngine {
  protected override refuseFunds(market: Market, order: Order): Rejection | null {
    const refusal = super.refuseFunds(market, order);
    return refusal?.reason === 'duplicate_client_order_id' ? null : refusal;
  }
}

class HidesLevelChanges extends NaiveEngine {
  override touchLevel(market: Market, order: Order): void {
    if (order.orderNumber % 7 !== 0) super.touchLevel(market, order);
  }
}

class SkipsUpdateIds extends NaiveEngine {
  override reportLevels(): void {
    for (const market of this.markets) if (market.updateId % 10 === 5) market.updateId += 1;
    super.reportLevels();
  }
}

class KeepsOrdersOfDelisted extends NaiveEngine {
  override cancelOrder(market: Market, order: Order): void {
    if (market.terms.status !== 'delisted') super.cancelOrder(market, order);
  }
}

class WithdrawsWhatIsNotThere extends NaiveEngine {
  protected override canPay(accountId: AccountId, tokenId: TokenId): boolean {
    return this.findCell(accountId, tokenId) !== undefined;
  }
}

class KeepsWithdrawnMoneyIssued extends NaiveEngine {
  protected override endWithdrawal(id: string, end: 'completed' | 'released'): Rejection | null {
    const withdrawal = this.findWithdrawal(id);
    const rejection = super.endWithdrawal(id, end);
    if (withdrawal !== null && end === 'completed') {
      this.token(withdrawal.tokenId).issued += withdrawal.amount;
    }
    return rejection;
  }
}

class RefundsWithoutUnlocking extends NaiveEngine {
  protected override endWithdrawal(id: string, end: 'completed' | 'released'): Rejection | null {
    const withdrawal = this.findWithdrawal(id);
    const rejection = super.endWithdrawal(id, end);
    if (withdrawal !== null && end === 'released') {
      const cell = this.cell(withdrawal.accountId, withdrawal.tokenId);
      cell.locked += withdrawal.amount;
      cell.available -= withdrawal.amount;
    }
    return rejection;
  }
}

class CreditsDepositsTwice extends NaiveEngine {
  protected override creditDeposit(command: CreditDeposit): Rejection | null {
    const rejection = super.creditDeposit(command);
    const accountId = this.findAccount(command.address);
    if (rejection === null && accountId !== null && command.amount > 0n) {
      this.cell(accountId, this.addToken(command.token)).available += command.amount;
    }
    return rejection;
  }
}

/** The first rule that random traffic shows to be broken, or null. */
function findBug(subject: NaiveEngine, actions: readonly Action[]): string | null {
  const follower = new EventFollower();
  for (const each of actions) {
    const command = resolveAction(each, subject);
    if (command === null) continue;
    const before: BooksBefore = booksOf(subject);
    const sequence = (subject.sequence + 1) as Sequence;
    const applied = subject.apply(command, { sequence, timestamp: 1 as TimestampMs });
    const [broken] = [
      ...findBrokenRules(before, applied, subject),
      ...follower.follow(applied),
      ...findViolations(subject).map(({ invariant, detail }) => `${invariant}: ${detail}`),
      ...follower.compare(subject),
    ];
    if (broken !== undefined) return broken;
  }
  return null;
}

function hunt(Subject: new () => NaiveEngine): string {
  for (let run = 0; run < runs; run += 1) {
    const actions = fc.sample(action, { numRuns: steps, seed: seed + run });
    const bug = findBug(new Subject(), [...prologue, ...actions]);
    if (bug !== null) return bug;
  }
  return 'nothing found';
}

describe('rules', () => {
  it('rules: find nothing in the plain engine', () => {
    expect(hunt(NaiveEngine)).toBe('nothing found');
  });

  it.each<[string, new () => NaiveEngine, RegExp]>([
    ['a skipped lock release', SkipsLockRelease, /^M3: .* locked, orders need/],
    ['a kept price improvement', KeepsPriceImprovement, /^M3: .* locked, orders need/],
    ['two swapped makers', SwapsMakers, /traded before order/],
    ['fees rounded down', RoundsFeesDown, /has a (maker|taker) fee of/],
    ['fees that vanish', LosesFees, /^M1: |^M2: fees/],
    ['a fok order filled in part', FillsFokInPart, /a fok order filled in part/],
    ['a self-trade', AllowsSelfTrade, /is a self-trade/],
    ['a post_only order that takes', LetsPostOnlyTake, /a post_only order took/],
    ['an ioc order that rests', RestsIoc, /a ioc order rests|^M12: /],
    ['a crossing order that does not match', ForgetsToMatch, /^M10: .* bids .* over an ask/],
    ['an order that jumps the queue', JumpsTheQueue, /^M11: |traded before order/],
    ['funds that are not checked', IgnoresFunds, /^M2: |a balance/],
    ['a client order id that is there twice', AllowsIdTwice, /client order id .* is there twice/],
    ['levels that are not reported', HidesLevelChanges, /levels differ from events/],
    ['update ids with a gap', SkipsUpdateIds, /leaves a gap|last update id/],
    ['a withdrawal of more than is there', WithdrawsWhatIsNotThere, /^M2: /],
    ['withdrawn money that stays issued', KeepsWithdrawnMoneyIssued, /^M1: /],
    ['a refund that stays locked', RefundsWithoutUnlocking, /^M3: /],
    ['a deposit that counts twice', CreditsDepositsTwice, /^M1: /],
    ['orders that survive delisting', KeepsOrdersOfDelisted, /^M12: .* rests in/],
  ])('rules: find %s', (_name, Subject, message) => {
    expect(hunt(Subject)).toMatch(message);
  });

  it('simulation: a twin that rounds differently is detected at the first trade', () => {
    const run = () => {
      for (let each = 0; each < runs; each += 1) {
        const actions = fc.sample(action, { numRuns: steps, seed: seed + each });
        new Simulation({ twin: new RoundsFeesDown() }).run([...prologue, ...actions]);
      }
    };
    expect(run).toThrow(/the twin differs at .*spotTradeExecuted/);
  });
});
