import type { Transaction } from 'kysely';
import type { Decimal } from '../../domain/decimal.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { ownRate } from '../../programs/referral/share-fee.ts';
import { decimalOf } from '../column-values.ts';
import type { Tables } from '../tables.ts';
import { findAccountId, requireAccountId } from './account-rows.ts';
import { findAgent } from './agents.ts';
import { findBinding } from './bindings.ts';
import { queueRegisterChange } from './change-records.ts';

/**
 * Queues the rate that a referrer actually earns for the on-chain register: the rate that its
 * parent passes down, otherwise its agent rate, and zero while it is suspended.
 */
export async function queueTerms(
  transaction: Transaction<Tables>,
  address: Address,
): Promise<void> {
  const accountId = await requireAccountId(transaction, address);
  const agent = await findAgent(transaction, accountId);
  if (agent === null) return;
  const binding = await findBinding(transaction, accountId);
  const subRate = binding?.sub_rate ?? null;
  const rate = ownRate(accountId, {
    findReferral: () =>
      binding === null
        ? null
        : {
            referrer: Number(binding.referrer_id) as AccountId,
            subRate: subRate === null ? null : decimalOf(subRate),
          },
    findAgent: () => agent,
  });
  await queueRegisterChange(transaction, {
    kind: 'terms',
    address,
    tierLevel: agent.tierLevel,
    rebateRate: agent.status === 'active' ? rate : (0n as Decimal),
  });
}

/** Whether the account earns at a rate that its parent passes down. */
export async function hasSubRate(
  transaction: Transaction<Tables>,
  address: Address,
): Promise<boolean> {
  const accountId = await findAccountId(transaction, address);
  if (accountId === null) return false;
  const binding = await findBinding(transaction, accountId);
  return binding !== null && binding.sub_rate !== null;
}
