import type { Transaction } from 'kysely';
import type { Moment, SubRateRequest } from '../../application/referral/referral-ports.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import {
  checkPromotion,
  checkSubRate,
  type PromotionRefusal,
  type SubRateRefusal,
} from '../../programs/referral/referral-refusal.ts';
import { decimalOf } from '../column-values.ts';
import type { Tables } from '../tables.ts';
import { findAccountId, requireAccountId } from './account-rows.ts';
import { findAgent } from './agents.ts';
import { type BindingRow, endSubRate, findBinding } from './bindings.ts';
import { type LogLine, writeLogs } from './change-records.ts';
import { takePosition } from './journal-position.ts';

/** Makes a direct trader of the caller its affiliate. */
export async function promoteTrader(
  transaction: Transaction<Tables>,
  request: SubRateRequest,
  moment: Moment,
): Promise<PromotionRefusal | null> {
  const callerId = await requireAccountId(transaction, request.caller);
  const targetId = await findAccountId(transaction, request.target);
  const agent = targetId === null ? null : await findAgent(transaction, targetId);
  const binding = await findBindingTo(transaction, targetId, callerId);
  const refusal = checkPromotion({
    isSelf: request.caller === request.target,
    subRate: request.subRate,
    ownRate: await loadOwnRate(transaction, callerId),
    isRegistered: targetId !== null,
    agentStatus: agent === null || agent.code === null ? null : agent.status,
    isBoundToCaller: binding !== null,
    isAffiliate: binding?.is_affiliate ?? false,
  });
  if (refusal !== null) return refusal;
  if (binding === null) return 'target_not_direct_trader';
  await startSubRate(transaction, { binding, callerId, type: 'promote' }, request, moment);
  return null;
}

export async function changeSubRate(
  transaction: Transaction<Tables>,
  request: SubRateRequest,
  moment: Moment,
): Promise<SubRateRefusal | null> {
  const callerId = await requireAccountId(transaction, request.caller);
  const targetId = await findAccountId(transaction, request.target);
  const binding = await findBindingTo(transaction, targetId, callerId);
  const isAffiliate = binding?.is_affiliate ?? false;
  const ownRate = await loadOwnRate(transaction, callerId);
  const refusal = checkSubRate({ subRate: request.subRate, ownRate, isAffiliate });
  if (refusal !== null) return refusal;
  if (binding === null) return 'affiliate_not_found';
  await startSubRate(transaction, { binding, callerId, type: 'sub_rate' }, request, moment);
  return null;
}

async function findBindingTo(
  transaction: Transaction<Tables>,
  trader: AccountId | null,
  referrer: AccountId,
): Promise<BindingRow | null> {
  const binding = trader === null ? null : await findBinding(transaction, trader);
  return binding !== null && Number(binding.referrer_id) === referrer ? binding : null;
}

// The rate that the account's parent passes down, otherwise its agent rate; the same as the pure
// rule.
async function loadOwnRate(transaction: Transaction<Tables>, account: AccountId): Promise<Decimal> {
  const binding = await findBinding(transaction, account);
  const subRate = binding?.sub_rate ?? null;
  if (subRate !== null) return decimalOf(subRate);
  return (await findAgent(transaction, account))?.rebateRate ?? (0n as Decimal);
}

interface SubRateStart {
  readonly binding: BindingRow;
  readonly callerId: AccountId;
  readonly type: 'promote' | 'sub_rate';
}

async function startSubRate(
  transaction: Transaction<Tables>,
  { binding, callerId, type }: SubRateStart,
  { caller, target, subRate }: SubRateRequest,
  moment: Moment,
): Promise<void> {
  const text = formatDecimal(subRate);
  const targetId = Number(binding.trader_id) as AccountId;
  const line: Pick<LogLine, 'type' | 'reference'> = { type, reference: text };
  await writeLogs(transaction, moment.time, [
    { ...line, account: callerId, counterparty: target },
    { ...line, account: targetId, counterparty: caller },
  ]);
  await transaction
    .updateTable('referral_bindings')
    .set({ is_affiliate: true, sub_rate: text })
    .where('id', '=', binding.id)
    .execute();
  const position = await takePosition(transaction, moment.durable);
  await endSubRate(transaction, binding.id, position);
  await transaction
    .insertInto('referral_sub_rates')
    .values({
      binding_id: binding.id,
      sub_rate: text,
      from_position: position,
      until_position: null,
    })
    .execute();
}
