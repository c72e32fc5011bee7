import { type Kysely, type Selectable, sql } from 'kysely';
import type { SignedApproval } from '../../application/ports/chain.ts';
import type {
  AccountFacts,
  GivenApproval,
  OpenReview,
  ReviewBacklog,
  ReviewedWithdrawal,
  ReviewQuestion,
  WithdrawalReviewStore,
} from '../../application/wallet/review-ports.ts';
import { signatureLifetimeSeconds } from '../../application/wallet/sign-release.ts';
import type {
  OpenedWithdrawal,
  WalletKind,
  WithdrawalDraft,
  WithdrawalTerms,
} from '../../application/wallet/wallet-ports.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import type { SlotRejection, WithdrawalStatus } from '../../programs/claims/withdrawal.ts';
import type { ReviewReason } from '../../programs/claims/withdrawal-review.ts';
import { timeOf } from '../column-values.ts';
import type { DatabasePool } from '../database-pool.ts';
import { insertAudit } from '../insert-audit.ts';
import type { Tables } from '../tables.ts';
import { parseAmount } from './parse-amount.ts';
import { takeSlot } from './take-slot.ts';
import type { WithdrawalReviewsTable, WithdrawalsTable } from './wallet-tables.ts';
import { insertOpening, markOpened } from './withdrawal-row.ts';

type ReviewRow = Selectable<WithdrawalsTable> & Selectable<WithdrawalReviewsTable>;

interface FactsRow {
  readonly hour_count: number;
  readonly hour_amount: string;
  readonly day_count: number;
  readonly day_amount: string;
  readonly first_deposit_at: Date | null;
  readonly withdraw_key_at: Date | null;
  readonly is_credited: boolean;
  readonly has_vanished_deposit: boolean;
  readonly outstanding: string;
  readonly vip_tier: number;
}

/** The withdrawal is not approved. */
class NotApprovedError extends Error {
  override readonly name = 'NotApprovedError';
}

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const rowsMax = 500;

