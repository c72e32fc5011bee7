import { formatDecimal } from '../../domain/decimal.ts';
import type { Address } from '../../domain/identifiers.ts';
import { getTier } from '../../programs/referral/tiers.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { AgentState, ReferralState } from './referral-ports.ts';
import { type ReferralReadPorts } from './referral-use-case.ts';

/** An agent's fields are null for an account that is not an agent. */
export interface ReferralStatusView {
  readonly address: string;
  readonly code: string | null;
  readonly referrer: string | null;
  readonly referrer_code: string | null;
  readonly bound_at: string | null;
  readonly is_bound: boolean;
  readonly is_affiliate: boolean;
  readonly sub_rate: string | null;
  readonly agent_tier: number | null;
  readonly agent_status: string | null;
  readonly tier_level: number | null;
  readonly tier_name: string | null;
  readonly rebate_rate: string | null;
  readonly referred_users: number;
}

/**
 * The caller's state in the program: the account that it is bound to, and those bound to it.
 * @throws DatabaseError
 */
export async function loadReferralStatus(
  ports: ReferralReadPorts,
  caller: Address,
): Promise<ReferralStatusView> {
  await waitForDatabase(ports);
  const standing = await ports.referralReader.loadStanding(caller);
  const counts = await ports.referralReader.countDownline(caller);
  const { agent, binding } = standing;
  const subRate = binding?.subRate ?? null;
  return {
    address: caller,
    code: agent?.code ?? null,
    referrer: binding?.referrer ?? null,
    referrer_code: binding?.code ?? null,
    bound_at: binding?.boundAt.toISOString() ?? null,
    is_bound: binding !== null,
    is_affiliate: subRate !== null,
    sub_rate: subRate === null ? null : formatDecimal(subRate),
    agent_tier: isCodeOwner(agent) ? agentTier : null,
    agent_status: agent?.status ?? null,
    ...viewTier(standing),
    referred_users: counts.traders + counts.affiliates,
  };
}

// Every agent is in the first tier of the program; levels are the tiers of its rate.
const agentTier = 1;

function isCodeOwner(agent: AgentState | null): boolean {
  return agent !== null && agent.code !== null;
}

export interface TierView {
  readonly tier_level: number | null;
  readonly tier_name: string | null;
  /** What the account earns of a fee: an affiliate's sub_rate, otherwise the agent's rate. */
  readonly rebate_rate: string | null;
}

export function viewTier({ agent, binding }: ReferralState): TierView {
  const rate = binding?.subRate ?? agent?.rebateRate ?? null;
  return {
    tier_level: agent?.tierLevel ?? null,
    tier_name: agent === null ? null : getTier(agent.tierLevel).name,
    rebate_rate: rate === null ? null : formatDecimal(rate),
  };
}
