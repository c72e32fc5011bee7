import type { PromotionRefusal, SubRateRefusal } from '../../programs/referral/referral-refusal.ts';
import type { SubRateRequest } from './referral-ports.ts';
import { beginChange, type ReferralOutcome, type ReferralWritePorts } from './referral-use-case.ts';

/**
 * Makes a direct trader of the caller its affiliate, at a rate that the caller passes down.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError
 */
export async function promoteTrader(
  ports: ReferralWritePorts,
  request: SubRateRequest,
): Promise<ReferralOutcome<null, PromotionRefusal>> {
  const moment = await beginChange(ports, request.caller);
  const refusal = await ports.referral.promote(request, moment);
  return refusal === null ? { kind: 'done', value: null } : { kind: 'refused', refusal };
}

/**
 * Changes the rate that the caller passes down to an affiliate.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError
 */
export async function changeSubRate(
  ports: ReferralWritePorts,
  request: SubRateRequest,
): Promise<ReferralOutcome<null, SubRateRefusal>> {
  const moment = await beginChange(ports, request.caller);
  const refusal = await ports.referral.changeSubRate(request, moment);
  return refusal === null ? { kind: 'done', value: null } : { kind: 'refused', refusal };
}
