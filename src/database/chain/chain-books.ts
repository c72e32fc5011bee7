import { type RawBuilder, sql, type Transaction } from 'kysely';
import type {
  AccountBooks,
  BlockReference,
  ChainBooks,
  CountedBooks,
  RouterBooks,
  TokenBooks,
} from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';
import { DatabaseRouterBooks } from './router-books.ts';
import { SettledSums } from './settled-sums.ts';

// Sums over the same rows that balances are made of: a row that was inserted by hand differs from
// the chain here, even if it is consistent with everything else.

/** The number of new rows whose accounts one check covers; the next check covers others. */
const newRowsMax = 200;
/** Summing all of them may take longer than what callers wait for. */
const statementMs = 60_000;

const isCounted = sql<boolean>`
  contract_id IS NOT DISTINCT FROM (SELECT active_contract('spotVault'))`;
const parkedAmount = sql`rtrim(event->>'rawAmount', 'n')::numeric`;

interface NewRow {
  readonly account: string;
  readonly position: string;
}

export class DatabaseChainBooks implements ChainBooks {
  readonly #pool: DatabasePool;
  /** Rows up to these positions were checked; null before the first check. */
  readonly #seen: Record<'spot_deposits' | 'withdrawals', number | null> = {
    spot_deposits: null,
    withdrawals: null,
  };

  readonly #settled: SettledSums<readonly TokenBooks[]>;
  readonly router: RouterBooks;

  constructor(pool: DatabasePool, options: { readonly settledDepth?: number } = {}) {
    this.#pool = pool;
    this.router = new DatabaseRouterBooks(pool);
    this.#settled = new SettledSums(options.settledDepth);
  }

  async load(
    block: BlockReference,
    accounts: readonly Address[],
    mustRecount = false,
  ): Promise<CountedBooks | null> {
    return this.#pool.query((db) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => {
          if (!(await isLast(transaction, block))) return null;
          await sql`SET LOCAL statement_timeout = ${sql.lit(statementMs)}`.execute(transaction);
          const contract = await activeVault(transaction);
          const settled = await this.#settled.load(
            { contract, head: block.number, mustRecount },
            (last) => sumSettled(transaction, last),
          );
          const looked = new Set<string>(accounts);
          for (const table of ['spot_deposits', 'withdrawals'] as const) {
            for (const { account } of await this.#takeNewRows(transaction, table)) {
              looked.add(account);
            }
          }
          return {
            tokens: addBooks(settled.sums, await sumRecent(transaction, settled.block)),
            accounts: await countAccounts(transaction, [...looked]),
            needOpening: !(await areOpen(transaction)),
          };
        }),
    );
  }

  async open({ number }: BlockReference, openings: readonly TokenBooks[]): Promise<void> {
    await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const { numAffectedRows } = await sql`
          UPDATE contracts SET books_since = ${number}
          WHERE id = active_contract('spotVault') AND books_since IS NULL`.execute(transaction);
        if (numAffectedRows === 0n) return;
        for (const { token, rawAmount } of openings) {
          if (rawAmount === 0n) continue;
          await transaction
            .insertInto('vault_moves')
            .values({
              kind: 'opening',
              token_address: token,
              raw_amount: String(rawAmount),
              // Permanent, whatever the chain takes back.
              block_number: 0,
              tx_hash: null,
              log_index: null,
            })
            .execute();
        }
      }),
    );
  }

  async #takeNewRows(
    transaction: Transaction<Tables>,
    table: 'spot_deposits' | 'withdrawals',
  ): Promise<readonly NewRow[]> {
    const seen = this.#seen[table];
    const { rows } = await sql<NewRow>`
      SELECT account, position FROM ${sql.table(table)}
      WHERE position > ${
        seen ??
        sql`(SELECT coalesce(max(position), 0) - ${newRowsMax}
        FROM ${sql.table(table)})`
      }
      ORDER BY position LIMIT ${newRowsMax}`.execute(transaction);
    this.#seen[table] = Number(rows.at(-1)?.position ?? seen ?? 0);
    return rows;
  }
}

async function isLast(transaction: Transaction<Tables>, { hash }: BlockReference) {
  const row = await transaction
    .selectFrom('chain_blocks')
    .select('hash')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.hash === hash;
}

async function areOpen(transaction: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM contracts
    WHERE id = active_contract('spotVault') AND books_since IS NOT NULL`.execute(transaction);
  return rows.length > 0;
}

async function activeVault(transaction: Transaction<Tables>): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    SELECT active_contract('spotVault') AS id`.execute(transaction);
  return rows[0]?.id ?? null;
}

