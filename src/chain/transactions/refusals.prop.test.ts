import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TransactionVersion } from '../../application/ports/chain-ledger.ts';
import {
  decideTransaction,
  latestVersion,
  limitFees,
  type OpenTransaction,
} from './transaction-machine.ts';

// No class of refusal leads to waiting without a next step: whatever nodes answer for a while, each
// open row ends once some provider takes some fee.

const policy = { replaceAfterMs: 48_000, feeMultipleMax: 5n, feePerGasMax: 500_000_000_000n };
const tickMs = 30_000;
const ticksMax = 400;
const classes = [
  'underpriced',
  'fee_cap',
  'insufficient_funds',
  'nonce_too_low',
  'nonce_gap',
  'gas_limit',
  'unknown',
] as const;
const suggested = { maxFeePerGas: 40_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n };

type Answer = (typeof classes)[number] | 'taken' | 'silent';

class Model {
  now = 0;
  transaction: OpenTransaction;
  /** The version in the pool. */
  taken: TransactionVersion | null = null;

  constructor() {
    const fees = limitFees(suggested, policy);
    this.transaction = {
      nonce: 7,
      isCancelRequested: false,
      versions: [this.version('call', fees)],
    };
  }

  version(
    kind: TransactionVersion['kind'],
    fees: Pick<TransactionVersion, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  ): TransactionVersion {
    const hash = `0x${(this.transaction?.versions.length ?? 0).toString(16)}` as const;
    const fresh = { sentAt: null, refusal: null, refusalCount: 0, isTaken: false } as const;
    return { hash, bytes: '0x02', kind, ...fees, ...fresh };
  }

  /** What happens in one tick; true once the row has ended. */
  tick(answerOf: (version: TransactionVersion) => Answer): boolean {
    this.now += tickMs;
    const isMined = this.taken !== null;
    const action = decideTransaction(
      this.transaction,
      {
        countAtCursor: isMined ? 8 : 7,
        countAtHead: isMined ? 8 : 7,
        mined: this.taken && { hash: this.taken.hash, isSuccess: true, blockNumber: 5 },
        isLatestKnown: isMined,
        fees: suggested,
        now: this.now,
      },
      policy,
    );
    if (action.kind === 'finish') return true;
    if (action.kind === 'replace') {
      const { versionKind, fees } = action;
      expect(fees.maxFeePerGas <= policy.feePerGasMax).toBe(true);
      const versions = [...this.transaction.versions, this.version(versionKind, fees)];
      this.transaction = { ...this.transaction, versions };
    }
    if (action.kind !== 'wait') this.send(answerOf);
    return false;
  }

  private send(answerOf: (version: TransactionVersion) => Answer): void {
    const latest = latestVersion(this.transaction);
    const answer = answerOf(latest);
    const sent = { ...latest, sentAt: latest.sentAt ?? this.now };
    const isRefused = answer !== 'taken' && answer !== 'silent';
    const noted =
      answer === 'taken'
        ? { ...sent, isTaken: true, refusal: null }
        : isRefused
          ? { ...sent, refusal: answer, refusalCount: sent.refusalCount + 1 }
          : sent;
    if (answer === 'taken') this.taken = noted;
    const versions = [...this.transaction.versions.slice(0, -1), noted];
    this.transaction = { ...this.transaction, versions };
  }
}

test('decideTransaction: after any refusals each transaction ends once a provider accepts some fee', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<Answer>(...classes, 'silent'), { maxLength: 60 }),
      // The least that is taken, in gwei; the node's own limit is at least twice as high.
      fc.integer({ min: 1, max: 180 }),
      fc.integer({ min: 2, max: 10 }),
      (refusals, least, multiple) => {
        const most = least * multiple;
        const model = new Model();
        const waiting = [...refusals];
        const gwei = 1_000_000_000n;
        const answerOf = ({ maxFeePerGas }: TransactionVersion): Answer => {
          const refusal = waiting.shift();
          if (refusal !== undefined) return refusal;
          if (maxFeePerGas > BigInt(most) * gwei) return 'fee_cap';
          return maxFeePerGas >= BigInt(least) * gwei ? 'taken' : 'underpriced';
        };
        let ticks = 0;
        while (!model.tick(answerOf)) {
          ticks += 1;
          expect(ticks).toBeLessThan(ticksMax);
        }
      },
    ),
  );
});
