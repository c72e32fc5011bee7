import { type RawBuilder, sql } from 'kysely';
import type { ChainBacklog, LabeledNumber } from '../../application/ports/chain-backlog.ts';
import type { DatabasePool } from '../database-pool.ts';

const dayMs = 86_400_000;

/** The chain side's backlog, computed from the tables. */
export class DatabaseChainBacklog implements ChainBacklog {
  readonly #pool: DatabasePool;
  /** Milliseconds. */
  readonly #now: () => number;

  constructor(pool: DatabasePool, now: () => number) {
    this.#pool = pool;
    this.#now = now;
  }

  async transactionSeconds(): Promise<readonly LabeledNumber[]> {
    return this.#numbers(sql`
      SELECT purpose AS label, ${this.#secondsSince(sql`min(sent_at)`)} AS value
      FROM chain_transactions JOIN chain_transaction_versions USING (purpose, reference)
      WHERE outcome IS NULL GROUP BY purpose ORDER BY purpose`);
  }

  async displacedTransactions(): Promise<number> {
    const since = new Date(this.#now() - dayMs);
    return this.#number(sql`
      SELECT '' AS label, count(DISTINCT (purpose, reference))::float8 AS value
      FROM chain_transactions JOIN chain_transaction_versions USING (purpose, reference)
      WHERE outcome = 'displaced' AND sent_at > ${since}::timestamptz`);
  }

  async settlementSeconds(): Promise<number> {
    return this.#number(sql`
      SELECT '' AS label, ${this.#secondsSince(sql`min(created_at)`)} AS value
      FROM settlement_batches
      WHERE id IN (SELECT batch_id FROM settlement_items WHERE is_open)`);
  }

  async parkedSeconds(): Promise<number> {
    return this.#number(sql`
      SELECT '' AS label, ${this.#secondsSince(sql`to_timestamp(min(block_seconds))`)} AS value
      FROM chain_parked_events WHERE ignored_at IS NULL`);
  }

  async contractPauseSeconds(): Promise<number> {
    return this.#number(sql`
      SELECT '' AS label, ${this.#secondsSince(sql`min(requested_at)`)} AS value
      FROM contract_pauses WHERE outcome IS NULL`);
  }

  async waitingDeposits(): Promise<readonly LabeledNumber[]> {
    return this.#numbers(sql`
      SELECT reason AS label, count(deposit.account)::float8 AS value
      FROM unnest(ARRAY['unknown_token', 'refused']) AS reason
      LEFT JOIN spot_deposits AS deposit ON credited_at IS NULL AND block_number IS NOT NULL
        AND stuck_at IS NOT NULL AND coalesce(stuck_reason, 'unknown_token') = reason
      GROUP BY reason ORDER BY reason`);
  }

  async vanishedDeposits(): Promise<readonly LabeledNumber[]> {
    return this.#numbers(sql`
      SELECT token_address AS label, count(*)::float8 AS value FROM spot_deposits
      WHERE block_number IS NULL AND vanishing_written_off_at IS NULL
      GROUP BY token_address ORDER BY token_address`);
  }

  async dust(): Promise<readonly LabeledNumber[]> {
    return this.#numbers(sql`
      SELECT token AS label, sum(dust)::float8 AS value FROM spot_deposits
      WHERE credited_at IS NOT NULL AND dust > 0 GROUP BY token ORDER BY token`);
  }

  async queuedReleases(): Promise<readonly LabeledNumber[]> {
    return this.#numbers(sql`
      SELECT token_address AS label, count(*)::float8 AS value
      FROM vault_queue WHERE state = 'queued' GROUP BY token_address ORDER BY token_address`);
  }

  async finalitySeconds(): Promise<number | null> {
    const [last] = await this.#numbers(sql`
      SELECT '' AS label, ${this.#secondsSince(sql`to_timestamp(seconds)`)} AS value
      FROM chain_blocks WHERE seconds > 0 ORDER BY number DESC LIMIT 1`);
    return last?.value ?? null;
  }

  #secondsSince(moment: RawBuilder<unknown>): RawBuilder<unknown> {
    const now = new Date(this.#now());
    return sql`coalesce(extract(epoch FROM ${now}::timestamptz - ${moment}), 0)::float8`;
  }

  async #number(query: RawBuilder<unknown>): Promise<number> {
    const [only] = await this.#numbers(query);
    return only?.value ?? 0;
  }

  async #numbers(query: RawBuilder<unknown>): Promise<readonly LabeledNumber[]> {
    const { rows } = await this.#pool.query((db) =>
      (query as RawBuilder<LabeledNumber>).execute(db),
    );
    return rows;
  }
}
