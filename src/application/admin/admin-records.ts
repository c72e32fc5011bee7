import type { Address } from '../../domain/identifiers.ts';
import { formatTime } from '../format-time.ts';
import type { Page, PageOf } from '../referral/referral-ports.ts';

// What an administrator reads: who has accounts and on what terms, and what was administered.

export interface AuditRow {
  readonly id: string;
  readonly action: string;
  /** As it was recorded: a JSON object. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly actor: string;
  /** Of the command in the journal; null for what changed the database alone. */
  readonly sequence: number | null;
  readonly createdAt: Date;
}

export interface UserRow {
  readonly address: Address;
  readonly username: string | null;
  readonly createdAt: Date;
  readonly isMarketMaker: boolean;
  readonly vipTier: number;
  /** Set by an administrator; null: by volume. */
  readonly vipOverride: number | null;
  readonly agent: AgentTerms | null;
  readonly referrer: Address | null;
}

export interface AgentTerms {
  /** Null before the agent has made one. */
  readonly code: string | null;
  readonly tierLevel: number;
  /** A fraction, as a plain decimal. */
  readonly rebateRate: string;
  readonly status: 'active' | 'suspended';
}

export interface AgentRow extends AgentTerms {
  readonly address: Address;
  readonly createdAt: Date;
  readonly traders: number;
}

export interface AuditFilter extends Page {
  /** Null: every action. */
  readonly action: string | null;
}

export interface UserFilter extends Page {
  /** A part of the address or name, in any letter case; empty: everybody. */
  readonly search: string;
}

/** Reads what was kept, newest first. */
export interface AdminRecords {
  listAudit(filter: AuditFilter): Promise<PageOf<AuditRow>>;
  listUsers(filter: UserFilter): Promise<PageOf<UserRow>>;
  findUser(address: Address): Promise<UserRow | null>;
  listAgents(page: Page): Promise<PageOf<AgentRow>>;
}

export interface AdminRecordPorts {
  readonly adminRecords: AdminRecords;
}

/** What was administered, for an administrator. @throws DatabaseError */
export async function listAudit({ adminRecords }: AdminRecordPorts, filter: AuditFilter) {
  const { items, total } = await adminRecords.listAudit(filter);
  return {
    items: items.map(({ createdAt, ...row }) => ({
      ...row,
      created_at: formatTime(createdAt.getTime()),
    })),
    total,
  };
}

/** The accounts that fit, for an administrator. @throws DatabaseError */
export async function listUsers({ adminRecords }: AdminRecordPorts, filter: UserFilter) {
  const { items, total } = await adminRecords.listUsers(filter);
  return { items: items.map(viewUser), total };
}

/** One account, for an administrator; null where there is none. @throws DatabaseError */
export async function findUser({ adminRecords }: AdminRecordPorts, address: Address) {
  const user = await adminRecords.findUser(address);
  return user === null ? null : viewUser(user);
}

/** Whoever has a code, or terms given in advance. @throws DatabaseError */
export async function listAgents({ adminRecords }: AdminRecordPorts, page: Page) {
  const { items, total } = await adminRecords.listAgents(page);
  return {
    items: items.map(({ address, createdAt, traders, ...terms }) => ({
      address,
      ...viewTerms(terms),
      direct_traders: traders,
      created_at: formatTime(createdAt.getTime()),
    })),
    total,
  };
}

export type UserView = ReturnType<typeof viewUser>;

function viewUser(user: UserRow) {
  return {
    address: user.address,
    username: user.username,
    created_at: formatTime(user.createdAt.getTime()),
    is_market_maker: user.isMarketMaker,
    vip_tier: user.vipTier,
    vip_override: user.vipOverride,
    agent: user.agent === null ? null : viewTerms(user.agent),
    referrer: user.referrer,
  };
}

function viewTerms({ code, tierLevel, rebateRate, status }: AgentTerms) {
  return { code, tier_level: tierLevel, rebate_rate: rebateRate, status };
}
