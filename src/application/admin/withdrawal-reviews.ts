import { recoverTypedDataAddress } from 'viem/utils';
import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import type { SignedApproval } from '../ports/chain.ts';
import type { OpenReview, WithdrawalReviewStore } from '../wallet/review-ports.ts';
import { approvalsNeeded, findApprovers } from './approvals.ts';

// Two people approve a withdrawal by their wallets' signatures over exactly what is paid. The
// signatures are stored, and a signer with a policy verifies them itself: write access to the
// database approves nothing.

export interface ReviewPorts {
  readonly reviews: WithdrawalReviewStore;
  readonly approvers: readonly Address[];
  readonly chainId: number;
  /** The name of the vault's EIP-712 domain. */
  readonly vaultDomainName: string;
  readonly now: () => TimestampMs;
}

export type ReviewRefusal = 'withdrawal_not_in_review' | 'approvals_required';

/** How long the owner has to have it signed. */
const approvedMs = 72 * 3_600_000;
/** For how long nobody approves what leaves an account that they have credited. */
const creditedMs = 30 * 86_400_000;

const approvalTypes = {
  ApproveRelease: [
    { name: 'id', type: 'string' },
    { name: 'account', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'expires', type: 'uint256' },
  ],
} as const;

/**
 * The data that an approver signs with a wallet (eth_signTypedData_v4); `expires` in Unix seconds.
 */
export function approvalTypedData(
  { chainId, vaultDomainName }: Pick<ReviewPorts, 'chainId' | 'vaultDomainName'>,
  review: Pick<OpenReview, 'id' | 'account' | 'tokenAddress' | 'rawAmount' | 'contractAddress'>,
  expires: number,
) {
  return {
    domain: {
      name: vaultDomainName,
      version: '1',
      chainId,
      verifyingContract: review.contractAddress as `0x${string}`,
    },
    types: approvalTypes,
    primaryType: 'ApproveRelease' as const,
    message: {
      id: review.id,
      account: review.account as `0x${string}`,
      token: review.tokenAddress as `0x${string}`,
      value: review.rawAmount,
      expires: BigInt(expires),
    },
  };
}

/** The text that an approver signs to refuse (personal_sign). */
export function refusalText(chainId: number, id: string, reason: string): string {
  return `openbourse: refuse withdrawal ${id} on chain ${chainId}\nReason: ${reason}`;
}

export async function listReviews({ reviews }: ReviewPorts): Promise<readonly OpenReview[]> {
  return reviews.listOpen();
}

/** Approves a withdrawal in review until the first signature expires, at most 72 hours. */
export async function approveWithdrawal(
  ports: ReviewPorts,
  id: string,
  given: readonly SignedApproval[],
): Promise<ReviewRefusal | null> {
  const review = await ports.reviews.findOpen(id);
  if (review?.status !== 'review') return 'withdrawal_not_in_review';
  const nowMs = ports.now();
  const since = new Date(nowMs - creditedMs);
  const creditors = await ports.reviews.listCreditors(review.account, since);
  const people = peopleFor(ports, review).filter((each) => !creditors.includes(each));
  const good = new Map<Address, SignedApproval>();
  for (const approval of given) {
    if (approval.expires * 1_000 <= nowMs) continue;
    const signed = await recoverTypedDataAddress({
      ...approvalTypedData(ports, review, approval.expires),
      signature: approval.signature,
    }).catch(() => null);
    const approver = people.find((each) => each === signed?.toLowerCase());
    if (approver !== undefined) good.set(approver, approval);
  }
  if (good.size < approvalsNeeded) return 'approvals_required';
  const approvals = [...good.values()];
  const ends = approvals.map(({ expires }) => expires * 1_000);
  const until = new Date(Math.min(nowMs + approvedMs, ...ends));
  const by = [...good.keys()].join(' and ');
  const isApproved = await ports.reviews.approve(id, { approvals, by, until });
  return isApproved ? null : 'withdrawal_not_in_review';
}

/** Refuses a withdrawal that is not signed and returns its amount. */
export async function refuseWithdrawal(
  ports: ReviewPorts,
  id: string,
  { reason, approvals }: { readonly reason: string; readonly approvals: readonly `0x${string}`[] },
): Promise<ReviewRefusal | null> {
  const review = await ports.reviews.findOpen(id);
  if (review === null) return 'withdrawal_not_in_review';
  const text = refusalText(ports.chainId, id, reason);
  const people = await findApprovers(peopleFor(ports, review), text, approvals);
  if (people.length < approvalsNeeded) return 'approvals_required';
  const isRefused = await ports.reviews.refuse(id, people.join(' and '), reason);
  return isRefused ? null : 'withdrawal_not_in_review';
}

/** Nobody can decide on their own withdrawal. */
function peopleFor({ approvers }: ReviewPorts, { account }: OpenReview): readonly Address[] {
  return approvers.filter((approver) => approver !== account);
}
