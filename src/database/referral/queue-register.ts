import type { Transaction } from 'kysely';
import type { Address } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';
import { queueRegisterChange } from './change-records.ts';
import { queueTerms } from './register-terms.ts';

/**
 * Queues everything that a register shows, for one that is new and shows nothing: codes, then the
 * referrers' terms, then bindings.
 */
export async function queueWholeRegister(transaction: Transaction<Tables>): Promise<void> {
  // What was on its way to another register is queued again below.
  await transaction.updateTable('register_changes').set({ batch_id: null }).execute();
  const agents = await transaction
    .selectFrom('referral_agents')
    .innerJoin('accounts', 'accounts.account_id', 'referral_agents.account_id')
    .select(['accounts.address', 'referral_agents.code'])
    .orderBy('referral_agents.account_id')
    .execute();
  for (const { address, code } of agents) {
    if (code === null) continue;
    await queueRegisterChange(transaction, { kind: 'code', address: address as Address, code });
  }
  for (const { address } of agents) await queueTerms(transaction, address as Address);
  const bindings = await transaction
    .selectFrom('referral_bindings')
    .select(['trader_address', 'code'])
    .where('until_position', 'is', null)
    .orderBy('id')
    .execute();
  for (const { trader_address, code } of bindings) {
    const address = trader_address as Address;
    await queueRegisterChange(transaction, { kind: 'binding', address, code });
  }
}
