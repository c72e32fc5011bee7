import { randomBytes } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { RewardRedeemedEvent } from '../../application/ports/chain-ledger.ts';
import { assert } from '../../domain/assert.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import type { Claim, ClaimOrigin, Redemption } from '../../programs/claims/claim.ts';
import {
  observeRedemption,
  type RedemptionContradiction,
  revertRedemption,
} from '../../programs/claims/observe-redemption.ts';
import { codeBytesNeeded, generateClaimNumber } from '../../programs/referral/referral-code.ts';
import { contractIdOf } from '../chain/event-contract.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import type { Tables } from '../tables.ts';
import { applyClaimEffects } from './claim-effects.ts';
import { loadClaimFacts, lockAccount } from './claim-facts.ts';
import { type ClaimRow, claimFromRow } from './claim-rows.ts';

/** When, and in which block, an event counts. */
export interface CountedAt {
  readonly block: number;
  readonly time: Date;
}

/**
 * Counts a confirmed redemption, within the transaction that moves the cursor past its block. If
 * the chain contradicts the database, nothing is changed.
 */
export async function countRedemption(
  transaction: Transaction<Tables>,
  event: RewardRedeemedEvent,
  { block, time }: CountedAt,
): Promise<RedemptionContradiction | 'account_unknown' | null> {
  const account = await lockAccount(transaction, event.account);
  if (account === null) return 'account_unknown';
  const { amount, nonce, transactionHash } = event;
  const redemption: Redemption = { amount, nonce, transactionHash };
  const facts = await loadClaimFacts(transaction, account);
  const decision = observeRedemption(facts, redemption, {
    match: await findAwaiting(transaction, account, redemption),
    counted: await findCounted(transaction, account, nonce),
    newClaimNo: generateClaimNumber(randomBytes(codeBytesNeeded), time.toISOString().slice(0, 10)),
  });
  if (decision.kind === 'contradiction') return decision.contradiction;
  await applyClaimEffects(transaction, decision.effects, { account, time, block });
  if (event.formerContract !== undefined) {
    await sql`UPDATE reward_redemptions SET contract_id = ${contractIdOf(event, 'rewardRouter')}
      WHERE account_id = ${account} AND nonce = ${nonce}`.execute(transaction);
  }
  return null;
}

/** Undoes every redemption counted after a block, the latest of each account first. */
export async function uncountRedemptions(
  transaction: Transaction<Tables>,
  block: number,
): Promise<void> {
  const time = new Date();
  const rows = await transaction
    .selectFrom('reward_redemptions')
    .innerJoin('commission_claims', 'commission_claims.id', 'reward_redemptions.claim_id')
    .innerJoin('accounts', 'accounts.account_id', 'reward_redemptions.account_id')
    .select([
      'reward_redemptions.nonce',
      'reward_redemptions.amount',
      'reward_redemptions.tx_hash',
      'commission_claims.claim_no',
      'commission_claims.origin',
      'accounts.address',
    ])
    .where('block_number', '>', String(block))
    .orderBy('reward_redemptions.account_id')
    .orderBy('reward_redemptions.nonce', 'desc')
    .execute();
  for (const row of rows) {
    const account = await lockAccount(transaction, row.address as Address);
    assert(account !== null, 'a redemption has an account');
    const counted = {
      nonce: Number(row.nonce),
      amount: microUsdtOf(row.amount),
      transactionHash: row.tx_hash,
      claimNo: row.claim_no,
    };
    const facts = await loadClaimFacts(transaction, account);
    const effects = revertRedemption(facts, counted, row.origin as ClaimOrigin);
    await applyClaimEffects(transaction, effects, { account, time, block: null });
  }
}

// The processing order with this nonce and amount, otherwise the oldest order with them that lost
// its redemption in a reorganization.
async function findAwaiting(
  transaction: Transaction<Tables>,
  account: AccountId,
  { amount, nonce }: Redemption,
): Promise<Claim | null> {
  const row = await transaction
    .selectFrom('commission_claims')
    .selectAll()
    .where('account_id', '=', String(account))
    .where('nonce', '=', String(nonce))
    .where('amount', '=', formatMicroUsdt(amount))
    .where((eb) =>
      eb.or([eb('status', '=', 'processing'), eb('failure_reason', '=', 'CHAIN_REORGANIZED')]),
    )
    .orderBy('status', 'desc')
    .orderBy('id')
    .executeTakeFirst();
  return row === undefined ? null : claimFromRow(row satisfies ClaimRow);
}

async function findCounted(
  transaction: Transaction<Tables>,
  account: AccountId,
  nonce: number,
): Promise<Redemption | null> {
  const row = await transaction
    .selectFrom('reward_redemptions')
    .selectAll()
    .where('account_id', '=', String(account))
    .where('nonce', '=', String(nonce))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { nonce, amount: microUsdtOf(row.amount), transactionHash: row.tx_hash };
}
