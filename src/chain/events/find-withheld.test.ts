import { expect, test } from 'vitest';
import type { ChainEvent } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import type { FollowedBlock } from './block-follower.ts';
import { explains, findWithheld, type Missing } from './find-withheld.ts';

const account = `0x${'a1'.repeat(20)}` as Address;
const token = `0x${'df'.repeat(20)}` as Address;
const transactionHash = `0x${'11'.repeat(32)}` as const;
const place = (logIndex: number) => ({ transactionHash, logIndex, account });
const deposit: ChainEvent = {
  ...place(0),
  type: 'vaultDeposited',
  token,
  rawAmount: 5n,
  number: 0,
};
const release: ChainEvent = { ...place(1), type: 'vaultReleased', token, rawAmount: 2n, nonce: 0 };
const redemption: ChainEvent = {
  ...place(2),
  type: 'rewardRedeemed',
  amount: toMicroUsdt(7n),
  nonce: 0,
};
const settlement: ChainEvent = {
  ...place(3),
  type: 'rewardSettled',
  settledTotal: toMicroUsdt(9n),
};
const accounted = (amount: bigint): Missing => ({ what: 'accounted', of: token, amount });

test('withheld: only events that are exactly what is missing explain a difference', () => {
  expect(explains([deposit], [accounted(5n)])).toBe(true);
  expect(explains([deposit], [accounted(6n)])).toBe(false);
  expect(explains([deposit, release], [accounted(3n)])).toBe(true);
  expect(explains([deposit], [accounted(5n), { what: 'deposits', of: account, amount: 1n }])).toBe(
    true,
  );
  expect(explains([deposit], [accounted(5n), { what: 'deposits', of: account, amount: 2n }])).toBe(
    false,
  );
  const claimed: Missing = { what: 'claimed', of: null, amount: 7n };
  expect(explains([redemption], [claimed])).toBe(true);
  expect(explains([settlement], [{ what: 'settled', of: null, amount: 9n }])).toBe(true);
  expect(explains([], [{ what: 'settled', of: null, amount: 9n }])).toBe(false);
});

test('withheld: an invented deposit is not counted with what explains another difference', () => {
  expect(explains([deposit, redemption], [{ what: 'claimed', of: null, amount: 7n }])).toBe(false);
  expect(explains([deposit, redemption], [accounted(5n)])).toBe(false);
});

test('withheld: the first provider whose receipts explain it, with all that was counted', () => {
  const counted = [
    { header: { number: 7 }, events: [release] },
  ] as unknown as FollowedBlock<ChainEvent>[];
  const isMissing = (events: readonly ChainEvent[]) => explains(events, [accounted(5n)]);
  const find = (...shown: (readonly ChainEvent[])[]) => findWithheld(counted, [shown], isMissing);
  expect(find()).toEqual([]);
  expect(find([release], [deposit])).toEqual([]);
  expect(find([release], [deposit, release])).toEqual([
    { header: { number: 7 }, events: [deposit, release] },
  ]);
});
