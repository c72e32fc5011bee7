import type { Address } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import { awaitAccountRow } from '../account/load-profile.ts';
import {
  type ClaimPorts,
  loadClaimMoment,
  type RewardVoucherView,
  signVoucher,
} from './claim-use-case.ts';

export interface VoucherRequest {
  readonly account: Address;
  /** Above zero. */
  readonly amount: MicroUsdt;
}

/**
 * Signs any amount without an order and without a look at what is claimable (interface.md, claim
 * rules 4). That harms nobody: the contract pays no more than what is settled, and a redemption
 * that no order covers is recorded when it is seen. Who asked for what is written down first.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError, ChainError, SigningError
 */
export async function signRewardVoucher(
  ports: ClaimPorts,
  { account, amount }: VoucherRequest,
): Promise<RewardVoucherView> {
  await awaitAccountRow(ports, account);
  const { nonce, deadline } = await loadClaimMoment(ports, account);
  const voucher = { account, amount, nonce, deadline };
  await ports.claims.recordVoucher(voucher, new Date(ports.now()));
  return signVoucher(ports, voucher);
}
