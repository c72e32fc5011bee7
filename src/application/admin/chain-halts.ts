import type { Address } from '../../domain/identifiers.ts';
import type { ChainHalt, ChainHaltStore } from '../ports-chain-ledger.ts';
import { approvalsNeeded, findApprovers } from './approvals.ts';

// A halt stops the making of signatures; anybody who administers may raise one. To clear one takes
// two people, each with a wallet of their own, who sign exactly what is cleared and why.

export interface HaltPorts {
  readonly halts: ChainHaltStore;
  readonly chainId: number;
  /** The wallets of those who may approve; none where the money is worthless. */
  readonly approvers: readonly Address[];
  /** Whether two of them have to. */
  readonly areApprovalsRequired: boolean;
}

export type HaltRefusal = 'halt_not_found' | 'halt_open' | 'approvals_required';

export interface HaltClearing {
  readonly id: string;
  readonly reason: string;
  /** Signatures over `clearingText` by different approvers. */
  readonly approvals: readonly `0x${string}`[];
}

/** Who acts by the administrator's key alone. */
const keyHolder = 'admin_api_key';

/** Halts signing by hand. */
export async function raiseHalt({ halts }: HaltPorts, detail: string): Promise<HaltRefusal | null> {
  return (await halts.raise({ kind: 'manual', detail }, keyHolder)) ? null : 'halt_open';
}

/** What an approver signs with a wallet (personal_sign). */
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
