import { sql } from 'kysely';
import type {
  AffiliateRow,
  CommissionSums,
  DownlineCounts,
  EarnedDay,
  Page,
  PageOf,
  ReferralLog,
  ReferralLogType,
  ReferralReader,
  ReferralState,
  TraderFilter,
  TraderRow,
} from '../../application/referral/referral-ports.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { toMicroUsdt, zeroMicroUsdt } from '../../domain/micro-usdt.ts';
import type { AgentStatus } from '../../programs/referral/share-fee.ts';
import { decimalOf } from '../column-values.ts';
import type { DatabasePool } from '../database-pool.ts';
import { findAccountId } from './account-rows.ts';
import { microUsdtOf } from './decimal-columns.ts';
import { countBound, limitOf, selectAffiliates, selectTraders } from './select-traders.ts';

const emptyPage = { items: [], total: 0 } as const;

const noSums: CommissionSums = {
  spotDirect: zeroMicroUsdt,
  futuresDirect: zeroMicroUsdt,
  spread: zeroMicroUsdt,
  unsynced: zeroMicroUsdt,
  failed: zeroMicroUsdt,
  claimable: zeroMicroUsdt,
  claimed: zeroMicroUsdt,
};

interface EarnedDayColumns {
  readonly day: string;
  readonly spot_direct: string;
  readonly futures_direct: string;
  readonly spread: string;
}

/** An address without an account has empty results. */
export class DatabaseReferralReader implements ReferralReader {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async loadStanding(account: Address): Promise<ReferralState> {
    const { rows } = await this.#pool.query((db) =>
      sql<StandingColumns>`
        SELECT agent.code, agent.tier_level, agent.rebate_rate, agent.status,
          referrer.address AS referrer, binding.code AS referrer_code, binding.bound_at,
          binding.sub_rate
        FROM accounts AS own
        LEFT JOIN referral_agents AS agent ON agent.account_id = own.account_id
        LEFT JOIN referral_bindings AS binding
          ON binding.trader_id = own.account_id AND binding.unbound_at IS NULL
        LEFT JOIN accounts AS referrer ON referrer.account_id = binding.referrer_id
        WHERE own.address = ${account}`.execute(db),
    );
    const [row] = rows;
    return row === undefined ? { agent: null, binding: null } : standingFromRow(row);
  }

  async countDownline(account: Address): Promise<DownlineCounts> {
    const accountId = await this.#findAccountId(account);
    if (accountId === null) return { traders: 0, affiliates: 0, affiliatesTraders: 0 };
    const traders = await countBound(this.#pool, accountId, { isAffiliate: false });
    const affiliates = await countBound(this.#pool, accountId, { isAffiliate: true });
    const { rows } = await this.#pool.query((db) =>
      sql<{ count: string }>`
        SELECT count(*) FROM referral_bindings AS affiliate
        JOIN referral_bindings AS own
          ON own.referrer_id = affiliate.trader_id AND own.unbound_at IS NULL
        WHERE affiliate.referrer_id = ${accountId} AND affiliate.is_affiliate
          AND affiliate.unbound_at IS NULL`.execute(db),
    );
    return { traders, affiliates, affiliatesTraders: Number(rows[0]?.count ?? 0) };
  }

  async countActiveTraders(account: Address, since: Date): Promise<number> {
    const accountId = await this.#findAccountId(account);
    if (accountId === null) return 0;
    const { rows } = await this.#pool.query((db) =>
      sql<{ count: string }>`
        SELECT count(*) FROM referral_bindings AS binding
        WHERE referrer_id = ${accountId} AND NOT is_affiliate AND unbound_at IS NULL
          AND EXISTS (
            SELECT FROM referral_source_totals
            WHERE beneficiary_id = ${accountId} AND type = 'direct'
              AND source_id = binding.trader_id AND last_trade_at >= ${since})`.execute(db),
    );
    return Number(rows[0]?.count ?? 0);
  }

  async listEarnedDays(account: Address, since: Date): Promise<readonly EarnedDay[]> {
    const { rows } = await this.#pool.query((db) =>
      sql<EarnedDayColumns>`
        SELECT to_char(day, 'YYYY-MM-DD') AS day, spot_direct, futures_direct, spread
        FROM referral_earned_days AS earned
        JOIN accounts ON accounts.account_id = earned.account_id
        WHERE accounts.address = ${account}
          AND day >= (${since}::timestamptz AT TIME ZONE 'UTC')::date
        ORDER BY earned.day DESC`.execute(db),
    );
    return rows.map((row) => ({
      day: row.day,
      spotDirect: microUsdtOf(row.spot_direct),
      futuresDirect: microUsdtOf(row.futures_direct),
      spread: microUsdtOf(row.spread),
    }));
  }

  async loadSums(account: Address): Promise<CommissionSums> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('accounts')
        .innerJoin('referral_earned as earned', 'earned.account_id', 'accounts.account_id')
        .leftJoin('referral_settled as settled', 'settled.account_id', 'accounts.account_id')
        .select(['spot_direct', 'futures_direct', 'spread', 'claimable', 'claimed', 'failed'])
        .where('accounts.address', '=', account)
        .executeTakeFirst(),
    );
    if (row === undefined) return noSums;
    const spotDirect = microUsdtOf(row.spot_direct);
    const futuresDirect = microUsdtOf(row.futures_direct);
    const spread = microUsdtOf(row.spread);
    const claimable = microUsdtOf(row.claimable ?? '0');
    const claimed = microUsdtOf(row.claimed ?? '0');
    const failed = microUsdtOf(row.failed ?? '0');
    const earned = spotDirect + futuresDirect + spread;
    const unsynced = toMicroUsdt(earned - claimable - claimed - failed);
    return { spotDirect, futuresDirect, spread, unsynced, failed, claimable, claimed };
  }

  async listLogs(
    account: Address,
    type: ReferralLogType | null,
    page: Page,
  ): Promise<PageOf<ReferralLog>> {
    const accountId = await this.#findAccountId(account);
    if (accountId === null) return emptyPage;
    const ofType = type === null ? sql`` : sql`AND type = ${type}`;
    const { rows } = await this.#pool.query((db) =>
      sql<LogColumns>`
        SELECT id, type, counterparty, code, amount, reference, created_at FROM referral_logs
        WHERE account_id = ${accountId} ${ofType} ORDER BY id DESC ${limitOf(page)}`.execute(db),
    );
    const counted = await this.#pool.query((db) =>
      sql<{ count: string }>`
        SELECT count(*) FROM referral_logs WHERE account_id = ${accountId} ${ofType}`.execute(db),
    );
    return { items: rows.map(logFromRow), total: Number(counted.rows[0]?.count ?? 0) };
  }

  async listTraders(filter: TraderFilter): Promise<PageOf<TraderRow>> {
    const accountId = await this.#findAccountId(filter.account);
    return accountId === null ? emptyPage : selectTraders(this.#pool, accountId, filter);
  }

  async listAffiliates(account: Address, page: Page): Promise<PageOf<AffiliateRow>> {
    const accountId = await this.#findAccountId(account);
    return accountId === null ? emptyPage : selectAffiliates(this.#pool, accountId, page);
  }

  async #findAccountId(account: Address): Promise<AccountId | null> {
    return this.#pool.query((db) => findAccountId(db, account));
  }
}

