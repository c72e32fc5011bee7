import { type RawBuilder, sql, type Transaction } from 'kysely';
import { assert } from '../../domain/assert.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { formatMicroUsdt, type MicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import type { Tables } from '../tables.ts';

// Assigns commission that is on chain, unclaimed and held by no order to a claim.

export interface Assignment {
  readonly account: AccountId;
  readonly claimId: string;
}

function freeOf(account: AccountId): RawBuilder<unknown> {
  return sql`beneficiary_id = ${account} AND status = 'pending' AND chain_sync_status = 'synced'
    AND NOT EXISTS (SELECT FROM commission_claim_items WHERE earning_id = referral_earnings.id)`;
}

/** Takes all of it and returns how much it is. */
export async function assignAllFree(
  transaction: Transaction<Tables>,
  { account, claimId }: Assignment,
): Promise<MicroUsdt> {
  const { rows } = await sql<{ sum: string }>`
    WITH free AS (
      SELECT id, commission FROM referral_earnings WHERE ${freeOf(account)}
    ), taken AS (
      INSERT INTO commission_claim_items (earning_id, claim_id)
      SELECT id, ${claimId}::bigint FROM free
    )
    SELECT coalesce(sum(commission), 0) AS sum FROM free`.execute(transaction);
  return microUsdtOf(rows[0]?.sum ?? '0');
}

interface TakenRows {
  count: string;
  /** Sum of the rows that are taken whole. */
  whole: string;
  /** The row that exceeds what is left to take. */
  split_id: string | null;
}

/** Takes that much of it, oldest first; a last row that exceeds the rest is split. */
export async function assignFree(
  transaction: Transaction<Tables>,
  { account, claimId }: Assignment,
  amount: MicroUsdt,
): Promise<void> {
  const wanted = formatMicroUsdt(amount);
  const { rows } = await sql<TakenRows>`
    WITH running AS (
      SELECT id, commission, sum(commission) OVER (ORDER BY place, part) AS total
      FROM referral_earnings WHERE ${freeOf(account)}
    ), needed AS (
      SELECT * FROM running WHERE total - commission < ${wanted}::numeric
    ), taken AS (
      INSERT INTO commission_claim_items (earning_id, claim_id)
      SELECT id, ${claimId}::bigint FROM needed WHERE total <= ${wanted}::numeric
    )
    SELECT count(*),
      coalesce(sum(commission) FILTER (WHERE total <= ${wanted}::numeric), 0) AS whole,
      max(id) FILTER (WHERE total > ${wanted}::numeric) AS split_id
    FROM needed`.execute(transaction);
  const [row] = rows;
  assert(row !== undefined, 'sums have a row');
  const rest = toMicroUsdt(amount - microUsdtOf(row.whole));
  if (row.split_id !== null) await takePart(transaction, claimId, row.split_id, rest);
  else assert(rest === 0n, 'no more is taken than is free');
}

// The part becomes a separate row, at the same place in the order.
async function takePart(
  transaction: Transaction<Tables>,
  claimId: string,
  earningId: string,
  part: MicroUsdt,
): Promise<void> {
  assert(part > 0n, 'a part is something');
  const commission = formatMicroUsdt(part);
  await sql`
    UPDATE referral_earnings SET commission = commission - ${commission}::numeric
    WHERE id = ${earningId}`.execute(transaction);
  await sql`
    WITH part AS (
      INSERT INTO referral_earnings
        (beneficiary_id, type, business_line, trade_number, side, part, whole_id, trader_id,
         source_id, fee_value, rate, commission, status, chain_sync_status, chain_sync_tx,
         chain_sync_block, chain_sync_attempts, settle_generation,
         created_at, sequence)
      SELECT beneficiary_id, type, business_line, trade_number, side,
        (SELECT max(other.part) + 1 FROM referral_earnings AS other
         WHERE other.trade_number = whole.trade_number
           AND other.beneficiary_id = whole.beneficiary_id
           AND other.business_line = whole.business_line
           AND other.side = whole.side AND other.type = whole.type),
        place, trader_id, source_id, 0, rate, ${commission}::numeric, status, chain_sync_status,
        chain_sync_tx, chain_sync_block, chain_sync_attempts, settle_generation,
        created_at, sequence
      FROM referral_earnings AS whole WHERE id = ${earningId}
      RETURNING id
    )
    INSERT INTO commission_claim_items (earning_id, claim_id)
    SELECT id, ${claimId}::bigint FROM part`.execute(transaction);
}
