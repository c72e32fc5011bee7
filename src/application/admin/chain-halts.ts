import type { Address } from '../../domain/identifiers.ts';
import type { ChainHalt, ManualHaltStore, SignerRole } from '../ports/chain-halts.ts';
import type { ContractGuardian, PausableContract } from '../ports/contract-pauses.ts';
import { approvalsNeeded, findApprovers } from './approvals.ts';

// A halt stops signing; any administrator can raise one. Clearing a halt requires two people, each
// with their own wallet, who sign exactly what is cleared and why.

export interface HaltPorts {
  readonly halts: ManualHaltStore;
  readonly guardian: ContractGuardian;
  readonly chainId: number;
  /** The approvers' wallets; none if the money has no value. */
  readonly approvers: readonly Address[];
  /** Whether two of them have to approve. */
  readonly areApprovalsRequired: boolean;
}

export type HaltRefusal = 'halt_not_found' | 'halt_open' | 'approvals_required' | 'no_guardian';

export interface HaltClearing {
  readonly id: string;
  readonly reason: string;
  /** Signatures over `clearingText` by different approvers. */
  readonly approvals: readonly `0x${string}`[];
}

/** The actor of a request that is authorized by the administrator's key alone. */
const keyHolder = 'admin_api_key';

export interface HaltRequest {
  readonly detail: string;
  /** Null: all signers. */
  readonly role: SignerRole | null;
  /** Whether a guardian pauses the contracts too, which take what these signers have signed. */
  readonly isContractPaused: boolean;
}

/** Halts signing manually, by all signers or by one. */
export async function raiseHalt(
  { halts, guardian }: HaltPorts,
  { detail, role, isContractPaused }: HaltRequest,
): Promise<HaltRefusal | null> {
  const contracts = isContractPaused ? contractsOf(role) : [];
  if (isContractPaused && !(await guardian.canPause(contracts))) return 'no_guardian';
  if (!(await halts.raiseManually({ detail, role, contracts }, keyHolder))) return 'halt_open';
  if (isContractPaused) await guardian.pauseRequested();
  return null;
}

/** The contracts that take what the role signs. */
function contractsOf(role: SignerRole | null): readonly PausableContract[] {
  if (role === 'vault') return ['spotVault'];
  if (role === 'reward') return ['rewardRouter'];
  if (role === 'settler') return ['rewardRouter', 'referralRebate'];
  return ['spotVault', 'rewardRouter', 'referralRebate'];
}

/** The text that an approver signs with a wallet (personal_sign). */
export function clearingText(chainId: number, { id, kind }: ChainHalt, reason: string): string {
  return `openbourse: clear halt ${id} (${kind}) on chain ${chainId}\nReason: ${reason}`;
}

export async function clearHalt(
  ports: HaltPorts,
  { id, reason, approvals }: HaltClearing,
): Promise<HaltRefusal | null> {
  const { halts, chainId, areApprovalsRequired } = ports;
  const halt = (await halts.listOpen()).find((each) => each.id === id);
  if (halt === undefined) return 'halt_not_found';
  const text = clearingText(chainId, halt, reason);
  const people = await findApprovers(ports.approvers, text, approvals);
  if (areApprovalsRequired && people.length < approvalsNeeded) return 'approvals_required';
  const by = people.length === 0 ? keyHolder : people.join(' and ');
  return (await halts.clear(id, by, reason)) ? null : 'halt_not_found';
}
