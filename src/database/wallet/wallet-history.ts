import { type Kysely, type Selectable, sql } from 'kysely';
import { formatTime } from '../../application/format-time.ts';
import type { CursorPage } from '../../application/ports/database.ts';
import type {
  DepositView,
  PerpWithdrawalView,
  ShownWithdrawalStatus,
  TransferView,
  WalletHistory,
  WalletPageFilter,
  WithdrawalView,
} from '../../application/wallet/wallet-ports.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import { type CursorKind, decodeCursor, encodeCursor } from '../queries/page-cursor.ts';
import type { Tables } from '../tables.ts';
import { parseAmount } from './parse-amount.ts';
import type { SpotDepositsTable, WalletTransfersTable, WithdrawalsTable } from './wallet-tables.ts';

// A withdrawal is shown once it is signed; without a signature it never took effect.
const shownStatuses = ['signed', 'queued', 'completed', 'returned', 'expired'];
// One in review is shown earlier; while it is being signed it is still shown as approved.
const reviewedStatuses = ['review', 'approved', 'refused', 'reserved'];
// A perp withdrawal is shown as soon as its amount is set aside.
const hiddenStatuses = ['opening', 'abandoned'];

/** Deposits, withdrawals and transfers, by the positions of their rows. */
export class DatabaseWalletHistory implements WalletHistory {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async listWithdrawals(filter: WalletPageFilter): Promise<CursorPage<WithdrawalView>> {
    const below = belowOf('withdrawals', filter);
    const rows = await this.#pool.query((db) =>
      selectWithdrawals(db)
        .where('account', '=', filter.address)
        .where('wallet', '=', 'spot')
        .where(isShown)
        .$if(below !== null, (query) => query.where('position', '<', String(below)))
        .orderBy('position', 'desc')
        .limit(filter.limit + 1)
        .execute(),
    );
    return pageOf('withdrawals', rows, filter.limit, viewWithdrawal);
  }

  async findWithdrawal(address: Address, id: string): Promise<WithdrawalView | null> {
    const row = await this.#pool.query((db) =>
      selectWithdrawals(db)
        .where('id', '=', id)
        .where('account', '=', address)
        .where('wallet', '=', 'spot')
        .where(isShown)
        .executeTakeFirst(),
    );
    return row === undefined ? null : viewWithdrawal(row);
  }

  async listPerpWithdrawals(filter: WalletPageFilter): Promise<CursorPage<PerpWithdrawalView>> {
    const below = belowOf('perp_withdrawals', filter);
    const rows = await this.#pool.query((db) =>
      selectWithdrawals(db)
        .where('account', '=', filter.address)
        .where('wallet', '=', 'perp')
        .where('status', 'not in', hiddenStatuses)
        .$if(below !== null, (query) => query.where('position', '<', String(below)))
        .orderBy('position', 'desc')
        .limit(filter.limit + 1)
        .execute(),
    );
    return pageOf('perp_withdrawals', rows, filter.limit, viewPerpWithdrawal);
  }

  async findPerpWithdrawal(address: Address, id: string): Promise<PerpWithdrawalView | null> {
    const row = await this.#pool.query((db) =>
      selectWithdrawals(db)
        .where('id', '=', id)
        .where('account', '=', address)
        .where('wallet', '=', 'perp')
        .where('status', 'not in', hiddenStatuses)
        .executeTakeFirst(),
    );
    return row === undefined ? null : viewPerpWithdrawal(row);
  }

  async listDeposits(filter: WalletPageFilter): Promise<CursorPage<DepositView>> {
    const below = belowOf('deposits', filter);
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('spot_deposits')
        .selectAll()
        .where('account', '=', filter.address)
        .$if(below !== null, (query) => query.where('position', '<', String(below)))
        .orderBy('position', 'desc')
        .limit(filter.limit + 1)
        .execute(),
    );
    return pageOf('deposits', rows, filter.limit, viewDeposit);
  }

  async loadTransfer(transferId: string): Promise<TransferView> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('wallet_transfers')
        .selectAll()
        .where('transfer_number', '=', transferId)
        .executeTakeFirstOrThrow(),
    );
    return viewTransfer(row);
  }

  async listTransfers(filter: WalletPageFilter): Promise<CursorPage<TransferView>> {
    const below = belowOf('transfers', filter);
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('wallet_transfers')
        .selectAll()
        .select('transfer_number as position')
        .where('user_address', '=', filter.address)
        .$if(below !== null, (query) => query.where('transfer_number', '<', String(below)))
        .orderBy('transfer_number', 'desc')
        .limit(filter.limit + 1)
        .execute(),
    );
    return pageOf('transfers', rows, filter.limit, viewTransfer);
  }
}

