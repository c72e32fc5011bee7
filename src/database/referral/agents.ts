import type { Transaction } from 'kysely';
import type {
  AgentChange,
  CodeRequest,
  Moment,
} from '../../application/referral/referral-ports.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { type CodeRefusal, checkCode } from '../../programs/referral/referral-refusal.ts';
import type { AgentStatus } from '../../programs/referral/share-fee.ts';
import { getTier } from '../../programs/referral/tiers.ts';
import { decimalOf } from '../column-values.ts';
import { insertAudit } from '../insert-audit.ts';
import type { Tables } from '../tables.ts';
import { findAccountId, requireAccountId } from './account-rows.ts';
import { queueRegisterChange, writeLogs } from './change-records.ts';
import { takePosition } from './journal-position.ts';

export interface AgentRow {
  readonly code: string | null;
  readonly tierLevel: number;
  readonly rebateRate: Decimal;
  readonly status: AgentStatus;
}

type Terms = Omit<AgentRow, 'code'>;

const starterTerms: Terms = { tierLevel: 0, rebateRate: getTier(0).rebateRate, status: 'active' };

export async function findAgent(
  transaction: Transaction<Tables>,
  account: AccountId,
): Promise<AgentRow | null> {
  const row = await transaction
    .selectFrom('referral_agents')
    .selectAll()
    .where('account_id', '=', String(account))
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    code: row.code,
    tierLevel: row.tier_level,
    rebateRate: decimalOf(row.rebate_rate),
    status: row.status as AgentStatus,
  };
}

/** A code makes its owner an agent, at the Starter rate unless an administrator set another. */
export async function createCode(
  transaction: Transaction<Tables>,
  { account, code }: CodeRequest,
  moment: Moment,
): Promise<CodeRefusal | null> {
  const accountId = await requireAccountId(transaction, account);
  const agent = await findAgent(transaction, accountId);
  const owner = await transaction
    .selectFrom('referral_agents')
    .select('account_id')
    .where('code', '=', code)
    .executeTakeFirst();
  const hasCode = agent !== null && agent.code !== null;
  const refusal = checkCode({ code, isTaken: owner !== undefined, hasCode });
  if (refusal !== null) return refusal;
  if (agent === null) await addAgent(transaction, accountId, moment);
  await transaction
    .updateTable('referral_agents')
    .set({ code })
    .where('account_id', '=', String(accountId))
    .execute();
  await writeLogs(transaction, moment.time, [{ account: accountId, type: 'create', code }]);
  await queueRegisterChange(transaction, { kind: 'code', address: account, code });
  if (agent === null) await startTerms(transaction, accountId, starterTerms, moment);
  return null;
}

/** Changes an agent's terms for an administrator; an account that is not an agent becomes one. */
export async function changeAgent(
  transaction: Transaction<Tables>,
  change: AgentChange,
  moment: Moment,
): Promise<'account_not_found' | null> {
  const { account } = change;
  const accountId = await findAccountId(transaction, account);
  if (accountId === null) return 'account_not_found';
  const agent = await findAgent(transaction, accountId);
  if (agent === null) await addAgent(transaction, accountId, moment);
  const terms = changedTerms(agent ?? starterTerms, change);
  await transaction
    .updateTable('referral_agents')
    .set({
      tier_level: terms.tierLevel,
      rebate_rate: formatDecimal(terms.rebateRate),
      status: terms.status,
    })
    .where('account_id', '=', String(accountId))
    .execute();
  const { tierLevel, rebateRate, status } = terms;
  const detail = {
    address: account,
    tier_level: tierLevel,
    rebate_rate: formatDecimal(rebateRate),
    status,
  };
  await insertAudit(transaction, { action: 'set_referral_agent', detail });
  await startTerms(transaction, accountId, terms, moment);
  return null;
}

function changedTerms(present: Terms, change: AgentChange): Terms {
  const tierLevel = change.tierLevel ?? present.tierLevel;
  const tierRate = change.tierLevel === null ? present.rebateRate : getTier(tierLevel).rebateRate;
  return {
    tierLevel,
    rebateRate: change.rebateRate ?? tierRate,
    status: change.status ?? present.status,
  };
}

async function addAgent(
  transaction: Transaction<Tables>,
  account: AccountId,
  { time }: Moment,
): Promise<void> {
  await transaction
    .insertInto('referral_agents')
    .values({
      account_id: account,
      code: null,
      tier_level: starterTerms.tierLevel,
      rebate_rate: formatDecimal(starterTerms.rebateRate),
      status: starterTerms.status,
      created_at: time,
    })
    .execute();
}

async function startTerms(
  transaction: Transaction<Tables>,
  account: AccountId,
  { rebateRate, status }: Terms,
  { durable }: Moment,
): Promise<void> {
  const position = await takePosition(transaction, durable);
  await transaction
    .updateTable('referral_agent_terms')
    .set({ until_position: position })
    .where('account_id', '=', String(account))
    .where('until_position', 'is', null)
    .execute();
  await transaction
    .insertInto('referral_agent_terms')
    .values({
      account_id: account,
      rebate_rate: formatDecimal(rebateRate),
      status,
      from_position: position,
      until_position: null,
    })
    .execute();
}
