import type { Address } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { UserStore } from '../ports/accounts.ts';
import { overrideVipTier, type VipOverridePorts } from '../vip/override-vip-tier.ts';
import { waitForDatabase } from '../wait-for-database.ts';

export interface ChangeUserPorts extends VipOverridePorts {
  readonly users: UserStore;
}

/** The fields to change; the others are kept. */
export interface UserChange {
  readonly isMarketMaker: boolean | null;
  /** Null returns the tier to the volume; undefined keeps it. */
  readonly vipOverride: number | null | undefined;
}

/**
 * Changes an account's administered fields.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError
 */
export async function changeUser(
  ports: ChangeUserPorts,
  address: Address,
  { isMarketMaker, vipOverride }: UserChange,
): Promise<Outcome<null>> {
  const { exchange, barrier, users } = ports;
  const accountId = exchange.peek((view) => view.findAccount(address));
  if (accountId === null) return refused({ reason: 'account_not_found' });
  await waitForDatabase({ exchange, barrier });
  if (isMarketMaker !== null) {
    const isKnown = await users.setMarketMaker(address, isMarketMaker);
    if (!isKnown) return refused({ reason: 'account_not_found' });
  }
  return vipOverride === undefined ? done(null) : overrideVipTier(ports, address, vipOverride);
}
