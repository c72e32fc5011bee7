import { expect, it } from 'vitest';
import type { AccountId } from '../../domain/identifiers.ts';
import { Ledger } from './ledger.ts';
import { LedgerRecount } from './ledger-recount.ts';
import { postingCodes } from './postings.ts';

const alice = 1 as AccountId;
const usdt = 0;

function begin() {
  const ledger = new Ledger();
  const available = ledger.open(alice, usdt);
  ledger.post(ledger.external(usdt), available, 100n, postingCodes.credit);
  return { ledger, available };
}

it('recount: it starts from the present balances and follows every posting', () => {
  const { ledger, available } = begin();
  const recount = new LedgerRecount(ledger);
  expect(recount.findBroken()).toEqual([]);
  ledger.post(available, available + 1, 30n, postingCodes.orderLock);
  ledger.post(ledger.external(usdt), available, 5n, postingCodes.credit);
  expect(recount.findBroken()).toEqual([]);
});

it('recount: a balance that changed without a posting is named with both sums', () => {
  const { ledger, available } = begin();
  const recount = new LedgerRecount(ledger);
  const cells = ledger as unknown as { readonly amounts: BigInt64Array };
  cells.amounts[available] = 101n;
  expect(recount.findBroken()).toEqual([
    `ledger-recomputed: ${ledger.describeCell(available)} holds 101, its postings make 100`,
  ]);
});