export class DatabaseReviewStore implements WithdrawalReviewStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async loadFacts(question: ReviewQuestion): Promise<AccountFacts> {
    const { account, accountId, token, id, instantMax } = question;
    const now = this.#now();
    const hourAgo = new Date(now.getTime() - hourMs);
    // A perp withdrawal may be confirmed days after its request: it counts from its signature on,
    // which is valid for an hour.
    const query = sql<FactsRow>`
      WITH taken AS (
        SELECT token, amount,
          greatest(created_at, to_timestamp(deadline - ${signatureLifetimeSeconds})) AS at
        FROM withdrawals
        WHERE account = ${account} AND id <> ${id}::uuid
          AND status IN ('review', 'approved', 'reserved', 'signed', 'queued', 'completed'))
      SELECT count(*) FILTER (WHERE at > ${hourAgo})::integer AS hour_count,
        coalesce(sum(amount) FILTER (WHERE at > ${hourAgo} AND token = ${token}), 0)::text
          AS hour_amount,
        count(*)::integer AS day_count,
        coalesce(sum(amount) FILTER (WHERE token = ${token}), 0)::text AS day_amount,
        (SELECT min(seen_at) FROM spot_deposits
          WHERE account = ${account} AND credited_at IS NOT NULL) AS first_deposit_at,
        (SELECT max(created_at) FROM api_keys
          WHERE address = ${account} AND 'withdraw' = ANY (permissions)) AS withdraw_key_at,
        EXISTS (SELECT FROM spot_admin_credits WHERE user_address = ${account}) AS is_credited,
        EXISTS (SELECT FROM spot_deposits
          WHERE account = ${account} AND block_number IS NULL
            AND vanishing_written_off_at IS NULL) AS has_vanished_deposit,
        (SELECT coalesce(sum(amount), 0)::text FROM withdrawals AS other
          WHERE token = ${token} AND amount <= ${formatAmount(instantMax)}::numeric
            AND id <> ${id}::uuid
            AND (status = 'signed' OR (status = 'reserved' AND NOT is_settled))) AS outstanding,
        coalesce((SELECT tier FROM vip_standings WHERE account_id = ${accountId}), 0) AS vip_tier
      FROM taken WHERE at > ${new Date(now.getTime() - dayMs)}`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    const row = rows[0];
    if (row === undefined) throw new Error('an aggregate has one row');
    return {
      now: now.getTime() as TimestampMs,
      vipTier: row.vip_tier,
      lastHour: { count: row.hour_count, amount: parseAmount(row.hour_amount) },
      lastDay: { count: row.day_count, amount: parseAmount(row.day_amount) },
      firstDepositAt: timeOf(row.first_deposit_at),
      withdrawKeyAt: timeOf(row.withdraw_key_at),
      isCredited: row.is_credited,
      hasVanishedDeposit: row.has_vanished_deposit,
      outstanding: parseAmount(row.outstanding),
    };
  }

  async listCreditors(account: Address, since: Date): Promise<readonly Address[]> {
    const credit = JSON.stringify({ end: 'credit_as', account });
    const query = sql<{ by: Address }>`
      SELECT DISTINCT unnest(regexp_matches(admin_actor, '0x[0-9a-f]{40}', 'g')) AS by
      FROM admin_audit
      WHERE action = 'resolve_chain_event' AND detail @> ${credit}::jsonb
        AND created_at > ${since}`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    return rows.map(({ by }) => by);
  }

  async open(terms: WithdrawalTerms, reasons: readonly ReviewReason[]): Promise<OpenedWithdrawal> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const opened = await insertOpening(transaction, terms, 'spot', this.#now());
        if (opened !== 'opened') return opened;
        await transaction
          .insertInto('withdrawal_reviews')
          .values({ withdrawal_id: terms.id, reasons: [...reasons] })
          .execute();
        return opened;
      }),
    );
  }

  async markReview(id: string): Promise<boolean> {
    return markOpened(this.#pool, id, 'review');
  }

  async sendToReview(id: string, reasons: readonly ReviewReason[]): Promise<boolean> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const sent = await transaction
          .updateTable('withdrawals')
          .set({ status: 'review' })
          .where('id', '=', id)
          .where('status', '=', 'pending')
          .where('is_settled', '=', true)
          .executeTakeFirst();
        if (sent.numUpdatedRows !== 1n) return false;
        await transaction
          .insertInto('withdrawal_reviews')
          .values({ withdrawal_id: id, reasons: [...reasons] })
          .execute();
        return true;
      }),
    );
  }

  async find(address: Address, id: string): Promise<ReviewedWithdrawal | null> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('withdrawals')
        .innerJoin('withdrawal_reviews', 'withdrawal_id', 'id')
        .selectAll()
        .where('id', '=', id)
        .where('account', '=', address)
        .where('status', 'not in', ['opening', 'abandoned'])
        .executeTakeFirst(),
    );
    return row === undefined ? null : viewReviewed(row);
  }

  async takeSlot(draft: WithdrawalDraft): Promise<SlotRejection | 'not_approved' | null> {
    const { id, nonce, deadline } = draft;
    return this.#pool.query(async (db) => {
      try {
        return await takeSlot(db, draft, async (transaction) => {
          const { numAffectedRows } = await sql`
            UPDATE withdrawals SET
              status = 'reserved', is_settled = false, nonce = ${nonce}, deadline = ${deadline}
            FROM withdrawal_reviews AS review
            WHERE id = ${id}::uuid AND withdrawal_id = id AND status = 'approved' AND is_settled
              AND coalesce(nonce, ${nonce}) = ${nonce} AND approved_until > ${this.#now()}`.execute(
            transaction,
          );
          if (numAffectedRows !== 1n) throw new NotApprovedError(id);
        });
      } catch (error) {
        if (error instanceof NotApprovedError) return 'not_approved';
        throw error;
      }
    });
  }

  async listOpen(): Promise<readonly OpenReview[]> {
    const rows = await this.#pool.query((db) => selectOpen(db).limit(rowsMax).execute());
    return rows.map(viewOpen);
  }

  async findOpen(id: string): Promise<OpenReview | null> {
    const row = await this.#pool.query((db) =>
      selectOpen(db).where('id', '=', id).executeTakeFirst(),
    );
    return row === undefined ? null : viewOpen(row);
  }

  async approve(id: string, { approvals, by, until }: GivenApproval): Promise<boolean> {
    const at = this.#now();
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const approved = await transaction
          .updateTable('withdrawals')
          .set({ status: 'approved' })
          .where('id', '=', id)
          .where('status', '=', 'review')
          .executeTakeFirst();
        if (approved.numUpdatedRows !== 1n) return false;
        await transaction
          .updateTable('withdrawal_reviews')
          .set({
            approved_by: by,
            approved_at: at,
            approved_until: until,
            approvals: JSON.stringify(approvals),
          })
          .where('withdrawal_id', '=', id)
          .execute();
        const detail = { id, until: until.toISOString() };
        await insertAudit(transaction, { action: 'approve_withdrawal', detail }, { by });
        return true;
      }),
    );
  }

  async refuse(id: string, by: string, reason: string): Promise<boolean> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const at = this.#now();
        const refused = await transaction
          .updateTable('withdrawals')
          .set({ status: 'refused', is_settled: false, nonce: null, deadline: null })
          .set({ finished_at: at })
          .where('id', '=', id)
          .where('status', 'in', ['review', 'approved'])
          .where('is_settled', '=', true)
          .executeTakeFirst();
        if (refused.numUpdatedRows !== 1n) return false;
        await transaction
          .updateTable('withdrawal_reviews')
          .set({ refused_by: by, refused_at: at, refusal: reason })
          .where('withdrawal_id', '=', id)
          .execute();
        const detail = { id, reason };
        await insertAudit(transaction, { action: 'refuse_withdrawal', detail }, { by });
        return true;
      }),
    );
  }

  async lapse(): Promise<void> {
    const at = this.#now();
    // What sends a deposit back has no balance to return to: it is reviewed again, under another
    // id, as a signer signs one id for one nonce.
    const statement = sql`
      WITH lapsed AS (
        UPDATE withdrawals SET status = 'refused', is_settled = false, nonce = NULL,
          deadline = NULL, finished_at = ${at}
        FROM withdrawal_reviews AS review
        WHERE withdrawal_id = id AND status = 'approved' AND is_settled
          AND approved_until <= ${at}
        RETURNING id),
      again AS (
        INSERT INTO withdrawals (id, wallet, account, token, token_address, amount, raw_amount,
          chain_id, contract_address, status, is_settled, returned_deposit, created_at)
        SELECT gen_random_uuid(), wallet, account, token, token_address, amount, raw_amount,
          chain_id, contract_address, 'review', true, returned_deposit, ${at}
        FROM withdrawals JOIN lapsed USING (id) WHERE returned_deposit IS NOT NULL
        RETURNING id),
      reviewed AS (
        INSERT INTO withdrawal_reviews (withdrawal_id, reasons)
        SELECT id, ARRAY['returned_deposit'] FROM again)
      UPDATE withdrawal_reviews SET refused_by = 'service', refused_at = ${at},
        refusal = 'the approval ran out'
      FROM lapsed WHERE withdrawal_id = lapsed.id`;
    await this.#pool.query((db) => statement.execute(db));
  }

  async loadBacklog(): Promise<ReviewBacklog> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ count: number; oldest: Date | null }>`
        SELECT count(*)::integer AS count, min(created_at) AS oldest
        FROM withdrawals WHERE status = 'review'`.execute(db),
    );
    return { count: rows[0]?.count ?? 0, oldestAt: rows[0]?.oldest ?? null };
  }
}

