import { sql } from 'kysely';
import type {
  AdminMoney,
  DepositRow,
  MoneyFilter,
  WithdrawalFilter,
  WithdrawalRow,
} from '../../application/admin/admin-money.ts';
import { formatTime } from '../../application/format-time.ts';
import type { PageOf } from '../../application/referral/referral-ports.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import { parseAmount } from '../wallet/parse-amount.ts';

interface DepositColumns {
  readonly position: string;
  readonly account: string;
  readonly token: string | null;
  readonly token_address: string;
  readonly amount: string | null;
  readonly raw_amount: string;
  readonly tx_hash: string;
  readonly block_number: string | null;
  readonly seen_at: Date;
  readonly credited_at: Date | null;
  readonly stuck_at: Date | null;
  readonly stuck_reason: string | null;
}

interface WithdrawalColumns {
  readonly id: string;
  readonly wallet: 'spot' | 'perp';
  readonly account: string;
  readonly token: string;
  readonly amount: string;
  readonly status: string;
  readonly nonce: string | null;
  readonly deadline: string | null;
  readonly tx_hash: string | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

export class DatabaseAdminMoney implements AdminMoney {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async listDeposits({ account, page, pageSize }: MoneyFilter): Promise<PageOf<DepositRow>> {
    const from = sql`FROM spot_deposits
      WHERE ${account}::text IS NULL OR account = ${account}`;
    return this.#pool.query(async (db) => {
      const { rows } = await sql<DepositColumns>`
        SELECT * ${from} ORDER BY position DESC
        LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db);
      const counted = await sql<{ count: string }>`SELECT count(*) ${from}`.execute(db);
      return { items: rows.map(depositFromRow), total: Number(counted.rows[0]?.count) };
    });
  }

  async listWithdrawals(filter: WithdrawalFilter): Promise<PageOf<WithdrawalRow>> {
    const { account, status, page, pageSize } = filter;
    const from = sql`FROM withdrawals
      WHERE (${account}::text IS NULL OR account = ${account})
        AND (${status}::text IS NULL OR status = ${status})`;
    return this.#pool.query(async (db) => {
      const { rows } = await sql<WithdrawalColumns>`
        SELECT * ${from} ORDER BY position DESC
        LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db);
      const counted = await sql<{ count: string }>`SELECT count(*) ${from}`.execute(db);
      return { items: rows.map(withdrawalFromRow), total: Number(counted.rows[0]?.count) };
    });
  }
}

function depositFromRow(row: DepositColumns): DepositRow {
  return {
    id: row.position,
    account: row.account as Address,
    token: row.token,
    token_address: row.token_address,
    amount: row.amount === null ? null : formatAmount(parseAmount(row.amount)),
    raw_amount: row.raw_amount,
    tx_hash: row.tx_hash,
    block: row.block_number === null ? null : Number(row.block_number),
    state: row.credited_at !== null ? 'credited' : row.stuck_at !== null ? 'stuck' : 'waiting',
    reason: row.stuck_reason,
    seen_at: formatTime(row.seen_at.getTime()),
    credited_at: timeOrNull(row.credited_at),
  };
}

function withdrawalFromRow(row: WithdrawalColumns): WithdrawalRow {
  return {
    id: row.id,
    wallet: row.wallet,
    account: row.account as Address,
    token: row.token,
    amount: formatAmount(parseAmount(row.amount)),
    status: row.status,
    nonce: row.nonce === null ? null : Number(row.nonce),
    deadline: row.deadline === null ? null : Number(row.deadline),
    tx_hash: row.tx_hash,
    created_at: formatTime(row.created_at.getTime()),
    finished_at: timeOrNull(row.finished_at),
  };
}

function timeOrNull(time: Date | null): string | null {
  return time === null ? null : formatTime(time.getTime());
}
