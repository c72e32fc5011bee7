import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { DecimalText, Int8, Timestamp } from '../column-types.ts';

// The tables of the wallet as queries see them. Numbers that can exceed 2^53 are texts.

export interface WalletTables {
  spot_deposits: SpotDepositsTable;
  withdrawals: WithdrawalsTable;
  withdrawal_reviews: WithdrawalReviewsTable;
  withdrawal_funds: WithdrawalFundsTable;
  wallet_transfers: WalletTransfersTable;
  wallet_pauses: WalletPausesTable;
}

export interface SpotDepositsTable {
  position: GeneratedAlways<string>;
  /** Defaults to the counted vault. */
  contract_id: Generated<string | null>;
  account: string;
  number: Int8;
  token_address: string;
  raw_amount: DecimalText;
  tx_hash: string;
  /** Null: the block was orphaned, and the engine may have credited the deposit. */
  block_number: Int8 | null;
  seen_at: Timestamp;
  /** What the engine is to credit; set with `handed_over_at`, before the engine receives it. */
  token: string | null;
  amount: DecimalText | null;
  handed_over_at: Timestamp | null;
  /** When it last could not be credited; those tried longest ago come first. */
  stuck_at: ColumnType<Date | null, never, Date | null>;
  stuck_reason: ColumnType<string | null, never, string | null>;
  /** What `amount` is too coarse for, in the token's smallest unit; it stays with the exchange. */
  dust: ColumnType<string | null, never, string | null>;
  /** What people decided about a deposit that could not be credited. */
  resolution: ColumnType<string | null, never, string | null>;
  credited_at: Timestamp | null;
  vanishing_written_off_at: ColumnType<Date | null, never, Date | null>;
}

export interface WithdrawalsTable {
  id: string;
  position: GeneratedAlways<string>;
  wallet: string;
  account: string;
  token: string;
  token_address: string;
  amount: DecimalText;
  raw_amount: DecimalText;
  chain_id: Int8;
  contract_address: string;
  /** Whose books it is in; defaults to the counted vault. */
  contract_id: Generated<string | null>;
  nonce: Int8 | null;
  deadline: Int8 | null;
  signature: string | null;
  /** The address whose key signed it; null if that was not recorded. */
  signer: Generated<string | null>;
  status: string;
  is_settled: Generated<boolean>;
  /** The position of the deposit that it sends back; its money is in no balance. */
  returned_deposit: Generated<string | null>;
  tx_hash: string | null;
  block_number: Int8 | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;
}

export interface WithdrawalReviewsTable {
  withdrawal_id: string;
  reasons: string[];
  approvals: ColumnType<unknown, string | undefined, string>;
  approved_by: string | null;
  approved_at: Timestamp | null;
  approved_until: Timestamp | null;
  refused_by: string | null;
  refused_at: Timestamp | null;
  refusal: string | null;
}

interface WithdrawalFundsTable {
  withdrawal_id: string;
  user_address: string;
  token: string;
  amount: DecimalText;
  state: string;
  sequence: Int8;
  updated_at: Timestamp;
}

export interface WalletPausesTable {
  id: GeneratedAlways<string>;
  scope: string;
  subject: string | null;
  reason: string;
  raised_by: string;
  raised_at: Timestamp;
  lifted_by: ColumnType<string | null, never, string>;
  lifted_at: ColumnType<Date | null, never, Date>;
}

export interface WalletTransfersTable {
  transfer_number: Int8;
  user_address: string;
  direction: string;
  token: string;
  amount: DecimalText;
  client_transfer_id: string | null;
  sequence: Int8;
  created_at: Timestamp;
}
