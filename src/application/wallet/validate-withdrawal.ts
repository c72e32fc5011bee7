import type { Amount } from '../../domain/amount.ts';
import { amountFromRaw } from '../../programs/claims/token-units.ts';
import {
  findReviewReasons,
  type ReviewLimits,
  type ReviewReason,
} from '../../programs/claims/withdrawal-review.ts';
import { ChainError, type VaultSigner } from '../ports/chain.ts';
import type { Exchange } from '../ports/exchange.ts';
import type { WithdrawalReviewStore } from './review-ports.ts';
import type { WithdrawalTerms } from './wallet-ports.ts';

export interface JudgePorts {
  readonly exchange: Exchange;
  readonly vaultSigner: VaultSigner;
  readonly reviews: WithdrawalReviewStore;
  /** By token; null if no withdrawal requires a review. */
  readonly reviewLimits: ReadonlyMap<string, ReviewLimits> | null;
}

/**
 * Why the withdrawal requires a review; null if the node does not provide what the rules need.
 * @throws DatabaseError
 */
export async function validateWithdrawal(
  { exchange, vaultSigner, reviews, reviewLimits }: JudgePorts,
  { id, account, token: symbol, amount }: WithdrawalTerms,
): Promise<readonly ReviewReason[] | null> {
  if (reviewLimits === null) return [];
  const limits = reviewLimits.get(symbol);
  // A token without limits is never paid without a review.
  if (limits === undefined) return ['large_amount'];
  const token = vaultSigner.findToken(symbol);
  const accountId = exchange.peek((view) => view.findAccount(account));
  if (token === null || accountId === null) return null;
  let rawUsed: bigint;
  try {
    rawUsed = await vaultSigner.loadWindowUsed(token.address);
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
  const { instantMax } = limits;
  const known = await reviews.loadFacts({ account, accountId, token: symbol, id, instantMax });
  // Signatures that are not on chain yet would otherwise fill the window all at once.
  const windowUsed = (amountFromRaw(rawUsed, token.decimals) + known.outstanding) as Amount;
  return findReviewReasons({ ...known, amount, windowUsed }, limits);
}
