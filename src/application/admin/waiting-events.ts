import type { Address } from '../../domain/identifiers.ts';
import type { ChainLedger, WaitingEvent, WaitingEventStore } from '../ports-chain-ledger.ts';
import { approvalsNeeded, findApprovers } from './approvals.ts';

// Events of the chain that contradict the database wait, with the later ones of their account.
// Trying again does no harm and takes one person; to ignore one takes two, as money may hang on it.

export interface WaitingEventPorts {
  readonly events: WaitingEventStore;
  readonly ledger: Pick<ChainLedger, 'retryParked'>;
  readonly chainId: number;
  /** The wallets of those who may approve; none where the money is worthless. */
  readonly approvers: readonly Address[];
  /** Whether two of them have to. */
  readonly areApprovalsRequired: boolean;
}

export type WaitingEventRefusal =
  | 'event_not_waiting'
  | 'event_still_waits'
  | 'event_is_deposit'
  | 'approvals_required';

const keyHolder = 'admin_api_key';

/** Tries it once more, with all that wait; null where it is applied. */
export async function retryEvent(
  { events, ledger }: WaitingEventPorts,
  id: string,
): Promise<WaitingEventRefusal | null> {
  if ((await events.find(id)) === null) return 'event_not_waiting';
  await ledger.retryParked();
  return (await events.find(id)) === null ? null : 'event_still_waits';
}

/** What an approver signs with a wallet (personal_sign). */
export function ignoringText(chainId: number, { id }: WaitingEvent, reason: string): string {
  return `openbourse: ignore event ${id} on chain ${chainId}\nReason: ${reason}`;
}

export interface EventIgnoring {
  readonly id: string;
  readonly reason: string;
  /** Signatures over `ignoringText` by different approvers. */
  readonly approvals: readonly `0x${string}`[];
}

/** Has it hold back nothing any more. The chain has done it all the same, so the books count it. */
export async function ignoreEvent(
  ports: WaitingEventPorts,
  { id, reason, approvals }: EventIgnoring,
): Promise<WaitingEventRefusal | null> {
  const { events, chainId, areApprovalsRequired } = ports;
  const event = await events.find(id);
  if (event === null) return 'event_not_waiting';
  // The engine takes an account's deposits in turn, so none can be left out.
  if (event.event.type === 'vaultDeposited') return 'event_is_deposit';
  const text = ignoringText(chainId, event, reason);
  const people = await findApprovers(ports.approvers, text, approvals);
  if (areApprovalsRequired && people.length < approvalsNeeded) return 'approvals_required';
  const by = people.length === 0 ? keyHolder : people.join(' and ');
  return (await events.ignore(id, by, reason)) ? null : 'event_not_waiting';
}
