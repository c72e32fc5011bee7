import { sql, type Transaction } from 'kysely';
import { assert, assertNever } from '../../domain/assert.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { formatMicroUsdt, type MicroUsdt } from '../../domain/micro-usdt.ts';
import type { Claim, ClaimEffect, CountedRedemption } from '../../programs/claims/claim.ts';
import { writeLogs } from '../referral/change-records.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import type { Tables } from '../tables.ts';
import { type Assignment, assignAllFree, assignFree } from './assign-free-commission.ts';

// Applies the decisions of the pure claim rules to the tables, one effect after the other.

export interface EffectContext {
  readonly account: AccountId;
  /** The time of the decision, for claimed_at, applied_at and finished_at. */
  readonly time: Date;
  /** The block that caused the decision; null if none did. */
  readonly block: number | null;
}

export async function applyClaimEffects(
  transaction: Transaction<Tables>,
  effects: readonly ClaimEffect[],
  context: EffectContext,
): Promise<void> {
  const writer = new ClaimWriter(transaction, context);
  for (const effect of effects) await writer.apply(effect);
}

class ClaimWriter {
  readonly #transaction: Transaction<Tables>;
  readonly #context: EffectContext;

  constructor(transaction: Transaction<Tables>, context: EffectContext) {
    this.#transaction = transaction;
    this.#context = context;
  }

