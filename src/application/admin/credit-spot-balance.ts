import { type Amount, amountMax } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { type AdminWritePorts, submitWrite } from './admin-write.ts';

export interface TestCreditPorts extends AdminWritePorts {
  /** True only if TESTNET_ONLY is exactly `true`. */
  readonly areTestCreditsEnabled: boolean;
}

export interface SpotCredit {
  readonly address: Address;
  readonly token: string;
  readonly amount: Amount;
  readonly reason: string | null;
  /** A second credit with the same reference succeeds and changes nothing. */
  readonly reference: string | null;
}

/**
 * Credits test money for an administrator.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing was credited.
 */
export async function creditSpotBalance(
  ports: TestCreditPorts,
  credit: SpotCredit,
): Promise<Outcome<null>> {
  if (!ports.areTestCreditsEnabled) return refused({ reason: 'test_credits_disabled' });
  if (credit.amount <= 0n) return refused({ reason: 'amount_not_positive' });
  if (credit.amount > amountMax) return refused({ reason: 'amount_out_of_range' });
  const applied = await submitWrite(ports, {
    type: 'creditBalance',
    ...credit,
    actor: 'admin_api_key',
  });
  return applied.kind === 'refused' ? applied : done(null);
}
