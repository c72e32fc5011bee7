import type { FailedSettlementPorts } from '../../../application/referral/claim-ports.ts';
import type { ClaimPorts } from '../../../application/referral/claim-use-case.ts';
import type { OnChainPorts } from '../../../application/referral/load-user-rebate.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import { listFailedSettlements, retrySettlement } from '../admin/failed-settlements.ts';
import { listAllClaims } from '../admin/list-all-claims.ts';
import { retryClaim } from '../admin/retry-claim.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { createClaim } from './create-claim.ts';
import { getClaimSignature } from './get-claim-signature.ts';
import { listClaims } from './list-claims.ts';
import { previewClaim } from './preview-claim.ts';
import {
  getClaimedAmount,
  getOperatorStatus,
  getTraderReferral,
  getUserRebate,
} from './read-on-chain.ts';
import { signReward } from './sign-reward.ts';

export interface ClaimRoutePorts extends ClaimPorts, OnChainPorts, FailedSettlementPorts {}

/** Claims of commission, and what the referral contracts show. */
export function claimRoutes(ports: ClaimRoutePorts): SurfaceRoutes {
  const endpoints = [
    previewClaim(ports),
    listClaims(ports),
    createClaim(ports),
    getClaimSignature(ports),
    signReward(ports),
    getUserRebate(ports),
    getTraderReferral(ports),
    getClaimedAmount(ports),
    getOperatorStatus(ports),
    listAllClaims(ports),
    retryClaim(ports),
    listFailedSettlements(ports),
    retrySettlement(ports),
  ];
  return { surface: plainSurface, endpoints };
}
