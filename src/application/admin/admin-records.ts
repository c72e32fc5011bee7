import type { Address } from '../../domain/identifiers.ts';
import { formatTime } from '../format-time.ts';
import type { Page, PageOf } from '../referral/referral-ports.ts';

// What administrators read: the accounts with their terms, and the audit log.

export interface AuditRow {
  readonly id: string;
  readonly action: string;
  /** The recorded JSON object. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly actor: string;
  /** Sequence of the command in the journal; null for a change of the database alone. */
  readonly sequence: number | null;
  readonly createdAt: Date;
}

export interface UserRow {
  readonly address: Address;
  readonly username: string | null;
  readonly createdAt: Date;
  readonly isMarketMaker: boolean;
  readonly vipTier: number;
  /** Set by an administrator; null if the volume decides. */
  readonly vipOverride: number | null;
  readonly agent: AgentTermsRow | null;
  readonly referrer: Address | null;
}

export interface AgentTermsRow {
  /** Null until the agent has created one. */
  readonly code: string | null;
  readonly tierLevel: number;
  /** A fraction as plain decimal text. */
  readonly rebateRate: string;
  readonly status: 'active' | 'suspended';
}

export interface AgentRow extends AgentTermsRow {
  readonly address: Address;
  readonly createdAt: Date;
  readonly traders: number;
}

export interface AuditFilter extends Page {
  /** Null: every action. */
  readonly action: string | null;
}

export interface UserFilter extends Page {
  /** A part of the address or name in any letter case; empty matches all. */
  readonly search: string;
}

/** Reads administration records, newest first. */
export interface AdminRecords {
  listAudit(filter: AuditFilter): Promise<PageOf<AuditRow>>;
  listUsers(filter: UserFilter): Promise<PageOf<UserRow>>;
  findUser(address: Address): Promise<UserRow | null>;
  listAgents(page: Page): Promise<PageOf<AgentRow>>;
}

export interface AdminRecordPorts {
  readonly adminRecords: AdminRecords;
}

/** The audit log, for an administrator. @throws DatabaseError */
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

/** The matching accounts, for an administrator. @throws DatabaseError */
export async function listUsers({ adminRecords }: AdminRecordPorts, filter: UserFilter) {
  const { items, total } = await adminRecords.listUsers(filter);
  return { items: items.map(viewUser), total };
}

/** One account, for an administrator; null if there is none. @throws DatabaseError */
export async function findUser({ adminRecords }: AdminRecordPorts, address: Address) {
  const user = await adminRecords.findUser(address);
  return user === null ? null : viewUser(user);
}

/** Accounts that have a code, or terms set in advance. @throws DatabaseError */
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

function viewTerms({ code, tierLevel, rebateRate, status }: AgentTermsRow) {
  return { code, tier_level: tierLevel, rebate_rate: rebateRate, status };
}
