import type { AccountId } from '../../domain/identifiers.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
import type { ProjectionContext } from '../projector/projection.ts';
import { paidFeesOf } from './paid-fees.ts';
import { RelationsHistory } from './relations-history.ts';
import type { PlacedFee } from './write-earnings.ts';

/** The fees of a batch, with the bindings at the time they were paid. */
export interface BatchFees {
  readonly fees: readonly PlacedFee[];
  /** Null if none of the payers was bound to a referrer. */
  readonly history: RelationsHistory | null;
}

const loaded = new WeakMap<OutcomeBatch, Promise<BatchFees>>();

/**
 * Commission and points both depend on a batch's fees, so the fees are found and looked up once.
 */
export function batchFees(batch: OutcomeBatch, context: ProjectionContext): Promise<BatchFees> {
  let fees = loaded.get(batch);
  if (fees === undefined) {
    fees = load(batch, context);
    loaded.set(batch, fees);
  }
  return fees;
}

async function load(
  batch: OutcomeBatch,
  { statements, directory }: ProjectionContext,
): Promise<BatchFees> {
  const fees = paidFeesOf(batch, directory);
  const first = fees[0]?.sequence;
  const last = fees.at(-1)?.sequence;
  if (first === undefined || last === undefined) return { fees, history: null };
  const payers = [...new Set<AccountId>(fees.map(({ fee }) => fee.payer))];
  return { fees, history: await RelationsHistory.load(statements, payers, { first, last }) };
}
