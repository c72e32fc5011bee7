import { sql, type Transaction } from 'kysely';
import type {
  Backfill,
  BackfillStore,
  EarlierDeposit,
  EarlierRelease,
} from '../../application/ports/backfills.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';
import { lockLedger } from './ledger-lock.ts';

// Deposits that the vault took before this database began to count it. The engine credits an
// account's deposits in the order of their numbers, so those that come late wait for these.

const activeVault = sql`active_contract('spotVault')`;

export class DatabaseBackfillStore implements BackfillStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async findThrough(from: number | null): Promise<number | null> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ through: string | null }>`
        SELECT coalesce(fill.through_block, vault.books_since,
          (SELECT max(number) FROM chain_blocks)) AS through
        FROM contracts AS vault LEFT JOIN backfills AS fill ON fill.contract_id = vault.id
        WHERE vault.id = ${activeVault}
          AND (fill.done_at IS NULL OR ${from}::bigint < fill.from_block)`.execute(db),
    );
    const through = rows[0]?.through ?? null;
    return through === null ? null : Number(through);
  }

  async begin(from: number, through: number): Promise<Backfill | null> {
    return this.#inTransaction(async (transaction) => {
      await sql`
        INSERT INTO backfills (contract_id, from_block, next_block, through_block)
        VALUES (${activeVault}, ${from}, ${from}, ${through})
        ON CONFLICT DO NOTHING`.execute(transaction);
      await extendTo(transaction, from);
      await this.#finishIfRead(transaction);
      const { rows } = await sql<{ next: string; through: string }>`
        SELECT next_block AS next, through_block AS through FROM backfills
        WHERE contract_id = ${activeVault} AND done_at IS NULL`.execute(transaction);
      const [open] = rows;
      return open === undefined ? null : { next: Number(open.next), through: Number(open.through) };
    });
  }

  async contradicts(deposit: EarlierDeposit['event']): Promise<boolean> {
    const { account, number, token, rawAmount, transactionHash, logIndex } = deposit;
    const { rows } = await this.#pool.query((db) =>
      sql<{ does: boolean }>`
        SELECT EXISTS (SELECT FROM spot_deposits WHERE account = ${account}
          AND number = ${number} AND (token_address <> ${token}
            OR raw_amount <> ${String(rawAmount)}::numeric))
          AND NOT EXISTS (SELECT FROM chain_parked_events WHERE account = ${account}
            AND log_index = ${logIndex} AND event->>'transactionHash' = ${transactionHash})
          AS does`.execute(db),
    );
    return rows[0]?.does === true;
  }

  async hasRelease(release: EarlierRelease): Promise<boolean> {
    const { account, nonce, token, rawAmount, transactionHash, logIndex } = release;
    const { rows } = await this.#pool.query((db) =>
      sql<{ has: boolean }>`
        SELECT EXISTS (SELECT FROM withdrawals WHERE account = ${account} AND nonce = ${nonce}
            AND token_address = ${token} AND raw_amount = ${String(rawAmount)}::numeric
            AND status NOT IN ('expired', 'abandoned'))
          OR EXISTS (SELECT FROM chain_parked_events WHERE account = ${account}
            AND log_index = ${logIndex} AND event->>'transactionHash' = ${transactionHash})
          AS has`.execute(db),
    );
    return rows[0]?.has === true;
  }

  async add(deposits: readonly EarlierDeposit[], next: number): Promise<void> {
    await this.#inTransaction(async (transaction) => {
      await lockLedger(transaction);
      for (const deposit of deposits) await this.#addDeposit(transaction, deposit);
      await sql`
        UPDATE backfills SET next_block = greatest(next_block, ${next})
        WHERE contract_id = ${activeVault}`.execute(transaction);
      await this.#finishIfRead(transaction);
    });
  }

  async #addDeposit(transaction: Transaction<Tables>, deposit: EarlierDeposit): Promise<void> {
    const { account, number, token, rawAmount, transactionHash, logIndex } = deposit.event;
    const { numAffectedRows } = await sql`
      INSERT INTO spot_deposits
        (contract_id, account, number, token_address, raw_amount, tx_hash, block_number, seen_at)
      SELECT ${activeVault}, ${account}, ${number}, ${token}, ${String(rawAmount)}::numeric,
        ${transactionHash}, ${deposit.block}, ${this.#now()}
      WHERE NOT EXISTS (SELECT FROM chain_parked_events WHERE account = ${account}
        AND log_index = ${logIndex} AND event->>'transactionHash' = ${transactionHash})
      ON CONFLICT (account, number) DO NOTHING`.execute(transaction);
    if (numAffectedRows === 0n) return;
    // What the vault had when its books were opened contains the deposit.
    await sql`
      INSERT INTO vault_moves (kind, token_address, raw_amount, block_number, tx_hash, log_index)
      SELECT 'opening', ${token}, ${String(-rawAmount)}::numeric, 0, NULL, NULL
      FROM contracts WHERE id = ${activeVault} AND books_since >= ${deposit.block}`.execute(
      transaction,
    );
  }

  async #finishIfRead(transaction: Transaction<Tables>): Promise<void> {
    await sql`
      UPDATE backfills SET done_at = ${this.#now()}
      WHERE contract_id = ${activeVault} AND done_at IS NULL
        AND next_block > through_block`.execute(transaction);
  }

  #inTransaction<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.#pool.query((db) => db.transaction().execute(work));
  }
}

// Books that were opened before the first block that was read hold that the vault had nothing by
// then. They are opened again, with what it has once the earlier blocks are read.
async function extendTo(transaction: Transaction<Tables>, from: number): Promise<void> {
  await sql`
    UPDATE contracts SET books_since = NULL FROM backfills
    WHERE id = ${activeVault} AND contract_id = id AND done_at IS NOT NULL
      AND books_since >= ${from} AND books_since < from_block`.execute(transaction);
  await sql`
    UPDATE backfills SET from_block = ${from}, next_block = ${from},
      through_block = from_block - 1, done_at = NULL
    WHERE contract_id = ${activeVault} AND done_at IS NOT NULL AND from_block > ${from}`.execute(
    transaction,
  );
}
