import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { VipAccount, VipRecord, VipStore } from '../../application/vip/vip-ports.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { AccountId, TimestampMs } from '../../domain/identifiers.ts';
import {
  initialVipStanding,
  type VipStanding,
  type VipVerdict,
} from '../../programs/vip/review-vip.ts';
import { getVipTier } from '../../programs/vip/vip-tiers.ts';
import {
  shownVolumeDays,
  vipVolumeDays,
  volumeWindowStart,
} from '../../programs/vip/vip-volume.ts';
import type { DatabasePool } from '../database-pool.ts';
import { amountOf } from '../futures/futures-market-rows.ts';
import type { VipStandingsTable } from '../futures/futures-tables.ts';
import type { Tables } from '../tables.ts';

/** The channel notified with each tier change; the payload is the change's id. */
export const vipChannel = 'openbourse_vip';

interface FactsRow {
  readonly account_id: string;
  readonly tier: number | null;
  readonly pending_tier: number | null;
  readonly pending_at: Date | null;
  readonly override_tier: number | null;
  readonly volume: string;
  readonly is_referred: boolean;
}

export class DatabaseVipStore implements VipStore {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async list(
    accountIds: readonly AccountId[] | null,
    now: TimestampMs,
  ): Promise<readonly VipAccount[]> {
    const start = new Date(volumeWindowStart(now, vipVolumeDays));
    const chosen =
      accountIds === null
        ? chooseConcerned(start)
        : sql`SELECT unnest(${accountIds}::bigint[]) AS account_id`;
    const query = sql<FactsRow>`
      SELECT chosen.account_id, tier, pending_tier, pending_at, override_tier,
        coalesce(sum(hour.volume), 0)::text AS volume,
        EXISTS (SELECT FROM referral_bindings
          WHERE trader_id = chosen.account_id AND unbound_at IS NULL) AS is_referred
      FROM (${chosen}) AS chosen
      LEFT JOIN vip_standings AS standing USING (account_id)
      LEFT JOIN futures_volume_hours AS hour
        ON hour.account_id = chosen.account_id AND hour.hour >= ${start}
      GROUP BY chosen.account_id, tier, pending_tier, pending_at, override_tier`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    return rows.map(accountFromRow);
  }

  async change(
    accountId: AccountId,
    now: TimestampMs,
    decide: (account: VipAccount) => Promise<VipVerdict>,
  ): Promise<void> {
    await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const standing = await lockStatus(transaction, accountId, now);
        const volume = amountOf(await sumVolume(transaction, accountId, now, vipVolumeDays));
        const isReferred = await hasReferrer(transaction, accountId);
        const verdict = await decide({ accountId, standing, volume14Days: volume, isReferred });
        await updateStatus(transaction, accountId, verdict.standing, now);
        const { change } = verdict;
        if (change === null) return;
        const { id } = await transaction
          .insertInto('vip_changes')
          .values({
            account_id: accountId,
            kind: change.kind,
            from_tier: change.fromTier,
            to_tier: change.toTier,
            volume: formatAmount(volume),
            effective_at: new Date(change.effectiveAt),
            created_at: new Date(now),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await sql`SELECT pg_notify(${vipChannel}, ${id})`.execute(transaction);
      }),
    );
  }

  async load(accountId: AccountId, now: TimestampMs): Promise<VipRecord> {
    return this.#pool.query(async (db) => {
      // Read first, so that the standing includes this change and possibly later ones.
      const { last } = await db
        .selectFrom('vip_changes')
        .select(sql<string>`coalesce(max(id), 0)`.as('last'))
        .where('account_id', '=', String(accountId))
        .executeTakeFirstOrThrow();
      const row = await db
        .selectFrom('vip_standings')
        .selectAll()
        .where('account_id', '=', String(accountId))
        .executeTakeFirst();
      return {
        standing: row === undefined ? initialVipStanding : standingFromRow(row),
        volume14Days: amountOf(await sumVolume(db, accountId, now, vipVolumeDays)),
        volume30Days: amountOf(await sumVolume(db, accountId, now, shownVolumeDays)),
        lastChangeId: Number(last),
      };
    });
  }
}

/** Accounts that are above the lowest tier, have traded enough to be, or have a referrer. */
function chooseConcerned(start: Date) {
  return sql`
    SELECT account_id FROM vip_standings WHERE tier > 0 OR override_tier IS NOT NULL
    UNION
    SELECT trader_id FROM referral_bindings WHERE unbound_at IS NULL
    UNION
    SELECT account_id FROM futures_volume_hours WHERE hour >= ${start}
    GROUP BY account_id HAVING sum(volume) >= ${formatAmount(getVipTier(1).volumeMin)}::numeric`;
}

/** Locks and returns the account's standing until the transaction ends. */
async function lockStatus(
  transaction: Transaction<Tables>,
  accountId: AccountId,
  now: TimestampMs,
): Promise<VipStanding> {
  await transaction
    .insertInto('vip_standings')
    .values({ account_id: accountId, tier: 0, updated_at: new Date(now) })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
  const row = await transaction
    .selectFrom('vip_standings')
    .selectAll()
    .where('account_id', '=', String(accountId))
    .forUpdate()
    .executeTakeFirstOrThrow();
  return standingFromRow(row);
}

async function hasReferrer(db: Kysely<Tables>, accountId: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom('referral_bindings')
    .select('id')
    .where('trader_id', '=', String(accountId))
    .where('unbound_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

async function updateStatus(
  transaction: Transaction<Tables>,
  accountId: AccountId,
  { tier, pending, override }: VipStanding,
  now: TimestampMs,
): Promise<void> {
  await transaction
    .updateTable('vip_standings')
    .set({
      tier,
      pending_tier: pending?.tier ?? null,
      pending_at: pending === null ? null : new Date(pending.at),
      override_tier: override,
      updated_at: new Date(now),
    })
    .where('account_id', '=', String(accountId))
    .execute();
}

async function sumVolume(
  db: Kysely<Tables>,
  accountId: AccountId,
  now: TimestampMs,
  days: number,
): Promise<string> {
  const row = await db
    .selectFrom('futures_volume_hours')
    .select(sql<string>`coalesce(sum(volume), 0)::text`.as('volume'))
    .where('account_id', '=', String(accountId))
    .where('hour', '>=', new Date(volumeWindowStart(now, days)))
    .executeTakeFirstOrThrow();
  return row.volume;
}

function accountFromRow(row: FactsRow): VipAccount {
  return {
    accountId: Number(row.account_id) as AccountId,
    standing: row.tier === null ? initialVipStanding : standingFromRow({ ...row, tier: row.tier }),
    volume14Days: amountOf(row.volume),
    isReferred: row.is_referred,
  };
}

function standingFromRow(
  row: Pick<
    Selectable<VipStandingsTable>,
    'tier' | 'pending_tier' | 'pending_at' | 'override_tier'
  >,
): VipStanding {
  const { tier, pending_tier: pendingTier, pending_at: pendingAt } = row;
  const isPending = pendingTier !== null && pendingAt !== null;
  return {
    tier,
    pending: isPending ? { tier: pendingTier, at: pendingAt.getTime() as TimestampMs } : null,
    override: row.override_tier,
  };
}
