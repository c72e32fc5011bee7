import { describe, expect, it } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../../test/support/futures-fixture.ts';
import { postBadDebt } from '../../../../test/support/post-bad-debt.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { engineFactory } from '../../engine.ts';
import type { MoveHouseFunds, TransferFunds } from '../../futures-commands.ts';

const unit = 10n ** 8n;

function usdt(amount: number): ReturnType<typeof toAmount> {
  return toAmount(BigInt(Math.round(amount * 1_000)) * (unit / 1_000n));
}

function takeOut(accountId: AccountId, amount: number): TransferFunds {
  const direction = 'perp_to_spot';
  return {
    type: 'transferFunds',
    accountId,
    direction,
    amount: usdt(amount),
    clientTransferId: null,
  };
}

function houseFunds(amount: number, terms: Partial<MoveHouseFunds> = {}): MoveHouseFunds {
  const rest = { source: 'treasury', reason: null, reference: null } as const;
  return { type: 'moveHouseFunds', amount: usdt(amount), ...rest, ...terms };
}

function reserve(futures: FuturesFixture, accountId: AccountId): string | null {
  const amount = usdt(1);
  const reference = `withdrawal ${futures.engine.sequence}`;
  return futures.refusal({
    type: 'reservePerpFunds',
    accountId,
    amount,
    step: 'reserve',
    reference,
  });
}

/** Alice is long with her 1,500 and Bob short; the account after them has no position. */
function begin(quantity = 0.9): { futures: FuturesFixture; accounts: [AccountId, AccountId] } {
  const futures = new FuturesFixture();
  const accounts: [AccountId, AccountId] = [futures.fund(1, 1_500), futures.fund(2, 10_000)];
  futures.fund(3, 100);
  futures.setIndex(30_000);
  const [alice, bob] = accounts;
  futures.place(bob, 'sell', { price: 30_000, quantity });
  futures.place(alice, 'buy', { quantity });
  return { futures, accounts };
}

const idle = 3 as AccountId;

function withBadDebt(): FuturesFixture {
  const { futures } = begin(0.1);
  postBadDebt(futures.engine, 100n * unit);
  futures.advance(1_000);
  expect(futures.engine.futures.badDebt).toBe(-100n * unit);
  return futures;
}

describe('gate of withdrawals', () => {
  it('gate: a deficit of more than 1,000 holds withdrawals back for a minute; reserved ones still complete', () => {
    const { futures, accounts } = begin();
    const [, bob] = accounts;
    const reference = 'before';
    const setAside = {
      type: 'reservePerpFunds',
      accountId: idle,
      amount: usdt(5),
      reference,
    } as const;
    futures.done({ ...setAside, step: 'reserve' });
    futures.setIndex(20_000);
    expect(futures.position(bob).quantity).toBe(0);
    expect(reserve(futures, idle)).toBe('withdrawals_gated');
    expect(futures.refusal(takeOut(idle, 1))).toBe('insufficient_balance');
    expect(futures.wallet(idle).withdrawable).toBe(0n);
    futures.done({ ...setAside, step: 'pay_out' });
    futures.fund(4, 10);
    futures.now += 59_999;
    expect(reserve(futures, idle)).toBe('withdrawals_gated');
    futures.now += 1;
    expect(reserve(futures, idle)).toBeNull();
    futures.done(takeOut(idle, 1));
  });

  it('gate: a small bankrupt account delays no withdrawals once it is closed', () => {
    const { futures } = begin(0.06);
    futures.setIndex(20_000);
    // 0.06 long from 30,000 at 20,000 is 600 down on 1,500: solvent, and open.
    expect(reserve(futures, idle)).toBeNull();
    futures.setIndex(4_000);
    expect(futures.position(1 as AccountId).quantity).toBe(0);
    expect(reserve(futures, idle)).toBeNull();
  });

  it('gate: nine dust accounts a minute, each closed in turn, delay no other withdrawal', () => {
    const futures = new FuturesFixture();
    const house = futures.fund(1, 10_000);
    futures.fund(2, 100);
    futures.fund(idle, 100);
    let shut = 0;
    for (let number = 4; number < 13; number += 1) {
      const dust = futures.fund(number, 2);
      const marketId = futuresMarketId;
      futures.setIndex(30_000);
      futures.done({ type: 'setLeverage', accountId: dust, marketId, leverage: 125 });
      futures.place(house, 'sell', { price: 30_000, quantity: 0.004 });
      futures.place(dust, 'buy', { price: 30_000, quantity: 0.004 });
      // 2.4 lost of 2: bankrupt, with nobody to buy.
      futures.setIndex(29_400);
      futures.advance(0);
      expect(futures.position(dust).quantity).toBe(0);
      expect(futures.wallet(dust).walletBalance).toBe(0n);
      if (reserve(futures, idle) !== null) shut += 1;
      futures.advance(6_600);
    }
    expect(shut).toBe(0);
    expect(futures.engine.futures.badDebt).toBe(0n);
  });

  it('gate: after more than five minutes without a command withdrawals wait for a minute', () => {
    const futures = new FuturesFixture();
    const accountId = futures.fund(1, 100);
    futures.advance(300_000);
    futures.done(takeOut(accountId, 1));
    futures.advance(300_001);
    expect(futures.refusal(takeOut(accountId, 1))).toBe('insufficient_balance');
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    futures.advance(59_999);
    expect(futures.refusal(takeOut(accountId, 1))).toBe('insufficient_balance');
    futures.advance(1);
    futures.done(takeOut(accountId, 1));
  });

  it('bad debt: shuts the gate until it is repaid, and for a minute after', () => {
    const futures = withBadDebt();
    futures.advance(120_000);
    expect(reserve(futures, idle)).toBe('withdrawals_gated');
    futures.done(houseFunds(40));
    expect(futures.engine.futures.badDebt).toBe(-60n * unit);
    futures.advance(120_000);
    expect(reserve(futures, idle)).toBe('withdrawals_gated');
    const events = futures.done(houseFunds(100));
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'houseFundsMoved', repaid: usdt(60) }),
    );
    expect(futures.engine.futures.badDebt).toBe(0n);
    // 100 were there from the start of the test, and 40 are left of the second top-up.
    expect(formatAmount(futures.engine.futures.insuranceFund)).toBe('140');
    expect(reserve(futures, idle)).toBe('withdrawals_gated');
    futures.advance(60_000);
    expect(reserve(futures, idle)).toBeNull();
  });
});

