import type { Address } from '../../domain/identifiers.ts';
import type { BindingRefusal } from '../../programs/referral/referral-refusal.ts';
import type { BindingRequest } from './referral-ports.ts';
import { beginChange, type ReferralOutcome, type ReferralWritePorts } from './referral-use-case.ts';

/**
 * Binds the caller to the owner of a code; returns the owner.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError
 */
export async function bindReferrer(
  ports: ReferralWritePorts,
  request: BindingRequest,
): Promise<ReferralOutcome<Address, BindingRefusal>> {
  const moment = await beginChange(ports, request.trader);
  const result = await ports.referral.bind(request, moment);
  return result.kind === 'bound' ? { kind: 'done', value: result.referrer } : result;
}

/**
 * Ends the caller's binding; commission already earned is kept.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError
 */
export async function unbindReferrer(
  ports: ReferralWritePorts,
  trader: Address,
): Promise<ReferralOutcome<null, 'not_bound'>> {
  const moment = await beginChange(ports, trader);
  const refusal = await ports.referral.unbind(trader, moment);
  return refusal === null ? { kind: 'done', value: null } : { kind: 'refused', refusal };
}
