import { sql, type Transaction } from 'kysely';
import type {
  ClaimFacts,
  ClaimResult,
  ClaimRetry,
  ClaimStatus,
  ClaimStore,
  ListedClaim,
  NewClaim,
  OwnedClaim,
  StandaloneVoucher,
} from '../../application/referral/claim-ports.ts';
import type { Page, PageOf } from '../../application/referral/referral-ports.ts';
import { assert } from '../../domain/assert.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt, zeroMicroUsdt } from '../../domain/micro-usdt.ts';
import type { Claim } from '../../programs/claims/claim.ts';
import { type ClaimDecision, createClaim, retryClaim } from '../../programs/claims/create-claim.ts';
import type { DatabasePool } from '../database-pool.ts';
import { insertAudit } from '../insert-audit.ts';
import { findAccountId } from '../referral/account-rows.ts';
import { limitOf } from '../referral/select-traders.ts';
import type { Tables } from '../tables.ts';
import { applyClaimEffects } from './claim-effects.ts';
import { loadClaimFacts, lockAccount } from './claim-facts.ts';
import { type ClaimRow, claimFromRow } from './claim-rows.ts';

const noFacts: ClaimFacts = {
  redemptionCount: 0,
  processing: null,
  held: zeroMicroUsdt,
  free: zeroMicroUsdt,
};

export class DatabaseClaimStore implements ClaimStore {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async loadFacts(account: Address): Promise<ClaimFacts> {
    return this.#pool.query((db) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => {
          const accountId = await findAccountId(transaction, account);
          return accountId === null ? noFacts : loadClaimFacts(transaction, accountId);
        }),
    );
  }

  async create(claim: NewClaim, time: Date): Promise<ClaimResult> {
    return this.#change(claim.account, async (transaction, account) => {
      if (account === null) return { kind: 'refused', refusal: 'no_claimable' };
      const facts = await loadClaimFacts(transaction, account);
      const decision = createClaim(facts, claim);
      const context = { account, time, block: null };
      return this.#carryOut(transaction, decision, claim.claimNo, context);
    });
  }

  async erase(account: Address, claimNo: string, time: Date): Promise<void> {
    await this.#change(account, async (transaction, accountId) => {
      const claim = await findClaim(transaction, claimNo);
      if (accountId === null || claim?.status !== 'processing') return;
      const effects = [
        { type: 'heldReleased', claimNo },
        { type: 'claimErased', claimNo },
      ] as const;
      await applyClaimEffects(transaction, effects, { account: accountId, time, block: null });
    });
  }

  async find(claimNo: string): Promise<OwnedClaim | null> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('commission_claims')
        .innerJoin('accounts', 'accounts.account_id', 'commission_claims.account_id')
        .selectAll('commission_claims')
        .select('accounts.address')
        .where('claim_no', '=', claimNo)
        .executeTakeFirst(),
    );
    if (row === undefined) return null;
    return { account: row.address as Address, claim: claimFromRow(row) };
  }

  async retry(retry: ClaimRetry, time: Date): Promise<ClaimResult> {
    return this.#change(retry.account, async (transaction, account) => {
      const claim = await findClaim(transaction, retry.claimNo);
      assert(account !== null && claim !== null, 'the claim was found before');
      const facts = await loadClaimFacts(transaction, account);
      const decision = retryClaim(facts, claim, retry);
      const context = { account, time, block: null };
      const result = await this.#carryOut(transaction, decision, retry.claimNo, context);
      if (result.kind === 'claimed') await recordRetry(transaction, retry);
      return result;
    });
  }

  async recordVoucher(voucher: StandaloneVoucher, time: Date): Promise<void> {
    await this.#pool.query((db) =>
      sql`
        INSERT INTO reward_vouchers (account_id, amount, nonce, deadline, created_at)
        SELECT account_id, ${formatMicroUsdt(voucher.amount)}::numeric, ${voucher.nonce},
          ${voucher.deadline}, ${time}
        FROM accounts WHERE address = ${voucher.account}`.execute(db),
    );
  }

  async findLastFinish(account: Address): Promise<Date | null> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('commission_claims')
        .innerJoin('accounts', 'accounts.account_id', 'commission_claims.account_id')
        .select((eb) => eb.fn.max('finished_at').as('finished_at'))
        .where('accounts.address', '=', account)
        .where('status', '=', 'success')
        .executeTakeFirst(),
    );
    return row?.finished_at ?? null;
  }

  async list(account: Address, page: Page): Promise<PageOf<ListedClaim>> {
    return this.#list(sql`address = ${account}`, page);
  }

  async listAll(status: ClaimStatus | null, page: Page): Promise<PageOf<ListedClaim>> {
    return this.#list(status === null ? sql`true` : sql`status = ${status}`, page);
  }

  async #list(condition: ReturnType<typeof sql>, page: Page): Promise<PageOf<ListedClaim>> {
    const from = sql`FROM commission_claims JOIN accounts USING (account_id) WHERE ${condition}`;
    const { rows } = await this.#pool.query((db) =>
      sql<ClaimRow & { address: string }>`
        SELECT commission_claims.*, address ${from}
        ORDER BY id DESC ${limitOf(page)}`.execute(db),
    );
    const counted = await this.#pool.query((db) =>
      sql<{ count: string }>`SELECT count(*) ${from}`.execute(db),
    );
    const items = rows.map((row) => ({
      account: row.address as Address,
      claim: claimFromRow(row),
      appliedAt: row.applied_at,
      finishedAt: row.finished_at,
    }));
    return { items, total: Number(counted.rows[0]?.count ?? 0) };
  }

  async #carryOut(
    transaction: Transaction<Tables>,
    decision: ClaimDecision,
    claimNo: string,
    context: Parameters<typeof applyClaimEffects>[2],
  ): Promise<ClaimResult> {
    if (decision.kind === 'rejected') {
      return { kind: 'refused', refusal: decision.rejection.reason };
    }
    await applyClaimEffects(transaction, decision.effects, context);
    const claim = await findClaim(transaction, claimNo);
    assert(claim !== null, 'the claim was just written');
    return { kind: 'claimed', claim };
  }

  async #change<T>(
    account: Address,
    work: (transaction: Transaction<Tables>, account: AccountId | null) => Promise<T>,
  ): Promise<T> {
    return this.#pool.query((db) =>
      db
        .transaction()
        .execute(async (transaction) => work(transaction, await lockAccount(transaction, account))),
    );
  }
}

async function findClaim(transaction: Transaction<Tables>, claimNo: string): Promise<Claim | null> {
  const row = await transaction
    .selectFrom('commission_claims')
    .selectAll()
    .where('claim_no', '=', claimNo)
    .executeTakeFirst();
  return row === undefined ? null : claimFromRow(row);
}

async function recordRetry(
  transaction: Transaction<Tables>,
  { account, claimNo, chainNonce, deadline }: ClaimRetry,
): Promise<void> {
  const detail = { claim_no: claimNo, address: account, nonce: chainNonce, deadline };
  await insertAudit(transaction, { action: 'retry_claim', detail });
}
