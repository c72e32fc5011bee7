import { type Amount, amountMax, formatAmount, toAmount } from '../../domain/amount.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { HoldWithdrawals, MoveHouseFunds } from '../../engine/futures-commands.ts';
import { type AdminWritePorts, submitWrite } from '../admin/admin-write.ts';
import { formatTime } from '../format-time.ts';
import type { FuturesView } from '../ports/exchange.ts';

/** The insurance fund, bad debt, and whether money can leave; amounts in USDT. */
export interface InsuranceFundView {
  readonly balance: string;
  readonly held: string;
  readonly bad_debt: string;
  readonly fee_revenue: string;
  readonly accounts_in_liquidation: number;
  readonly withdrawals_gated: boolean;
  readonly withdrawals_held: boolean;
  readonly gated_until: string | null;
}

export function viewInsuranceFund(futures: FuturesView): InsuranceFundView {
  const until = futures.withdrawalGateUntil;
  return {
    balance: formatAmount(insuranceBalance(futures)),
    held: formatAmount(futures.insuranceHeld),
    bad_debt: formatAmount(toAmount(0n - futures.badDebt)),
    fee_revenue: formatAmount(futures.futuresFees),
    accounts_in_liquidation: futures.closeOutCount,
    withdrawals_gated: futures.isWithdrawalGateShut,
    withdrawals_held: futures.areWithdrawalsHeld,
    gated_until: until === null ? null : formatTime(until),
  };
}

/** The fund's free part plus the reservations of close-outs. */
export function insuranceBalance({ insuranceFund, insuranceHeld }: FuturesView): Amount {
  return toAmount(insuranceFund + insuranceHeld);
}

/**
 * Moves money of the exchange to the insurance fund; bad debt is repaid first. A reference that was
 * used before succeeds and moves nothing.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing moved.
 */
export async function topUpInsuranceFund(
  ports: AdminWritePorts,
  terms: Omit<MoveHouseFunds, 'type'>,
): Promise<Outcome<null>> {
  if (terms.amount > amountMax) return refused({ reason: 'amount_out_of_range' });
  const applied = await submitWrite(ports, { type: 'moveHouseFunds', ...terms });
  return applied.kind === 'refused' ? applied : done(null);
}

/**
 * Holds back all withdrawals from the perp wallets, or releases them.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing changed.
 */
export async function holdWithdrawals(
  ports: AdminWritePorts,
  terms: Omit<HoldWithdrawals, 'type'>,
): Promise<Outcome<null>> {
  const applied = await submitWrite(ports, { type: 'holdWithdrawals', ...terms });
  return applied.kind === 'refused' ? applied : done(null);
}
