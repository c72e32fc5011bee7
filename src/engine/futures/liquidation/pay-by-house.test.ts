import { expect, it } from 'vitest';
import { fillWallet } from '../../../../test/support/fill-wallet.ts';
import { EngineState } from '../../engine-state.ts';
import { postingCodes } from '../../ledger/postings.ts';
import type { Rules } from '../../rules.ts';
import { perpFundsMax } from '../risk-limits.ts';
import { payByHouse } from './insurance.ts';

/** Fees of 500, two wallets at -100, and room for 150 in the perp wallets. */
function pay(rules?: Rules) {
  const engine = new EngineState(rules);
  const { futures, ledger } = engine;
  const [rich, first, second] = [1, 2, 3].map((id) => futures.openAccount(id));
  if (rich === undefined || first === undefined || second === undefined) throw new Error('three');
  fillWallet(engine, rich, perpFundsMax + 50n);
  const { cells } = futures;
  ledger.post(ledger.external(cells.tokenId), cells.feeRevenue(), 500n, postingCodes.credit);
  fillWallet(engine, first, -100n);
  fillWallet(engine, second, -100n);
  ledger.report(engine.outcome);
  expect(ledger.perpFundsOf(cells.tokenId)).toBe(perpFundsMax - 150n);
  payByHouse(futures, first, null);
  payByHouse(futures, second, null);
  ledger.report(engine.outcome);
  return {
    wallets: [first.walletBalance, second.walletBalance],
    fees: ledger.balance(cells.feeRevenue()),
    debt: ledger.balance(cells.badDebt()),
    isWithin: ledger.perpFundsOf(cells.tokenId) <= perpFundsMax,
  };
}

it('unpaid losses: fees pay no more than the perp wallets have room for, and the rest is debt', () => {
  expect(pay()).toEqual({ wallets: [0n, 0n], fees: 350n, debt: -50n, isWithin: true });
  expect(pay(12)).toEqual({ wallets: [0n, 0n], fees: 300n, debt: 0n, isWithin: false });
});
