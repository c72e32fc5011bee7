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
  /** Positive. */
  readonly amount: MicroUsdt;
}

/**
 * Signs any amount without an order and without checking what is claimable (interface.md, claim
 * rules 4). This is harmless: the contract pays no more than what is settled, and a redemption
 * without an order is recorded when it is seen. The request is recorded first.
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
