import type { Address } from '../../domain/identifiers.ts';
import type { ChainLedger, WaitingEvent, WaitingEventStore } from '../ports-chain-ledger.ts';
import { approvalsNeeded, findApprovers } from './approvals.ts';

// Chain events that contradict the database wait, with the later ones of their account. Retrying is
// harmless and requires one person; ignoring one requires two, as money can depend on it.

export interface WaitingEventPorts {
  readonly events: WaitingEventStore;
  readonly ledger: Pick<ChainLedger, 'retryParked'>;
  readonly chainId: number;
  /** The approvers' wallets; none if the money has no value. */
  readonly approvers: readonly Address[];
  /** Whether two of them have to approve. */
  readonly areApprovalsRequired: boolean;
}

export type WaitingEventRefusal =
  | 'event_not_waiting'
  | 'event_still_waits'
  | 'event_is_deposit'
  | 'approvals_required';

const keyHolder = 'admin_api_key';

/** Retries it together with all that wait; null if it was applied. */
export async function retryEvent(
  { events, ledger }: WaitingEventPorts,
  id: string,
): Promise<WaitingEventRefusal | null> {
  if ((await events.find(id)) === null) return 'event_not_waiting';
  await ledger.retryParked();
  return (await events.find(id)) === null ? null : 'event_still_waits';
}

/** The text that an approver signs with a wallet (personal_sign). */
export function ignoringText(chainId: number, { id }: WaitingEvent, reason: string): string {
  return `openbourse: ignore event ${id} on chain ${chainId}\nReason: ${reason}`;
}

export interface EventIgnoring {
  readonly id: string;
  readonly reason: string;
  /** Signatures over `ignoringText` by different approvers. */
  readonly approvals: readonly `0x${string}`[];
}

/** Stops the event from holding back others. The books still count it, as it happened on chain. */
export async function ignoreEvent(
  ports: WaitingEventPorts,
  { id, reason, approvals }: EventIgnoring,
): Promise<WaitingEventRefusal | null> {
  const { events, chainId, areApprovalsRequired } = ports;
  const event = await events.find(id);
  if (event === null) return 'event_not_waiting';
  // The engine accepts an account's deposits in order, so none can be skipped.
  if (event.event.type === 'vaultDeposited') return 'event_is_deposit';
  const text = ignoringText(chainId, event, reason);
  const people = await findApprovers(ports.approvers, text, approvals);
  if (areApprovalsRequired && people.length < approvalsNeeded) return 'approvals_required';
  const by = people.length === 0 ? keyHolder : people.join(' and ');
  return (await events.ignore(id, by, reason)) ? null : 'event_not_waiting';
}