  async apply(effect: ClaimEffect): Promise<void> {
    switch (effect.type) {
      case 'claimOpened':
        return this.#open(effect.claim);
      case 'claimReopened':
        return this.#change(effect.claimNo, {
          status: 'processing',
          failure_reason: null,
          nonce: effect.nonce,
          deadline: effect.deadline,
        });
      case 'allFreeHeld':
        return this.#holdAll(effect.claimNo);
      case 'freeHeld':
        return this.#hold(effect.claimNo, effect.amount);
      case 'heldClaimed':
        return this.#setClaimed(await this.#idOf(effect.claimNo), true);
      case 'freeClaimed':
        await this.#hold(effect.claimNo, effect.amount);
        return this.#setClaimed(await this.#idOf(effect.claimNo), true);
      case 'heldReleased':
        return this.#release(effect.claimNo);
      case 'claimedHeld':
        return this.#setClaimed(await this.#idOf(effect.claimNo), false);
      case 'claimSucceeded':
        return this.#change(effect.claimNo, {
          status: 'success',
          failure_reason: null,
          tx_hash: effect.transactionHash,
          finished_at: this.#context.time,
        });
      case 'claimFailed':
        return this.#change(effect.claimNo, {
          status: 'failed',
          failure_reason: effect.failure,
          tx_hash: null,
          finished_at: null,
        });
      case 'claimResumed':
        return this.#change(effect.claimNo, {
          status: 'processing',
          tx_hash: null,
          finished_at: null,
        });
      case 'claimErased':
        return this.#erase(effect.claimNo);
      case 'redemptionCounted':
        return this.#count(effect.redemption);
      case 'redemptionUncounted':
        return this.#uncount(effect.nonce);
      default:
        return assertNever(effect);
    }
  }

  async #open(claim: Claim): Promise<void> {
    assert(claim.status === 'processing', 'a claim begins as processing');
    const { account, time } = this.#context;
    const amount = formatMicroUsdt(claim.amount);
    await this.#transaction
      .insertInto('commission_claims')
      .values({
        claim_no: claim.claimNo,
        account_id: account,
        origin: claim.origin,
        amount,
        status: claim.status,
        nonce: claim.nonce,
        deadline: claim.deadline,
        tx_hash: null,
        failure_reason: null,
        applied_at: time,
        finished_at: null,
      })
      .execute();
    await writeLogs(this.#transaction, time, [
      { account, type: 'claim', amount, reference: claim.claimNo },
    ]);
  }

  async #holdAll(claimNo: string): Promise<void> {
    const taking = await this.#takingOf(claimNo);
    const taken = await assignAllFree(this.#transaction, taking);
    await this.#addCovered(taking, taken);
    const { amount } = await this.#transaction
      .selectFrom('commission_claims')
      .select('amount')
      .where('id', '=', taking.claimId)
      .executeTakeFirstOrThrow();
    assert(microUsdtOf(amount) === taken, "an order's amount is the sum of its earnings");
  }

  async #hold(claimNo: string, amount: MicroUsdt): Promise<void> {
    const taking = await this.#takingOf(claimNo);
    await assignFree(this.#transaction, taking, amount);
    await this.#addCovered(taking, amount);
  }

  async #takingOf(claimNo: string): Promise<Assignment> {
    return { account: this.#context.account, claimId: await this.#idOf(claimNo) };
  }

  async #addCovered({ claimId }: Assignment, amount: MicroUsdt): Promise<void> {
    await sql`
      UPDATE commission_claims SET covered = covered + ${formatMicroUsdt(amount)}::numeric
      WHERE id = ${claimId}`.execute(this.#transaction);
  }

  async #release(claimNo: string): Promise<void> {
    const claimId = await this.#idOf(claimNo);
    await this.#transaction
      .deleteFrom('commission_claim_items')
      .where('claim_id', '=', claimId)
      .execute();
    await this.#transaction
      .updateTable('commission_claims')
      .set({ covered: '0' })
      .where('id', '=', claimId)
      .execute();
  }

  /** Moves what a claim holds between claimable and claimed. */
  async #setClaimed(claimId: string, isClaimed: boolean): Promise<void> {
    const { account, time } = this.#context;
    const status = isClaimed ? 'claimed' : 'pending';
    const { rows } = await sql<{ sum: string }>`
      WITH changed AS (
        UPDATE referral_earnings SET status = ${status}, claimed_at = ${isClaimed ? time : null}
        FROM commission_claim_items
        WHERE earning_id = id AND claim_id = ${claimId} AND status <> ${status}
        RETURNING commission
      )
      SELECT coalesce(sum(commission), 0) AS sum FROM changed`.execute(this.#transaction);
    const moved = formatMicroUsdt(microUsdtOf(rows[0]?.sum ?? '0'));
    const claimed = isClaimed ? moved : `-${moved}`;
    if (moved === '0') return;
    await sql`
      UPDATE referral_settled SET claimable = claimable - ${claimed}::numeric,
        claimed = claimed + ${claimed}::numeric
      WHERE account_id = ${account}`.execute(this.#transaction);
  }

  async #change(claimNo: string, change: ClaimChange): Promise<void> {
    const { numUpdatedRows } = await this.#transaction
      .updateTable('commission_claims')
      .set(change)
      .where('claim_no', '=', claimNo)
      .executeTakeFirst();
    assert(numUpdatedRows === 1n, `claim ${claimNo} exists`);
  }

  async #erase(claimNo: string): Promise<void> {
    await this.#transaction
      .deleteFrom('commission_claims')
      .where('claim_no', '=', claimNo)
      .execute();
    await this.#transaction
      .deleteFrom('referral_logs')
      .where('account_id', '=', String(this.#context.account))
      .where('type', '=', 'claim')
      .where('reference', '=', claimNo)
      .execute();
  }

  async #count(redemption: CountedRedemption): Promise<void> {
    const { account, block } = this.#context;
    assert(block !== null, 'a redemption is counted in a block');
    await this.#transaction
      .insertInto('reward_redemptions')
      .values({
        account_id: account,
        nonce: redemption.nonce,
        amount: formatMicroUsdt(redemption.amount),
        claim_id: await this.#idOf(redemption.claimNo),
        tx_hash: redemption.transactionHash,
        block_number: block,
      })
      .execute();
  }

  async #uncount(nonce: number): Promise<void> {
    await this.#transaction
      .deleteFrom('reward_redemptions')
      .where('account_id', '=', String(this.#context.account))
      .where('nonce', '=', String(nonce))
      .execute();
  }

  async #idOf(claimNo: string): Promise<string> {
    const { id } = await this.#transaction
      .selectFrom('commission_claims')
      .select('id')
      .where('claim_no', '=', claimNo)
      .executeTakeFirstOrThrow();
    return id;
  }
}

interface ClaimChange {
  readonly status: Claim['status'];
  readonly failure_reason?: string | null;
  readonly nonce?: number;
  readonly deadline?: number;
  readonly tx_hash?: string | null;
  readonly finished_at?: Date | null;
}
