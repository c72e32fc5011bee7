import type { Address } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import type { FailedSettlementPorts, SettlementRetryRefusal } from './claim-ports.ts';
import type { ReferralOutcome } from './referral-use-case.ts';

/**
 * Returns an account's failed commission to the next settlement.
 * @throws DatabaseError
 */
export async function retrySettlement(
  { failedSettlements }: FailedSettlementPorts,
  account: Address,
): Promise<ReferralOutcome<MicroUsdt, SettlementRetryRefusal>> {
  const result = await failedSettlements.retry(account);
  return result.kind === 'retried' ? { kind: 'done', value: result.commission } : result;
}
