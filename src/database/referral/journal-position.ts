import { sql, type Transaction } from 'kysely';
import type { Sequence } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';

/**
 * The position in the journal after which a change applies: everything answered before the request,
 * and everything already projected, is before it. The projector waits until the transaction has
 * ended, so this must be the transaction's last query.
 */
export async function takePosition(
  transaction: Transaction<Tables>,
  durable: Sequence,
): Promise<Sequence> {
  const { rows } = await sql<{ position: string }>`
    SELECT greatest(position, ${durable}) AS position FROM projector_position
    WHERE name = 'exchange' FOR SHARE`.execute(transaction);
  const [row] = rows;
  if (row === undefined) throw new Error('the projector position has a row');
  return Number(row.position) as Sequence;
}

/** Serializes changes of codes, bindings and affiliates, until the transaction ends. */
export async function lockReferralGraph(transaction: Transaction<Tables>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('referral graph', 0))`.execute(
    transaction,
  );
}
