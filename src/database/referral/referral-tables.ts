import type { Generated, GeneratedAlways } from 'kysely';
import type { DecimalText, Int8, Timestamp } from '../column-types.ts';

// The tables of referral and claims as queries see them. Numbers that can exceed 2^53 and decimals
// are texts.

export interface ReferralTables {
  referral_agents: ReferralAgentsTable;
  referral_agent_terms: ReferralAgentTermsTable;
  referral_bindings: ReferralBindingsTable;
  referral_sub_rates: ReferralSubRatesTable;
  referral_earnings: ReferralEarningsTable;
  referral_earned: ReferralEarnedTable;
  referral_earned_days: ReferralEarnedDaysTable;
  referral_settled: ReferralSettledTable;
  commission_claims: CommissionClaimsTable;
  commission_claim_items: CommissionClaimItemsTable;
  reward_redemptions: RewardRedemptionsTable;
  reward_vouchers: RewardVouchersTable;
  referral_logs: ReferralLogsTable;
  register_changes: RegisterChangesTable;
  settlement_batches: SettlementBatchesTable;
  settlement_items: SettlementItemsTable;
}

interface ReferralAgentsTable {
  account_id: Int8;
  code: string | null;
  tier_level: number;
  rebate_rate: DecimalText;
  status: string;
  created_at: Timestamp;
}

interface Span {
  from_position: Int8;
  until_position: Int8 | null;
}

interface ReferralAgentTermsTable extends Span {
  account_id: Int8;
  rebate_rate: DecimalText;
  status: string;
}

export interface ReferralBindingsTable extends Span {
  id: GeneratedAlways<string>;
  trader_id: Int8;
  trader_address: string;
  referrer_id: Int8;
  code: string;
  is_affiliate: Generated<boolean>;
  sub_rate: DecimalText | null;
  bound_at: Timestamp;
  unbound_at: Timestamp | null;
}

interface ReferralSubRatesTable extends Span {
  binding_id: Int8;
  sub_rate: DecimalText;
}

interface ReferralEarningsTable {
  id: GeneratedAlways<string>;
  beneficiary_id: Int8;
  type: string;
  business_line: string;
  trade_number: Int8;
  side: string;
  part: Generated<number>;
  whole_id: Int8 | null;
  place: GeneratedAlways<string>;
  trader_id: Int8;
  source_id: Int8;
  fee_value: DecimalText;
  rate: DecimalText;
  commission: DecimalText;
  status: Generated<string>;
  claimed_at: Timestamp | null;
  chain_sync_status: Generated<string>;
  chain_sync_tx: string | null;
  chain_sync_block: Int8 | null;
  chain_sync_error: string | null;
  chain_sync_attempts: Generated<number>;
  settle_generation: Generated<number>;
  created_at: Timestamp;
  sequence: Int8;
}

interface ReferralEarnedTable {
  account_id: Int8;
  spot_direct: DecimalText;
  futures_direct: DecimalText;
  spread: DecimalText;
}

interface ReferralEarnedDaysTable extends ReferralEarnedTable {
  day: Timestamp;
}

interface ReferralSettledTable {
  account_id: Int8;
  claimable: Generated<string>;
  claimed: Generated<string>;
  failed: Generated<string>;
  settle_generation: Generated<number>;
}

export interface CommissionClaimsTable {
  id: GeneratedAlways<string>;
  claim_no: string;
  account_id: Int8;
  origin: string;
  amount: DecimalText;
  covered: Generated<string>;
  status: string;
  nonce: Int8;
  deadline: Int8 | null;
  tx_hash: string | null;
  failure_reason: string | null;
  applied_at: Timestamp;
  finished_at: Timestamp | null;
  is_live: GeneratedAlways<boolean>;
}

interface CommissionClaimItemsTable {
  earning_id: Int8;
  claim_id: Int8;
  is_live: Generated<boolean>;
}

interface RewardRedemptionsTable {
  account_id: Int8;
  nonce: Int8;
  amount: DecimalText;
  claim_id: Int8;
  tx_hash: string;
  block_number: Int8;
}

interface RewardVouchersTable {
  id: GeneratedAlways<string>;
  account_id: Int8;
  amount: DecimalText;
  nonce: Int8;
  deadline: Int8;
  created_at: Timestamp;
}

interface ReferralLogsTable {
  id: GeneratedAlways<string>;
  account_id: Int8;
  type: string;
  counterparty: string | null;
  code: string | null;
  amount: DecimalText | null;
  reference: string | null;
  created_at: Timestamp;
}

export interface RegisterChangesTable {
  id: GeneratedAlways<string>;
  kind: string;
  address: string;
  code: string | null;
  tier_level: number | null;
  rebate_rate: DecimalText | null;
  batch_id: Int8 | null;
}

interface SettlementBatchesTable {
  id: GeneratedAlways<string>;
  created_at: Generated<Date>;
}

interface SettlementItemsTable {
  batch_id: Int8;
  account_id: Int8;
  total: DecimalText;
  through_place: Int8;
  generation: number;
  is_open: Generated<boolean>;
  settled_block: Int8 | null;
}