/** Deposits and paid withdrawals up to a block. */
async function sumSettled(transaction: Transaction<Tables>, block: number) {
  return sumRows(
    transaction,
    sql`
      SELECT token_address, raw_amount FROM spot_deposits
      WHERE block_number <= ${block} AND ${isCounted}
      UNION ALL
      SELECT token_address, -raw_amount FROM withdrawals
      WHERE status = 'completed' AND block_number <= ${block} AND ${isCounted}`,
  );
}

/** Those above it, and what moved otherwise or waits for people, however old. */
async function sumRecent(transaction: Transaction<Tables>, block: number) {
  return sumRows(
    transaction,
    sql`
      SELECT token_address, raw_amount FROM spot_deposits
      WHERE block_number > ${block} AND ${isCounted}
      UNION ALL
      SELECT token_address, -raw_amount FROM withdrawals
      WHERE status = 'completed' AND (block_number > ${block} OR block_number IS NULL)
        AND ${isCounted}
      UNION ALL
      SELECT token_address, raw_amount FROM vault_moves WHERE ${isCounted}
      UNION ALL
      SELECT event->>'token',
        CASE event->>'type' WHEN 'vaultDeposited' THEN ${parkedAmount} ELSE -${parkedAmount} END
      FROM chain_parked_events
      WHERE event->>'type' IN ('vaultDeposited', 'vaultReleased', 'vaultQueuedPaid')
        AND linked_withdrawal IS NULL AND (contract_id IS NULL OR ${isCounted})`,
  );
}

async function sumRows(
  transaction: Transaction<Tables>,
  moved: RawBuilder<unknown>,
): Promise<readonly TokenBooks[]> {
  const { rows } = await sql<{ token: string; sum: string }>`
    SELECT token_address AS token, sum(raw_amount)::text AS sum
    FROM (${moved}) AS moved GROUP BY token_address`.execute(transaction);
  return rows.map(({ token, sum }) => ({ token: token as Address, rawAmount: BigInt(sum) }));
}

/** The sums of both, by token, in the order of their addresses. */
function addBooks(
  left: readonly TokenBooks[],
  right: readonly TokenBooks[],
): readonly TokenBooks[] {
  const sums = new Map<Address, bigint>();
  for (const { token, rawAmount } of [...left, ...right]) {
    sums.set(token, (sums.get(token) ?? 0n) + rawAmount);
  }
  return [...sums]
    .map(([token, rawAmount]) => ({ token, rawAmount }))
    .sort((one, other) => (one.token < other.token ? -1 : 1));
}

async function countAccounts(
  transaction: Transaction<Tables>,
  accounts: readonly string[],
): Promise<readonly AccountBooks[]> {
  if (accounts.length === 0) return [];
  const { rows } = await sql<Record<'account' | 'deposits' | 'releases' | 'redemptions', string>>`
    SELECT account,
      ${next(
        'deposits',
        'number',
        sql`(SELECT max(number) FROM spot_deposits
        WHERE spot_deposits.account = asked.account AND block_number IS NOT NULL)`,
      )},
      ${next(
        'releases',
        'nonce',
        sql`(SELECT max(nonce) FROM withdrawals
        WHERE withdrawals.account = asked.account
          AND status IN ('queued', 'completed', 'returned'))`,
      )},
      ${next(
        'redemptions',
        'nonce',
        sql`(SELECT max(nonce)
        FROM reward_redemptions JOIN accounts USING (account_id)
        WHERE accounts.address = asked.account)`,
      )}
    FROM unnest(${accounts}::text[]) AS asked (account)`.execute(transaction);
  return rows.map(({ account, deposits, releases, redemptions }) => ({
    account: account as Address,
    deposits: Number(deposits),
    releases: Number(releases),
    redemptions: Number(redemptions),
  }));
}

const parkedTypes = {
  deposits: sql`('vaultDeposited')`,
  releases: sql`('vaultReleased', 'vaultReleaseQueued')`,
  redemptions: sql`('rewardRedeemed')`,
} as const;

// One above the highest that is counted or waits for an operator.
function next(
  what: keyof typeof parkedTypes,
  field: 'number' | 'nonce',
  counted: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(coalesce(greatest(${counted}, (
      SELECT max((event->>${sql.lit(field)})::bigint) FROM chain_parked_events
      WHERE chain_parked_events.account = asked.account
        AND event->>'type' IN ${parkedTypes[what]})), -1) + 1)::text AS ${sql.ref(what)}`;
}