function selectOpen(db: Kysely<Tables>) {
  return db
    .selectFrom('withdrawals')
    .innerJoin('withdrawal_reviews', 'withdrawal_id', 'id')
    .selectAll()
    .where('status', 'in', ['review', 'approved'])
    .orderBy('position');
}

function viewOpen(row: ReviewRow): OpenReview {
  return {
    ...viewReviewed(row),
    status: row.status === 'review' ? 'review' : 'approved',
    reasons: row.reasons as ReviewReason[],
    createdAt: row.created_at,
    approvedBy: row.approved_by,
    approvedUntil: row.approved_until,
  };
}

function viewReviewed(row: ReviewRow): ReviewedWithdrawal {
  const approvals = row.approvals as readonly SignedApproval[] | null;
  return {
    id: row.id,
    wallet: row.wallet as WalletKind,
    account: row.account as Address,
    token: row.token,
    tokenAddress: row.token_address as Address,
    amount: parseAmount(row.amount),
    rawAmount: BigInt(row.raw_amount),
    chainId: Number(row.chain_id),
    contractAddress: row.contract_address as Address,
    status: row.status as WithdrawalStatus,
    isReturn: row.returned_deposit !== null,
    nonce: row.nonce === null ? null : Number(row.nonce),
    approval: approvals === null ? null : { id: row.id, approvals },
  };
}