describe('house funds', () => {
  it('house funds: from the treasury they are new money, from fees at most what was collected', () => {
    const { futures } = begin();
    const fees = futures.engine.futures.futuresFees;
    const issued = (): bigint =>
      futures.engine.getIssued(futures.engine.findToken('USDT') as never);
    const before = issued();
    futures.done(houseFunds(250));
    expect(issued() - before).toBe(250n * unit);
    const more = toAmount(fees + 1n);
    const fromFees = houseFunds(0, { source: 'fees', amount: more });
    expect(futures.refusal(fromFees)).toBe('insufficient_balance');
    futures.done({ ...fromFees, amount: fees });
    expect(futures.engine.futures.futuresFees).toBe(0n);
    expect(futures.engine.futures.insuranceFund).toBe(250n * unit + fees);
  });

  it('house funds: the same reference counts once, separately from the references of credits', () => {
    const { futures } = begin();
    futures.done(houseFunds(10, { reference: 'top-up-1' }));
    expect(futures.done(houseFunds(10, { reference: 'top-up-1' }))).toEqual([]);
    expect(formatAmount(futures.engine.futures.insuranceFund)).toBe('10');
    futures.done({
      type: 'creditBalance',
      address: `0x${'9'.repeat(40)}` as never,
      token: 'USDT',
      amount: usdt(1),
      actor: 'test',
      reason: null,
      reference: 'top-up-1',
    });
    expect(futures.engine.findAccount(`0x${'9'.repeat(40)}` as never)).not.toBeNull();
  });

  it.each([
    [0, 'amount_not_positive'],
    [-1, 'amount_not_positive'],
    [92_233_720_368, 'amount_out_of_range'],
  ])('house funds: %d is refused', (amount, reason) => {
    const { futures } = begin();
    expect(futures.refusal(houseFunds(amount))).toBe(reason);
  });

  it('withdrawals held by an audit or an operator stay held until released, also after a restore', () => {
    const { futures } = begin(0.1);
    const hold = { type: 'holdWithdrawals', isHeld: true, reason: 'audit' } as const;
    const [event] = futures.done(hold);
    expect(event).toEqual({ type: 'withdrawalsHeld', isHeld: true, reason: 'audit' });
    expect(futures.done(hold)).toEqual([]);
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    futures.advance(120_000);
    expect(futures.engine.futures.isWithdrawalGateShut).toBe(true);
    expect(futures.refusal(takeOut(idle, 1))).toBe('insufficient_balance');
    expect(reserve(futures, idle)).toBe('withdrawals_gated');
    futures.done({ type: 'holdWithdrawals', isHeld: false, reason: null });
    futures.advance(60_000);
    expect(futures.refusal(takeOut(idle, 1))).toBeNull();
    expect(reserve(futures, idle)).toBeNull();
  });

  it('the gate stays shut for 60 s after a hold, also after a restore', () => {
    const { futures } = begin(0.1);
    const release = { type: 'holdWithdrawals', isHeld: false, reason: null } as const;
    expect(futures.done(release)).toEqual([]);
    expect(futures.engine.futures.isWithdrawalGateShut).toBe(false);
    futures.done({ type: 'holdWithdrawals', isHeld: true, reason: 'a broken rule' });
    expect(futures.done(release)).toEqual([
      { type: 'withdrawalsHeld', isHeld: false, reason: null },
    ]);
    expect(futures.refusal(takeOut(idle, 1))).toBe('insufficient_balance');
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    futures.advance(59_999);
    expect(reserve(futures, idle)).toBe('withdrawals_gated');
    const opened = futures.advance(1);
    expect(opened).toContainEqual({ type: 'withdrawalGateChanged', isShut: false, until: null });
    expect(futures.refusal(takeOut(idle, 1))).toBeNull();
    expect(reserve(futures, idle)).toBeNull();
  });
});
