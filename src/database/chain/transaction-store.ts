import { type Selectable, sql } from 'kysely';
import type {
  HexText,
  OperatorTransaction,
  TransactionPurpose,
  TransactionRefusal,
  TransactionResult,
  TransactionStore,
  TransactionVersion,
} from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { TransactionOutcome } from '../../programs/claims/settlement.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { ChainTransactionsTable, ChainTransactionVersionsTable } from './chain-tables.ts';

type TransactionRow = Selectable<ChainTransactionsTable>;
type VersionRow = Selectable<ChainTransactionVersionsTable>;

/** The operator's transactions; a nonce or purpose that is already used violates a constraint. */
export class DatabaseTransactionStore implements TransactionStore {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async find({ purpose, reference }: TransactionPurpose): Promise<OperatorTransaction | null> {
    const [found] = await this.#load({ purpose, reference });
    return found ?? null;
  }

  async listOpen(sender: Address): Promise<readonly OperatorTransaction[]> {
    return this.#load({ sender });
  }

  async listOpenOfOthers(sender: Address): Promise<readonly OperatorTransaction[]> {
    return this.#load({ notSender: sender });
  }

  async loadNextNonce(sender: Address): Promise<number> {
    const { nonce } = await this.#pool.query((db) =>
      db
        .selectFrom('chain_transactions')
        .select((build) => build.fn.max('nonce').as('nonce'))
        .where('sender', '=', sender)
        .executeTakeFirstOrThrow(),
    );
    return nonce === null ? 0 : Number(nonce) + 1;
  }

  async loadSpent(purpose: TransactionPurpose['purpose'], since: number): Promise<bigint> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ spent: string }>`
        SELECT coalesce(sum(cost), 0)::text AS spent FROM (
          SELECT gas_limit * max(max_fee_per_gas) AS cost
          FROM chain_transactions JOIN chain_transaction_versions USING (purpose, reference)
          WHERE purpose = ${purpose}
          GROUP BY purpose, reference, gas_limit
          HAVING min(sent_at) >= ${new Date(since)}::timestamptz OR min(sent_at) IS NULL
        ) AS costs`.execute(db),
    );
    return BigInt(rows[0]?.spent ?? '0');
  }

  async insert(transaction: OperatorTransaction): Promise<void> {
    const { purpose, reference, versions } = transaction;
    await this.#pool.query((db) =>
      db.transaction().execute(async (work) => {
        await work
          .insertInto('chain_transactions')
          .values({
            purpose,
            reference,
            sender: transaction.sender,
            nonce: transaction.nonce,
            recipient: transaction.to,
            data: transaction.data,
            gas_limit: String(transaction.gasLimit),
            is_cancel_requested: transaction.isCancelRequested,
            outcome: null,
            result_hash: null,
            result_block: null,
          })
          .execute();
        await work
          .insertInto('chain_transaction_versions')
          .values(versions.map((version, position) => rowOf(transaction, version, position)))
          .execute();
      }),
    );
  }

  async addVersion(purpose: TransactionPurpose, version: TransactionVersion): Promise<void> {
    await this.#pool.query((db) =>
      db.transaction().execute(async (work) => {
        const { count } = await work
          .selectFrom('chain_transaction_versions')
          .select((build) => build.fn.countAll<string>().as('count'))
          .where('purpose', '=', purpose.purpose)
          .where('reference', '=', purpose.reference)
          .executeTakeFirstOrThrow();
        await work
          .insertInto('chain_transaction_versions')
          .values(rowOf(purpose, version, Number(count)))
          .execute();
      }),
    );
  }

  async markSent(hash: HexText, sentAt: number): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('chain_transaction_versions')
        .set({ sent_at: new Date(sentAt) })
        .where('hash', '=', hash)
        .where('sent_at', 'is', null)
        .execute(),
    );
  }

  async noteAnswer(hash: HexText, refusal: TransactionRefusal | null): Promise<void> {
    const change =
      refusal === null
        ? sql`is_taken = true, refusal = NULL`
        : sql`refusal = ${refusal}, refusal_count = refusal_count + 1`;
    await this.#pool.query((db) =>
      sql`UPDATE chain_transaction_versions SET ${change} WHERE hash = ${hash}`.execute(db),
    );
  }

  async requestCancel({ purpose, reference }: TransactionPurpose): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('chain_transactions')
        .set({ is_cancel_requested: true })
        .where('purpose', '=', purpose)
        .where('reference', '=', reference)
        .execute(),
    );
  }

  async finish(
    { purpose, reference }: TransactionPurpose,
    { outcome, hash, block }: TransactionResult,
  ): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('chain_transactions')
        .set({ outcome, result_hash: hash, result_block: block })
        .where('purpose', '=', purpose)
        .where('reference', '=', reference)
        .execute(),
    );
  }

  async #load(
    filter: TransactionPurpose | { readonly sender: Address } | { readonly notSender: Address },
  ): Promise<readonly OperatorTransaction[]> {
    const rows = await this.#pool.query((db) => {
      const all = db.selectFrom('chain_transactions').selectAll().orderBy('nonce');
      if ('notSender' in filter) {
        const others = all.where('sender', '!=', filter.notSender);
        return others.where('outcome', 'is', null).execute();
      }
      return 'sender' in filter
        ? all.where('sender', '=', filter.sender).where('outcome', 'is', null).execute()
        : all
            .where('purpose', '=', filter.purpose)
            .where('reference', '=', filter.reference)
            .execute();
    });
    if (rows.length === 0) return [];
    const versions = await this.#pool.query((db) =>
      db
        .selectFrom('chain_transaction_versions')
        .selectAll()
        .where(
          'reference',
          'in',
          rows.map(({ reference }) => reference),
        )
        .orderBy('position')
        .execute(),
    );
    return rows.map((row) => transactionOf(row, versions.filter(isVersionOf(row))));
  }
}

