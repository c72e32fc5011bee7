import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TransactionVersion } from '../../application/ports/chain-ledger.ts';
import {
  areFeesTooHigh,
  assignNonce,
  decideTransaction,
  limitFees,
  type OpenTransaction,
  type TransactionObservation,
} from './transaction-machine.ts';

const policy = { replaceAfterMs: 48_000, feeMultipleMax: 5n, feePerGasMax: 500n };

function version(changes: Partial<TransactionVersion> = {}): TransactionVersion {
  return {
    hash: '0x01',
    bytes: '0x02',
    maxFeePerGas: 100n,
    maxPriorityFeePerGas: 10n,
    kind: 'call',
    sentAt: 1_000,
    refusal: null,
    refusalCount: 0,
    isTaken: true,
    ...changes,
  };
}

function transaction(changes: Partial<OpenTransaction> = {}): OpenTransaction {
  return { nonce: 7, versions: [version()], isCancelRequested: false, ...changes };
}

function sight(changes: Partial<TransactionObservation> = {}): TransactionObservation {
  return {
    countAtCursor: 7,
    countAtHead: 7,
    mined: null,
    isLatestKnown: true,
    fees: { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n },
    now: 1_000,
    ...changes,
  };
}

test('decideTransaction: an unsent transaction is sent', () => {
  const unsent = transaction({ versions: [version({ sentAt: null })] });
  expect(decideTransaction(unsent, sight(), policy)).toEqual({ kind: 'send' });
});

test('decideTransaction: a transaction dropped from the pool is sent again, with the same bytes', () => {
  expect(decideTransaction(transaction(), sight({ isLatestKnown: false }), policy)).toEqual({
    kind: 'send',
  });
});

test('decideTransaction: a mined but unconfirmed transaction is left alone, however late', () => {
  const mined = sight({ countAtHead: 8, isLatestKnown: false, now: 10 ** 9 });
  expect(decideTransaction(transaction(), mined, policy)).toEqual({ kind: 'wait' });
});

test('decideTransaction: a late transaction is replaced at a fee at least a tenth higher', () => {
  const action = decideTransaction(transaction(), sight({ now: 49_000 }), policy);
  expect(action).toEqual({
    kind: 'replace',
    versionKind: 'call',
    fees: { maxFeePerGas: 113n, maxPriorityFeePerGas: 12n },
  });
});

test('decideTransaction: a replacement pays at least what the node suggests now', () => {
  const fees = { maxFeePerGas: 300n, maxPriorityFeePerGas: 30n };
  expect(decideTransaction(transaction(), sight({ now: 49_000, fees }), policy)).toMatchObject({
    fees,
  });
});

test('decideTransaction: a transaction that waits for an earlier nonce is not replaced', () => {
  const behind = sight({ countAtHead: 6, countAtCursor: 6, now: 10 ** 9 });
  expect(decideTransaction(transaction(), behind, policy)).toEqual({ kind: 'wait' });
});

test('decideTransaction: at the highest fee it is sent again each tick, stuck after 30 minutes', () => {
  const high = transaction({ versions: [version({ maxFeePerGas: 480n })] });
  const thirtyMinutes = 1_800_000;
  const firstTriedAt = 1_000;
  for (const isLatestKnown of [true, false]) {
    const early = sight({ now: firstTriedAt + thirtyMinutes - 1, isLatestKnown });
    expect(decideTransaction(high, early, policy)).toEqual({ kind: 'send' });
    const late = sight({ now: firstTriedAt + thirtyMinutes, isLatestKnown });
    expect(decideTransaction(high, late, policy)).toEqual({ kind: 'stuck' });
  }
});

test('decideTransaction: a first cancel may outbid even a version at the limit', () => {
  const high = transaction({
    versions: [version({ maxFeePerGas: 443n })],
    isCancelRequested: true,
  });
  expect(decideTransaction(high, sight(), policy)).toMatchObject({
    kind: 'replace',
    versionKind: 'cancel',
    fees: { maxFeePerGas: 499n },
  });
  // Nothing goes above the limit, not even a cancel.
  const higher = { ...high, versions: [version({ maxFeePerGas: 480n })] };
  expect(decideTransaction(higher, sight(), policy)).toEqual({ kind: 'send' });
});

test('fault 12: no version is signed above the limit, not even the first', () => {
  const spike = { maxFeePerGas: 400_000n, maxPriorityFeePerGas: 10n };
  expect(areFeesTooHigh(spike, policy)).toBe(true);
  const fees = { maxFeePerGas: 700n, maxPriorityFeePerGas: 10n };
  expect(areFeesTooHigh(fees, policy)).toBe(false);
  expect(limitFees(fees, policy)).toEqual({ maxFeePerGas: 443n, maxPriorityFeePerGas: 10n });
});

