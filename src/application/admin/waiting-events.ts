import { type Amount, formatAmount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { Address } from '../../domain/identifiers.ts';
import { amountFromRaw, cutForToken } from '../../programs/claims/token-units.ts';
import { ChainError } from '../ports/chain.ts';
import type { ChainLedger } from '../ports/chain-ledger.ts';
import type {
  DepositEnd,
  EventEvidence,
  EventRow,
  EvidenceReader,
  OperatorReason,
  WaitingEvent,
  WaitingEventStore,
} from '../ports/waiting-events.ts';
import type { WalletSettler } from '../wallet/wallet-settler.ts';
import { approvalsNeeded, findApprovers } from './approvals.ts';

// Chain events that contradict the database wait, with the later ones of their account, and so do
// deposits that cannot be credited. Retrying is harmless and requires one person; every other end
// requires two, as money depends on it.

export interface WaitingEventPorts {
  readonly events: WaitingEventStore;
  readonly ledger: Pick<ChainLedger, 'retryParked'>;
  readonly settler: Pick<WalletSettler, 'run'>;
  readonly evidence: EvidenceReader;
  readonly vault: { readonly contractAddress: Address | null };
  readonly chainId: number;
  /** The approvers' wallets; none if the money has no value. */
  readonly approvers: readonly Address[];
  /** Whether two of them have to approve. */
  readonly areApprovalsRequired: boolean;
  readonly newWithdrawalId: () => string;
}

export type WaitingEventRefusal =
  | 'event_not_waiting'
  | 'event_still_waits'
  | 'resolution_impossible'
  | 'asset_unknown'
  | 'amount_too_large'
  | 'chain_query_failed'
  | 'approvals_required';

/** How operators end an event that waits. */
export type EventEnd =
  | { readonly action: 'credit_as'; readonly token: string; readonly amount: Decimal }
  | { readonly action: 'return' }
  | { readonly action: 'write_off' }
  /** Null: it is a movement of the exchange's own money. */
  | { readonly action: 'link'; readonly withdrawalId: string | null };

export interface EventResolution {
  readonly id: string;
  readonly end: EventEnd;
  readonly reason: string;
  /** Signatures over `resolvingText` by different approvers. */
  readonly approvals: readonly `0x${string}`[];
}

const keyHolder = 'admin_api_key';

/** All that is known about an event that waits. */
export interface ShownEvent {
  readonly event: WaitingEvent;
  readonly row: EventRow | null;
  /** Null while the chain does not answer. */
  readonly evidence: EventEvidence | null;
}

export async function showEvent(
  { events, evidence }: WaitingEventPorts,
  id: string,
): Promise<ShownEvent | null> {
  const event = await events.find(id);
  if (event === null) return null;
  const row = await events.findRow(event);
  return { event, row, evidence: await orNull(evidence.load(event)) };
}

/** Retries all events that wait; null if this one was applied. */
export async function retryEvent(
  { events, ledger, settler }: WaitingEventPorts,
  id: string,
): Promise<WaitingEventRefusal | null> {
  if ((await events.find(id)) === null) return 'event_not_waiting';
  await ledger.retryParked();
  await settler.run();
  return (await events.find(id)) === null ? null : 'event_still_waits';
}

/** The text that an approver signs with a wallet (personal_sign). */
export function resolvingText(
  chainId: number,
  { id, event }: WaitingEvent,
  { end, reason }: Pick<EventResolution, 'end' | 'reason'>,
): string {
  return [
    `openbourse: resolve event ${id} on chain ${chainId}`,
    `Transaction: ${event.transactionHash}`,
    `Action: ${actionText(end)}`,
    `Reason: ${reason}`,
  ].join('\n');
}

function actionText(end: EventEnd): string {
  switch (end.action) {
    case 'credit_as':
      return `credit_as ${formatAmount(cutForToken(end.amount, amountDecimals))} ${end.token}`;
    case 'link':
      return `link ${end.withdrawalId ?? 'move'}`;
    default:
      return end.action;
  }
}

/** Ends an event as two approvers have signed; null if it has ended. */
export async function resolveEvent(
  ports: WaitingEventPorts,
  resolution: EventResolution,
): Promise<WaitingEventRefusal | null> {
  const { events, chainId, areApprovalsRequired, approvers } = ports;
  const { id, reason } = resolution;
  const event = await events.find(id);
  if (event === null) return 'event_not_waiting';
  const text = resolvingText(chainId, event, resolution);
  // Nobody decides about their own money.
  const others = approvers.filter((approver) => approver !== event.account);
  const people = await findApprovers(others, text, resolution.approvals);
  if (areApprovalsRequired && people.length < approvalsNeeded) return 'approvals_required';
  const by = people.length === 0 ? keyHolder : people.join(' and ');
  const refusal = await endEvent(ports, event, { resolution, decidedBy: { by, reason } });
  // Whatever the engine has to do follows from the rows, now or in the next pass.
  if (refusal === null) await ports.settler.run();
  return refusal;
}

interface Decision {
  readonly resolution: EventResolution;
  readonly decidedBy: OperatorReason;
}

async function endEvent(
  ports: WaitingEventPorts,
  event: WaitingEvent,
  { resolution, decidedBy }: Decision,
): Promise<WaitingEventRefusal | null> {
  const { events } = ports;
  const { id, end: wanted } = resolution;
  let isDone: boolean;
  if (wanted.action === 'write_off') {
    isDone = await events.writeOff(id, decidedBy);
  } else if (wanted.action === 'link') {
    if (event.event.type === 'vaultDeposited') return 'resolution_impossible';
    const { withdrawalId } = wanted;
    isDone =
      withdrawalId === null
        ? await events.writeOff(id, decidedBy, 'link_move')
        : await events.link(id, withdrawalId, decidedBy);
  } else {
    const found = await depositEnd(ports, event, wanted);
    if (typeof found === 'string') return found;
    isDone = await events.endDeposit(id, found, decidedBy);
  }
  return isDone ? null : 'resolution_impossible';
}

/** A withdrawal's amount counts in 10^-8. */
const amountDecimals = 8;

async function depositEnd(
  ports: WaitingEventPorts,
  { event }: WaitingEvent,
  wanted: Extract<EventEnd, { action: 'credit_as' | 'return' }>,
): Promise<DepositEnd | WaitingEventRefusal> {
  const { evidence, vault, chainId } = ports;
  if (event.type !== 'vaultDeposited') return 'resolution_impossible';
  const decimals = await orNull(evidence.loadDecimals(event.token));
  if (decimals === null || vault.contractAddress === null) return 'chain_query_failed';
  const whole = amountFromRaw(event.rawAmount, decimals);
  if (wanted.action === 'return') {
    if (whole <= 0n) return 'resolution_impossible';
    const token = evidence.findAssetAt(event.token)?.symbol ?? event.token;
    return {
      action: 'return',
      token,
      amount: whole,
      withdrawalId: ports.newWithdrawalId(),
      chainId,
      contractAddress: vault.contractAddress,
    };
  }
  const asset = evidence.findAsset(wanted.token);
  if (asset === null) return 'asset_unknown';
  const amount: Amount = cutForToken(wanted.amount, asset.decimals);
  if (amount <= 0n || amount > whole) return 'amount_too_large';
  return { action: 'credit_as', token: asset.symbol, amount };
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}