function isVersionOf({ purpose, reference }: TransactionRow): (version: VersionRow) => boolean {
  return (version) => version.purpose === purpose && version.reference === reference;
}

function rowOf(
  { purpose, reference }: TransactionPurpose,
  version: TransactionVersion,
  position: number,
) {
  return {
    hash: version.hash,
    purpose,
    reference,
    position,
    kind: version.kind,
    bytes: version.bytes,
    max_fee_per_gas: String(version.maxFeePerGas),
    max_priority_fee_per_gas: String(version.maxPriorityFeePerGas),
    sent_at: version.sentAt === null ? null : new Date(version.sentAt),
    refusal: version.refusal,
    refusal_count: version.refusalCount,
    is_taken: version.isTaken,
  };
}

function transactionOf(row: TransactionRow, versions: readonly VersionRow[]): OperatorTransaction {
  return {
    purpose: row.purpose as TransactionPurpose['purpose'],
    reference: row.reference,
    sender: row.sender as Address,
    nonce: Number(row.nonce),
    to: row.recipient as Address,
    data: row.data as HexText,
    gasLimit: BigInt(row.gas_limit),
    isCancelRequested: row.is_cancel_requested,
    versions: versions.map(versionOf),
    result:
      row.outcome === null
        ? null
        : {
            outcome: row.outcome as TransactionOutcome,
            hash: row.result_hash as HexText | null,
            block: Number(row.result_block),
          },
  };
}

function versionOf(row: VersionRow): TransactionVersion {
  return {
    hash: row.hash as HexText,
    bytes: row.bytes as HexText,
    maxFeePerGas: BigInt(row.max_fee_per_gas),
    maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
    kind: row.kind as TransactionVersion['kind'],
    sentAt: row.sent_at === null ? null : row.sent_at.getTime(),
    refusal: row.refusal as TransactionRefusal | null,
    refusalCount: row.refusal_count,
    isTaken: row.is_taken,
  };
}