interface StandingColumns {
  code: string | null;
  tier_level: number | null;
  rebate_rate: string | null;
  status: string | null;
  referrer: string | null;
  referrer_code: string | null;
  bound_at: Date | null;
  sub_rate: string | null;
}

interface LogColumns {
  id: string;
  type: string;
  counterparty: string | null;
  code: string | null;
  amount: string | null;
  reference: string | null;
  created_at: Date;
}

function standingFromRow(row: StandingColumns): ReferralState {
  const { rebate_rate: rate, tier_level: tierLevel, bound_at: boundAt } = row;
  return {
    agent:
      rate === null || tierLevel === null
        ? null
        : {
            code: row.code,
            tierLevel,
            rebateRate: decimalOf(rate),
            status: row.status as AgentStatus,
          },
    binding:
      boundAt === null
        ? null
        : {
            referrer: row.referrer as Address,
            code: row.referrer_code ?? '',
            boundAt,
            subRate: row.sub_rate === null ? null : decimalOf(row.sub_rate),
          },
  };
}

function logFromRow(row: LogColumns): ReferralLog {
  return {
    id: Number(row.id),
    type: row.type as ReferralLogType,
    counterparty: row.counterparty as Address | null,
    code: row.code,
    amount: row.amount === null ? null : microUsdtOf(row.amount),
    reference: row.reference,
    createdAt: row.created_at,
  };
}
