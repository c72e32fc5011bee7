import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { overrideVip } from '../../programs/vip/review-vip.ts';
import type { AuditLog } from '../ports/operators.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { applyVerdict, type VipReviewPorts } from './review-vip-tiers.ts';

export interface VipOverridePorts extends VipReviewPorts {
  readonly audit: AuditLog;
}

/**
 * Sets the tier of an account regardless of its volume, or returns it to its volume (null). Takes
 * effect and is notified at once.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function overrideVipTier(
  ports: VipOverridePorts,
  address: Address,
  override: number | null,
): Promise<Outcome<null>> {
  const { exchange, barrier, vip, audit } = ports;
  const accountId = exchange.peek((view) => view.findAccount(address));
  if (accountId === null) return refused({ reason: 'account_not_found' });
  await waitForDatabase({ exchange, barrier });
  const now: TimestampMs = ports.now();
  await vip.change(accountId, now, (account) => {
    const facts = { now, volume: account.volume14Days };
    return applyVerdict(ports, account, overrideVip(account.standing, override, facts));
  });
  await audit.record({ action: 'set_vip_override', detail: { address, override } });
  return done(null);
}
