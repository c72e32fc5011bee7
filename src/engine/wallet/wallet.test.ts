import { describe, expect, it } from 'vitest';
import { amountMax, toAmount } from '../../domain/amount.ts';
import type { AccountId, Address, Sequence, TimestampMs } from '../../domain/identifiers.ts';
import type { Command } from '../commands.ts';
import { type Engine, engineFactory } from '../engine.ts';
import { checkInvariants } from '../invariants.ts';

const address = `0x${'1'.repeat(40)}` as Address;
const accountId = 1 as AccountId;
const deposit = (number: number, units: bigint): Command => {
  return { type: 'creditDeposit', address, token: 'DF', amount: toAmount(units), number };
};
const reserve = (withdrawalId: string, units: bigint): Command => {
  const amount = toAmount(units);
  return { type: 'reserveWithdrawal', withdrawalId, accountId, token: 'DF', amount };
};
const end = (type: 'completeWithdrawal' | 'releaseWithdrawal', withdrawalId: string): Command => {
  return { type, withdrawalId };
};

/** What became of each command: its rejection's reason, or the types of its events. */
function send(engine: Engine, ...commands: Command[]): string[] {
  return commands.map((command) => {
    const sequence = (engine.sequence + 1) as Sequence;
    const applied = engine.apply(command, { sequence, timestamp: 1 as TimestampMs });
    checkInvariants(engine);
    return applied.rejection?.reason ?? applied.events.map(({ type }) => type).join();
  });
}

function balanceOf(engine: Engine): string {
  const [balance] = engine.listBalances(accountId);
  return `${balance?.available} available, ${balance?.locked} locked, ${engine.getIssued(0 as never)} issued`;
}

describe('creditDeposit', () => {
  it('creditDeposit: each number counts once and in turn, also across a restart', () => {
    const engine = engineFactory.create();
    expect(send(engine, deposit(0, 10n))).toEqual([
      'accountOpened,tokenAdded,depositCredited,balanceChanged',
    ]);
    expect(send(engine, deposit(0, 10n), deposit(2, 5n))).toEqual(['', 'deposit_out_of_turn']);
    const restored = engineFactory.restore(engine.encodeState());
    expect(send(restored, deposit(0, 10n), deposit(1, 5n))).toEqual([
      '',
      'depositCredited,balanceChanged',
    ]);
    expect(balanceOf(restored)).toBe('15 available, 0 locked, 15 issued');
  });

  it('creditDeposit: a deposit that truncates to zero counts, and credits nothing', () => {
    const engine = engineFactory.create();
    expect(send(engine, deposit(0, 0n), deposit(1, 3n))).toEqual([
      'accountOpened,tokenAdded,depositCredited',
      'depositCredited,balanceChanged',
    ]);
    expect(balanceOf(engine)).toBe('3 available, 0 locked, 3 issued');
  });

  it('creditDeposit: a deposit that would exceed the maximum of a balance is refused and stays due', () => {
    const engine = engineFactory.create();
    const refused = [deposit(0, amountMax + 1n), deposit(0, -1n)];
    expect(send(engine, ...refused)).toEqual(['amount_out_of_range', 'amount_out_of_range']);
    expect(send(engine, deposit(0, amountMax), deposit(1, 1n))).toContain('amount_out_of_range');
    expect(engine.countDeposits(accountId)).toBe(1);
  });
});

describe('withdrawals', () => {
  it('reserveWithdrawal: locks what is available and nothing more', () => {
    const engine = engineFactory.create();
    send(engine, deposit(0, 10n));
    expect(send(engine, reserve('a', 6n), reserve('b', 5n), reserve('a', 1n))).toEqual([
      'withdrawalUpdated,balanceChanged',
      'insufficient_balance',
      'withdrawal_under_way',
    ]);
    expect(balanceOf(engine)).toBe('4 available, 6 locked, 10 issued');
  });

  it('completeWithdrawal: the reserved amount leaves the exchange, once', () => {
    const engine = engineFactory.create();
    send(engine, deposit(0, 10n), reserve('a', 6n));
    const twice = [end('completeWithdrawal', 'a'), end('completeWithdrawal', 'a')];
    expect(send(engine, ...twice)).toEqual([
      'withdrawalUpdated,balanceChanged',
      'withdrawal_not_under_way',
    ]);
    expect(balanceOf(engine)).toBe('4 available, 0 locked, 4 issued');
  });

  it('releaseWithdrawal: the reserved amount is available again, once, and never after payment', () => {
    const engine = engineFactory.create();
    send(engine, deposit(0, 10n), reserve('a', 6n), reserve('b', 4n));
    const twice = [end('releaseWithdrawal', 'a'), end('releaseWithdrawal', 'a')];
    expect(send(engine, ...twice)[1]).toBe('withdrawal_not_under_way');
    send(engine, end('completeWithdrawal', 'b'));
    expect(send(engine, end('releaseWithdrawal', 'b'))).toEqual(['withdrawal_not_under_way']);
    expect(balanceOf(engine)).toBe('6 available, 0 locked, 6 issued');
  });

  it('reopenWithdrawal: after a chain rollback the amount is reserved again, across a restart too', () => {
    const engine = engineFactory.create();
    send(engine, deposit(0, 10n), reserve('a', 6n), end('completeWithdrawal', 'a'));
    const reopen = { ...reserve('a', 6n), type: 'reopenWithdrawal' } as Command;
    send(engine, reopen);
    const restored = engineFactory.restore(engine.encodeState());
    expect(restored.findWithdrawal('a')).toEqual({
      withdrawalId: 'a',
      accountId,
      tokenId: 0,
      amount: 6n,
    });
    expect(send(restored, reopen)).toEqual(['withdrawal_under_way']);
    send(restored, end('releaseWithdrawal', 'a'));
    expect(balanceOf(restored)).toBe('10 available, 0 locked, 10 issued');
  });
});
