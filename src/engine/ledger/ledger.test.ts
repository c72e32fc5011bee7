import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountMax } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { EngineEvent } from '../events.ts';
import { Outcome } from '../outcome.ts';
import { Ledger } from './ledger.ts';
import { perpFundsOf } from './perp-funds.ts';
import { postingCodes } from './postings.ts';

const usdt = 0;
const bitcoin = 1;
const alice = 1 as AccountId;

function begin(): { ledger: Ledger; available: number } {
  const ledger = new Ledger();
  const available = ledger.open(alice, usdt);
  ledger.post(ledger.external(usdt), available, 100n, postingCodes.credit);
  return { ledger, available };
}

function report(ledger: Ledger): readonly EngineEvent[] {
  const outcome = new Outcome();
  ledger.report(outcome);
  return outcome.take();
}

describe('ledger', () => {
  it('post: debits one cell and credits the other; the outside account is minus the issue', () => {
    const { ledger, available } = begin();
    ledger.post(available, available + 1, 30n, postingCodes.orderLock);
    expect(ledger.list(alice)).toEqual([]);
    const events = report(ledger);
    expect(events).toEqual([
      { type: 'balanceChanged', accountId: alice, tokenId: usdt, available: 70n, locked: 30n },
    ]);
    expect(ledger.list(alice)).toEqual([{ tokenId: usdt, available: 70n, locked: 30n }]);
    expect(ledger.balance(ledger.external(usdt))).toBe(-100n);
    expect(ledger.issuedOf(usdt)).toBe(100n);
  });

  it('open: a token before those that the account holds has a balance of its own', () => {
    const ledger = new Ledger();
    const bitcoins = ledger.open(alice, bitcoin);
    ledger.post(ledger.external(bitcoin), bitcoins, 5n, postingCodes.credit);
    const dollars = ledger.open(alice, usdt);
    ledger.post(ledger.external(usdt), dollars, 100n, postingCodes.credit);
    report(ledger);
    expect(ledger.list(alice)).toEqual([
      { tokenId: usdt, available: 100n, locked: 0n },
      { tokenId: bitcoin, available: 5n, locked: 0n },
    ]);
  });

  it('post: an amount reserved for a withdrawal is shown as locked', () => {
    const { ledger, available } = begin();
    report(ledger);
    const leaving = ledger.openSpotLeaving(alice, usdt);
    ledger.post(available, leaving, 40n, postingCodes.withdrawalSetAside);
    expect(report(ledger)).toMatchObject([{ available: 60n, locked: 40n }]);
    ledger.post(leaving, ledger.external(usdt), 40n, postingCodes.withdrawalPaid);
    expect(report(ledger)).toMatchObject([{ available: 60n, locked: 0n }]);
  });

  it('post: zero is no posting, and a negative amount breaks a rule', () => {
    const { ledger, available } = begin();
    report(ledger);
    ledger.post(available, available + 1, 0n, postingCodes.orderLock);
    expect(report(ledger)).toEqual([]);
    expect(() => ledger.post(available, available + 1, -1n, postingCodes.orderLock)).toThrow(
      'posting-positive: a posting of -1',
    );
  });

  it('report: a posting from one token to another does not balance', () => {
    const { ledger, available } = begin();
    report(ledger);
    ledger.post(available, ledger.open(alice, bitcoin), 1n, postingCodes.spotTrade);
    expect(() => report(ledger)).toThrow('postings-sum-zero: the ledger does not balance');
  });

  it.each([
    ['an available balance', (ledger: Ledger) => ledger.open(2, usdt)],
    ['a locked balance', (ledger: Ledger) => ledger.open(2, usdt) + 1],
    ['what is set aside of a spot wallet', (ledger: Ledger) => ledger.openSpotLeaving(2, usdt)],
    ['what is set aside of a perp wallet', (ledger: Ledger) => ledger.openPerp(2, usdt) + 1],
    ['fee revenue', (ledger: Ledger) => ledger.feeRevenue(usdt)],
    ['the insurance fund', (ledger: Ledger) => ledger.insurance(usdt)],
    ['what it has promised', (ledger: Ledger) => ledger.openInsuranceHeld(2, usdt)],
  ])('report: %s may not be below zero', (_name, cellOf) => {
    const { ledger, available } = begin();
    ledger.post(cellOf(ledger), available, 1n, postingCodes.realizedProfit);
    expect(() => report(ledger)).toThrow();
  });

  it.each([
    ['what is outside', (ledger: Ledger) => ledger.external(usdt)],
    ['bad debt', (ledger: Ledger) => ledger.badDebt(usdt)],
  ])('report: %s may not be above zero', (_name, cellOf) => {
    const { ledger, available } = begin();
    ledger.post(available, cellOf(ledger), 1n, postingCodes.debtRepaid);
    const isOutside = cellOf(ledger) === ledger.external(usdt);
    if (isOutside) ledger.post(ledger.insurance(usdt), cellOf(ledger), 100n, postingCodes.credit);
    expect(() => report(ledger)).toThrow('no-negative-cell');
  });

  it('report: a perp wallet and the cells of a market may be below zero', () => {
    const { ledger } = begin();
    const [wallet, clearing] = [ledger.openPerp(2, usdt), ledger.openMarket(7, usdt)];
    ledger.post(wallet, clearing, 5n, postingCodes.realizedProfit);
    ledger.post(clearing + 1, wallet, 2n, postingCodes.funding);
    report(ledger);
    expect([0, 1].map((at) => ledger.balance(clearing + at))).toEqual([5n, -2n]);
    expect(ledger.balance(ledger.findPerp(2, usdt))).toBe(-3n);
    expect(perpFundsOf(ledger, usdt)).toBe(0n);
  });

  it('post: all that can be issued fits', () => {
    const ledger = new Ledger();
    ledger.post(ledger.external(usdt), ledger.open(1, usdt), amountMax, postingCodes.credit);
    report(ledger);
    expect(ledger.issuedOf(usdt)).toBe(amountMax);
  });

  it('ledger-recomputed: every cell equals the sum of its postings, through a restore', () => {
    const posting = fc.record({
      from: fc.nat({ max: 8 }),
      to: fc.nat({ max: 8 }),
      amount: fc.bigInt({ min: 1n, max: 1_000n }),
    });
    fc.assert(
      fc.property(fc.array(posting, { maxLength: 60 }), (postings) => {
        const ledger = new Ledger();
        const cells = [1, 2, 3].flatMap((account) => {
          const available = ledger.open(account, usdt);
          return [available, available + 1, ledger.openPerp(account, usdt)];
        });
        const heard = new Map<number, bigint>();
        ledger.listener = (from, to, amount) => {
          heard.set(from, (heard.get(from) ?? 0n) - amount);
          heard.set(to, (heard.get(to) ?? 0n) + amount);
        };
        for (const cell of cells) {
          ledger.post(ledger.external(usdt), cell, 100_000n, postingCodes.credit);
        }
        for (const { from, to, amount } of postings) {
          const [source, target] = [cells[from] as number, cells[to] as number];
          ledger.post(source, target, amount, postingCodes.transferToPerp);
          report(ledger);
          expect(ledger.perpFundsOf(usdt)).toBe(perpFundsOf(ledger, usdt));
        }
        report(ledger);
        for (const [cell, amount] of heard) expect(ledger.balance(cell)).toBe(amount);
        const restored = new Ledger();
        for (const record of ledger.records()) restored.restore(record);
        restored.checkTotals();
        expect([...restored.records()]).toEqual([...ledger.records()]);
        expect(restored.perpFundsOf(usdt)).toBe(ledger.perpFundsOf(usdt));
      }),
    );
  });
});
