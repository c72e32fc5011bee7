import { type Selectable, sql, type Transaction } from 'kysely';
import type {
  BindingRequest,
  BindingResult,
  Moment,
} from '../../application/referral/referral-ports.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { checkBinding } from '../../programs/referral/referral-refusal.ts';
import type { Tables } from '../tables.ts';
import { requireAccountId } from './account-rows.ts';
import { queueRegisterChange, writeLogs } from './change-records.ts';
import { takePosition } from './journal-position.ts';
import type { ReferralBindingsTable } from './referral-tables.ts';

export type BindingRow = Selectable<ReferralBindingsTable>;

/** The current binding. */
export async function findBinding(
  transaction: Transaction<Tables>,
  trader: AccountId,
): Promise<BindingRow | null> {
  const row = await transaction
    .selectFrom('referral_bindings')
    .selectAll()
    .where('trader_id', '=', String(trader))
    .where('unbound_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export async function bindTrader(
  transaction: Transaction<Tables>,
  { trader, code }: BindingRequest,
  moment: Moment,
): Promise<BindingResult> {
  const traderId = await requireAccountId(transaction, trader);
  const owner = await findCodeOwner(transaction, code);
  const refusal = checkBinding({
    isCodeKnown: owner !== null,
    isOwnCode: owner?.accountId === traderId,
    isBound: (await findBinding(transaction, traderId)) !== null,
    isOwnerBelowTrader:
      owner !== null && (await isBelow(transaction, { account: owner.accountId, above: traderId })),
  });
  if (refusal !== null) return { kind: 'refused', refusal };
  if (owner === null) return { kind: 'refused', refusal: 'code_not_found' };
  await writeLogs(transaction, moment.time, [
    { account: traderId, type: 'bind', counterparty: owner.address, code },
    { account: owner.accountId, type: 'bind', counterparty: trader, code },
  ]);
  await queueRegisterChange(transaction, { kind: 'binding', address: trader, code });
  const position = await takePosition(transaction, moment.durable);
  await transaction
    .insertInto('referral_bindings')
    .values({
      trader_id: traderId,
      trader_address: trader,
      referrer_id: owner.accountId,
      code,
      sub_rate: null,
      bound_at: moment.time,
      unbound_at: null,
      from_position: position,
      until_position: null,
    })
    .execute();
  return { kind: 'bound', referrer: owner.address };
}

/** Ends the binding and, for an affiliate, its sub_rate; what was earned is kept. */
export async function unbindTrader(
  transaction: Transaction<Tables>,
  trader: Address,
  moment: Moment,
): Promise<'not_bound' | null> {
  const traderId = await requireAccountId(transaction, trader);
  const binding = await findBinding(transaction, traderId);
  if (binding === null) return 'not_bound';
  const referrerId = Number(binding.referrer_id) as AccountId;
  const referrer = await requireAddress(transaction, referrerId);
  const { code } = binding;
  await writeLogs(transaction, moment.time, [
    { account: traderId, type: 'unbind', counterparty: referrer, code },
    { account: referrerId, type: 'unbind', counterparty: trader, code },
  ]);
  await queueRegisterChange(transaction, { kind: 'binding', address: trader, code: null });
  const position = await takePosition(transaction, moment.durable);
  await endSubRate(transaction, binding.id, position);
  await transaction
    .updateTable('referral_bindings')
    .set({ unbound_at: moment.time, until_position: position })
    .where('id', '=', binding.id)
    .execute();
  return null;
}

/** Ends a binding's current sub_rate, if it has one. */
export async function endSubRate(
  transaction: Transaction<Tables>,
  bindingId: string,
  position: number,
): Promise<void> {
  await transaction
    .updateTable('referral_sub_rates')
    .set({ until_position: position })
    .where('binding_id', '=', bindingId)
    .where('until_position', 'is', null)
    .execute();
}

interface CodeOwner {
  readonly accountId: AccountId;
  readonly address: Address;
}

async function findCodeOwner(
  transaction: Transaction<Tables>,
  code: string,
): Promise<CodeOwner | null> {
  const row = await transaction
    .selectFrom('referral_agents')
    .innerJoin('accounts', 'accounts.account_id', 'referral_agents.account_id')
    .select(['accounts.account_id', 'accounts.address'])
    .where('code', '=', code)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { accountId: Number(row.account_id) as AccountId, address: row.address as Address };
}

async function requireAddress(
  transaction: Transaction<Tables>,
  account: AccountId,
): Promise<Address> {
  const { address } = await transaction
    .selectFrom('accounts')
    .select('address')
    .where('account_id', '=', String(account))
    .executeTakeFirstOrThrow();
  return address as Address;
}

// Walks up from the account; current bindings have no cycle, so the walk ends.
async function isBelow(
  transaction: Transaction<Tables>,
  { account, above }: { readonly account: AccountId; readonly above: AccountId },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    WITH RECURSIVE up AS (
      SELECT referrer_id FROM referral_bindings
      WHERE trader_id = ${account} AND unbound_at IS NULL
      UNION ALL
      SELECT binding.referrer_id FROM up
      JOIN referral_bindings AS binding
        ON binding.trader_id = up.referrer_id AND binding.unbound_at IS NULL
    )
    SELECT EXISTS (SELECT FROM up WHERE referrer_id = ${above}) AS found`.execute(transaction);
  return rows[0]?.found ?? false;
}
