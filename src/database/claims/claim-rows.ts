import type { Selectable } from 'kysely';
import type { Claim, ClaimFailure, ClaimOrigin, ClaimStatus } from '../../programs/claims/claim.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import type { CommissionClaimsTable } from '../referral/referral-tables.ts';

export type ClaimRow = Selectable<CommissionClaimsTable>;

export function claimFromRow(row: ClaimRow): Claim {
  return {
    claimNo: row.claim_no,
    origin: row.origin as ClaimOrigin,
    amount: microUsdtOf(row.amount),
    nonce: Number(row.nonce),
    deadline: row.deadline === null ? null : Number(row.deadline),
    status: row.status as ClaimStatus,
    failureReason: row.failure_reason as ClaimFailure | null,
    transactionHash: row.tx_hash,
  };
}
