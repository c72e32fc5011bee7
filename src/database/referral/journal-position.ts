import { sql, type Transaction } from 'kysely';
import type { Sequence } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';

/**
 * The place in the journal after which a change counts: everything that was answered before the
 * request, and everything that is projected already, lies before it. The projector waits until the
 * transaction has ended, so it must be the last that the transaction asks for.
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

/** Lets one change of codes, bindings and affiliates at a time through, until its end. */
export async function lockReferralGraph(transaction: Transaction<Tables>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('referral graph', 0))`.execute(
    transaction,
  );
}
