import { type RawBuilder, sql } from 'kysely';
import type {
  AdminRecords,
  AgentRow,
  AuditFilter,
  AuditRow,
  UserFilter,
  UserRow,
} from '../../application/admin/admin-records.ts';
import type { Page, PageOf } from '../../application/referral/referral-ports.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import { adminActor } from '../projections/admin-records.ts';
import { likePattern, limitOf } from '../referral/select-traders.ts';

interface AuditColumns {
  id: string;
  action: string;
  detail: Record<string, unknown>;
  admin_actor: string;
  sequence: string | null;
  created_at: Date;
}

interface UserColumns {
  address: string;
  username: string | null;
  created_at: Date;
  is_market_maker: boolean;
  tier: number | null;
  override_tier: number | null;
  code: string | null;
  tier_level: number | null;
  rebate_rate: string | null;
  status: 'active' | 'suspended' | null;
  referrer: string | null;
}

interface AgentColumns {
  address: string;
  code: string | null;
  tier_level: number;
  rebate_rate: string;
  status: 'active' | 'suspended';
  created_at: Date;
  traders: string;
}

export class DatabaseAdminReader implements AdminRecords {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async listAudit({ action, ...page }: AuditFilter): Promise<PageOf<AuditRow>> {
    const where = action === null ? sql`true` : sql`action = ${action}`;
    const rows = await this.#run<AuditColumns>(sql`
      SELECT * FROM (${auditRows}) AS audit
      WHERE ${where} ORDER BY created_at DESC, id DESC ${limitOf(page)}`);
    const items = rows.map((row) => ({
      id: row.id,
      action: row.action,
      detail: row.detail,
      actor: row.admin_actor,
      sequence: row.sequence === null ? null : Number(row.sequence),
      createdAt: row.created_at,
    }));
    return { items, total: await this.#count(sql`FROM (${auditRows}) AS audit WHERE ${where}`) };
  }

  async listUsers({ search, ...page }: UserFilter): Promise<PageOf<UserRow>> {
    const pattern = likePattern(search.toLowerCase());
    const where = sql`own.address LIKE ${pattern} OR lower(own.username) LIKE ${pattern}`;
    const rows = await this.#run<UserColumns>(sql`
      ${selectUsers} WHERE ${where} ORDER BY own.account_id DESC ${limitOf(page)}`);
    const total = await this.#count(sql`FROM accounts AS own WHERE ${where}`);
    return { items: rows.map(userFromRow), total };
  }

  async findUser(address: Address): Promise<UserRow | null> {
    const [row] = await this.#run<UserColumns>(sql`${selectUsers} WHERE own.address = ${address}`);
    return row === undefined ? null : userFromRow(row);
  }

  async listAgents(page: Page): Promise<PageOf<AgentRow>> {
    const rows = await this.#run<AgentColumns>(sql`
      SELECT address, code, tier_level, rebate_rate, status, agent.created_at,
        (SELECT count(*) FROM referral_bindings AS binding
         WHERE binding.referrer_id = agent.account_id AND NOT is_affiliate
           AND unbound_at IS NULL) AS traders
      FROM referral_agents AS agent JOIN accounts USING (account_id)
      ORDER BY agent.created_at DESC, account_id DESC ${limitOf(page)}`);
    const items = rows.map((row) => ({
      address: row.address as Address,
      code: row.code,
      tierLevel: row.tier_level,
      rebateRate: plain(row.rebate_rate),
      status: row.status,
      createdAt: row.created_at,
      traders: Number(row.traders),
    }));
    return { items, total: await this.#count(sql`FROM referral_agents`) };
  }

  async #run<Row>(query: RawBuilder<unknown>): Promise<readonly Row[]> {
    const { rows } = await this.#pool.query((db) => (query as RawBuilder<Row>).execute(db));
    return rows;
  }

  async #count(from: RawBuilder<unknown>): Promise<number> {
    const [row] = await this.#run<{ count: string }>(sql`SELECT count(*) ${from}`);
    return Number(row?.count ?? 0);
  }
}

// Test credits have a separate table; faucet draws are not administration.
const auditRows = sql`
  SELECT 'audit-' || id AS id, action, detail, admin_actor, sequence, created_at FROM admin_audit
  UNION ALL
  SELECT 'credit-' || sequence, 'credit_balance',
    jsonb_build_object('address', user_address, 'token', token, 'amount', amount::text,
      'reason', reason, 'reference', reference),
    admin_actor, sequence, created_at
  FROM spot_admin_credits WHERE admin_actor = ${adminActor}`;

const selectUsers = sql`
  SELECT own.address, own.username, own.created_at, own.is_market_maker, vip.tier,
    vip.override_tier, agent.code, agent.tier_level, agent.rebate_rate, agent.status,
    referrer.address AS referrer
  FROM accounts AS own
  LEFT JOIN vip_standings AS vip ON vip.account_id = own.account_id
  LEFT JOIN referral_agents AS agent ON agent.account_id = own.account_id
  LEFT JOIN referral_bindings AS binding
    ON binding.trader_id = own.account_id AND binding.unbound_at IS NULL
  LEFT JOIN accounts AS referrer ON referrer.account_id = binding.referrer_id`;

function userFromRow(row: UserColumns): UserRow {
  const { tier_level: tierLevel, rebate_rate: rate, status } = row;
  const isAgent = tierLevel !== null && rate !== null && status !== null;
  return {
    address: row.address as Address,
    username: row.username,
    createdAt: row.created_at,
    isMarketMaker: row.is_market_maker,
    vipTier: row.override_tier ?? row.tier ?? 0,
    vipOverride: row.override_tier,
    agent: isAgent ? { code: row.code, tierLevel, rebateRate: plain(rate), status } : null,
    referrer: row.referrer as Address | null,
  };
}

/** Without the trailing zeros that a numeric column may keep. */
function plain(rate: string): string {
  return rate.includes('.') ? rate.replace(/\.?0+$/, '') : rate;
}