test("fault 10: a transaction that exceeds only the node's limit is signed again below it", () => {
  const untaken = { isTaken: false, refusal: 'fee_cap', refusalCount: 1 } as const;
  const refused = transaction({ versions: [version(untaken)] });
  expect(decideTransaction(refused, sight({ isLatestKnown: false }), policy)).toEqual({
    kind: 'replace',
    versionKind: 'call',
    fees: { maxFeePerGas: 50n, maxPriorityFeePerGas: 10n },
  });
  // One that someone may have in a pool has to be outbid, never undercut.
  const taken = transaction({ versions: [version(), version({ ...untaken, hash: '0x03' })] });
  expect(decideTransaction(taken, sight(), policy)).toEqual({ kind: 'wait' });
});

test('fault 11: a transaction refused with an unknown message is cancelled under its nonce at the third refusal', () => {
  const after = (refusalCount: number) =>
    transaction({
      versions: [version({ isTaken: false, refusal: 'unknown', refusalCount })],
    });
  const here = sight({ isLatestKnown: false });
  expect(decideTransaction(after(2), here, policy)).toEqual({ kind: 'send' });
  expect(decideTransaction(after(3), here, policy)).toMatchObject({
    kind: 'replace',
    versionKind: 'cancel',
  });
});

test.each([
  ['call', true, 'succeeded'],
  ['call', false, 'reverted'],
  ['cancel', true, 'cancelled'],
] as const)('decideTransaction: a mined %s with success %s is %s', (kind, isSuccess, outcome) => {
  const open = transaction({ versions: [version(), version({ hash: '0x03', kind })] });
  const mined = { hash: '0x03' as const, isSuccess, blockNumber: 5 };
  expect(decideTransaction(open, sight({ countAtCursor: 8, mined }), policy)).toEqual({
    kind: 'finish',
    outcome,
    hash: '0x03',
    blockNumber: 5,
  });
});

test('decideTransaction: a nonce spent by another transaction displaces this one', () => {
  expect(decideTransaction(transaction(), sight({ countAtCursor: 8 }), policy)).toMatchObject({
    kind: 'finish',
    outcome: 'displaced',
  });
});

test('decideTransaction: it is finished only when a confirmed block spent its nonce', () => {
  fc.assert(
    fc.property(
      fc.record({
        countAtCursor: fc.integer({ min: 0, max: 10 }),
        ahead: fc.integer({ min: 0, max: 3 }),
        isLatestKnown: fc.boolean(),
        now: fc.integer({ min: 0, max: 10 ** 12 }),
        isCancelRequested: fc.boolean(),
        sentAt: fc.option(fc.integer({ min: 0, max: 10 ** 6 })),
      }),
      ({ ahead, isCancelRequested, sentAt, ...shown }) => {
        const open = transaction({ isCancelRequested, versions: [version({ sentAt })] });
        const countAtHead = shown.countAtCursor + ahead;
        const action = decideTransaction(open, sight({ ...shown, countAtHead }), policy);
        expect(action.kind === 'finish').toBe(shown.countAtCursor > open.nonce);
      },
    ),
  );
});

test('decideTransaction: a replacement always raises both fees by a tenth and keeps the limit', () => {
  const fee = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(fee, fee, fee, fee, (maxFee, priority, suggested, suggestedPriority) => {
      const open = transaction({
        versions: [version({ maxFeePerGas: maxFee, maxPriorityFeePerGas: priority })],
      });
      const fees = { maxFeePerGas: suggested, maxPriorityFeePerGas: suggestedPriority };
      const wide = { ...policy, feePerGasMax: 10n ** 12n };
      const action = decideTransaction(open, sight({ now: 10 ** 9, fees }), wide);
      if (action.kind !== 'replace') return;
      expect(action.fees.maxFeePerGas * 10n >= maxFee * 11n).toBe(true);
      expect(action.fees.maxPriorityFeePerGas * 10n >= priority * 11n).toBe(true);
      expect(action.fees.maxFeePerGas <= suggested * 5n).toBe(true);
      expect(action.fees.maxFeePerGas <= wide.feePerGasMax).toBe(true);
    }),
  );
});

test.each([
  [3, 3, 3, false],
  [4, 3, 4, false],
  [3, 5, 5, true],
])(
  'assignNonce: saved %i and on chain %i give %i',
  (nextSaved, pendingOnChain, nonce, isMismatch) => {
    expect(assignNonce({ nextSaved, pendingOnChain })).toEqual({ nonce, isMismatch });
  },
);
