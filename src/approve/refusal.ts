import { privateKeyToAccount } from 'viem/accounts';
import { refusalText } from '../application/admin/withdrawal-reviews.ts';
import type { ListedReview } from './approval.ts';
import { readKey } from './read-key.ts';

// What an approver signs to refuse a withdrawal, which gives its amount back.

/** One person's refusal; both people must have signed the same reason. */
export interface GivenRefusal {
  readonly reason: string;
  readonly signature: string;
}

/** The text for a wallet's personal_sign. */
export function textOf(review: ListedReview, reason: string): string {
  return refusalText(review.chain_id, review.id, reason);
}

/** @throws Error that does not reveal the file's content */
export async function signRefusal(
  review: ListedReview,
  reason: string,
  keyFile: string,
): Promise<GivenRefusal> {
  const account = privateKeyToAccount(readKey(keyFile));
  if (account.address.toLowerCase() === review.account.toLowerCase()) {
    throw new Error('an approver cannot decide on a withdrawal to their own wallet');
  }
  return { reason, signature: await account.signMessage({ message: textOf(review, reason) }) };
}

/**
 * Returns what POST /api/v1/admin/withdrawals/:id/refuse takes.
 * @throws Error if the people signed different reasons
 */
export function refusalBody(refusals: readonly GivenRefusal[]) {
  const [first] = refusals;
  if (first === undefined || refusals.some(({ reason }) => reason !== first.reason)) {
    throw new Error('the refusals have different reasons: all people sign the same one');
  }
  return { reason: first.reason, approvals: refusals.map(({ signature }) => signature) };
}
