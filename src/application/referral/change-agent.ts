import { waitForDatabase } from '../wait-for-database.ts';
import type { AgentChange } from './referral-ports.ts';
import {
  presentMoment,
  type ReferralOutcome,
  type ReferralWritePorts,
} from './referral-use-case.ts';

export { rebateRateMax, tierLevelMax } from '../../programs/referral/tiers.ts';

/**
 * Sets the tier, rate or status of an agent for an administrator.
 * @throws DatabaseError
 */
export async function changeAgent(
  ports: ReferralWritePorts,
  change: AgentChange,
): Promise<ReferralOutcome<null, 'account_not_found'>> {
  await waitForDatabase(ports);
  const refusal = await ports.referral.changeAgent(change, presentMoment(ports));
  return refusal === null ? { kind: 'done', value: null } : { kind: 'refused', refusal };
}
