import type { Transaction } from 'kysely';
import type { ReferralLogType } from '../../application/referral/referral-ports.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';

// The records of every change: lines in the logs of the accounts concerned, and entries in the
// queue of the on-chain register.

export interface LogLine {
  readonly account: AccountId;
  readonly type: ReferralLogType;
  readonly counterparty?: Address;
  readonly code?: string;
  /** Plain decimal text. */
  readonly amount?: string;
  readonly reference?: string;
}

export async function writeLogs(
  transaction: Transaction<Tables>,
  time: Date,
  lines: readonly LogLine[],
): Promise<void> {
  await transaction
    .insertInto('referral_logs')
    .values(
      lines.map(({ account, type, counterparty, code, amount, reference }) => ({
        account_id: account,
        type,
        counterparty: counterparty ?? null,
        code: code ?? null,
        amount: amount ?? null,
        reference: reference ?? null,
        created_at: time,
      })),
    )
    .execute();
}

/** A state that the on-chain register is to adopt. */
export type RegisterEntry =
  | { readonly kind: 'code'; readonly address: Address; readonly code: string }
  /** A null code unbinds. */
  | { readonly kind: 'binding'; readonly address: Address; readonly code: string | null }
  | {
      readonly kind: 'terms';
      readonly address: Address;
      readonly tierLevel: number;
      readonly rebateRate: Decimal;
    };

export async function queueRegisterChange(
  transaction: Transaction<Tables>,
  change: RegisterEntry,
): Promise<void> {
  const isTerms = change.kind === 'terms';
  // The register shows a state: only the last waiting one is worth a write.
  await transaction
    .deleteFrom('register_changes')
    .where('kind', '=', change.kind)
    .where('address', '=', change.address)
    .where('batch_id', 'is', null)
    .execute();
  await transaction
    .insertInto('register_changes')
    .values({
      kind: change.kind,
      address: change.address,
      code: isTerms ? null : change.code,
      tier_level: isTerms ? change.tierLevel : null,
      rebate_rate: isTerms ? formatDecimal(change.rebateRate) : null,
      batch_id: null,
    })
    .execute();
}