type WithdrawalRow = Selectable<WithdrawalsTable> & {
  readonly payable_at: string | null;
  readonly is_reviewed: boolean;
};

function selectWithdrawals(db: Kysely<Tables>) {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .select((build) =>
      build
        .selectFrom('vault_queue')
        .select('payable_at')
        .whereRef('withdrawal_id', '=', 'withdrawals.id')
        .as('payable_at'),
    )
    .select(isReviewed.as('is_reviewed'));
}

const isReviewed = sql<boolean>`EXISTS (
  SELECT FROM withdrawal_reviews WHERE withdrawal_id = withdrawals.id)`;
const isShown = sql<boolean>`(status = ANY (${shownStatuses})
  OR (status = ANY (${reviewedStatuses}) AND ${isReviewed}))`;

function belowOf(kind: CursorKind, { cursor }: WalletPageFilter): number | null {
  return cursor === null ? null : decodeCursor(kind, cursor);
}

function pageOf<R extends { readonly position: string }, V>(
  kind: CursorKind,
  rows: readonly R[],
  limit: number,
  view: (row: R) => V,
): CursorPage<V> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const nextCursor = last === undefined ? null : encodeCursor(kind, Number(last.position));
  return { items: page.map(view), nextCursor };
}

function viewWithdrawal(row: WithdrawalRow): WithdrawalView {
  return { ...viewCommon(row), ...viewSlot(row), status: signedStatus(row) };
}

// The slot taken for a signature is shown with the signature.
function viewSlot({ nonce, deadline, signature }: WithdrawalRow) {
  if (signature === null) return { nonce: null, deadline: null, signature };
  return { nonce: Number(nonce), deadline: Number(deadline), signature };
}

function viewPerpWithdrawal(row: WithdrawalRow): PerpWithdrawalView {
  return {
    ...viewCommon(row),
    ...viewSlot(row),
    status: perpStatus(row),
  };
}

// What is returned is the caller's again only once the engine has returned it.
function signedStatus(row: WithdrawalRow): ShownWithdrawalStatus {
  switch (row.status) {
    case 'completed':
    case 'queued':
      return row.status;
    case 'returned':
      return row.is_settled ? 'returned' : 'queued';
    case 'expired':
      return row.is_settled ? 'expired' : 'signed';
    case 'review':
    case 'approved':
      return row.status;
    case 'reserved':
      return 'approved';
    case 'refused':
      return row.is_settled ? 'returned' : 'review';
    default:
      return 'signed';
  }
}

// One that is being signed is pending until it is signed.
function perpStatus(row: WithdrawalRow): PerpWithdrawalView['status'] {
  if (row.status === 'canceled') return row.is_settled ? 'canceled' : 'pending';
  const isBeingSigned = row.status === 'reserved' && !row.is_reviewed;
  return row.status === 'pending' || isBeingSigned ? 'pending' : signedStatus(row);
}

function isFinished({ status, is_settled: isSettled }: WithdrawalRow): boolean {
  const isGivenBack = isSettled && ['expired', 'returned', 'refused', 'canceled'].includes(status);
  return isGivenBack || status === 'completed';
}

function viewCommon(row: WithdrawalRow) {
  const finishedAt = isFinished(row) ? row.finished_at : null;
  const payableAt = row.status === 'queued' ? row.payable_at : null;
  return {
    id: row.id,
    token: row.token,
    amount: formatAmount(parseAmount(row.amount)),
    raw_amount: row.raw_amount,
    contract_address: row.contract_address,
    chain_id: Number(row.chain_id),
    tx_hash: row.tx_hash,
    created_at: formatTime(row.created_at.getTime()),
    finished_at: finishedAt === null ? null : formatTime(finishedAt.getTime()),
    ...(payableAt === null ? {} : { payable_at: Number(payableAt) }),
  };
}

function viewDeposit(row: Selectable<SpotDepositsTable>): DepositView {
  return {
    number: Number(row.number),
    token: row.token,
    token_address: row.token_address,
    amount: row.amount === null ? null : formatAmount(parseAmount(row.amount)),
    raw_amount: row.raw_amount,
    tx_hash: row.tx_hash,
    status: row.credited_at === null ? 'pending' : 'credited',
    created_at: formatTime(row.seen_at.getTime()),
    credited_at: row.credited_at === null ? null : formatTime(row.credited_at.getTime()),
  };
}

function viewTransfer(row: Selectable<WalletTransfersTable>): TransferView {
  return {
    transfer_id: row.transfer_number,
    direction: row.direction === 'spot_to_perp' ? 'spot_to_perp' : 'perp_to_spot',
    token: row.token,
    amount: formatAmount(parseAmount(row.amount)),
    client_transfer_id: row.client_transfer_id,
    created_at: formatTime(row.created_at.getTime()),
  };
}
