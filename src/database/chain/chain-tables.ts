import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { DecimalText, Int8, Timestamp } from '../column-types.ts';

// The tables of the chain side as queries see them. Numbers that can exceed 2^53 are texts.

export interface ChainTables {
  chain_blocks: ChainBlocksTable;
  chain_parked_events: ChainParkedEventsTable;
  chain_halts: ChainHaltsTable;
  contract_pauses: ContractPausesTable;
  chain_transactions: ChainTransactionsTable;
  chain_transaction_versions: ChainTransactionVersionsTable;
  vault_queue: VaultQueueTable;
  vault_moves: VaultMovesTable;
}

interface VaultQueueTable {
  /** Defaults to the counted vault. */
  contract_id: Generated<string | null>;
  queue_id: Int8;
  account: string;
  token_address: string;
  raw_amount: DecimalText;
  nonce: Int8;
  payable_at: Int8;
  block_number: Int8;
  state: string;
  ended_block: Int8 | null;
  withdrawal_id: string | null;
}

interface VaultMovesTable {
  contract_id: Generated<string | null>;
  kind: string;
  token_address: string;
  raw_amount: DecimalText;
  block_number: Int8;
  tx_hash: string | null;
  log_index: number | null;
}

interface ChainBlocksTable {
  number: Int8;
  hash: string;
  seconds: Int8;
}

export interface ChainParkedEventsTable {
  id: GeneratedAlways<string>;
  block_number: Int8;
  block_hash: string;
  block_seconds: Int8;
  log_index: number;
  contract: string;
  contract_id: ColumnType<string | null, string | null, never>;
  account: string;
  event: ColumnType<unknown, string, string>;
  error: string;
  ignored_at: ColumnType<Date | null, never, Date>;
  ignored_by: ColumnType<string | null, never, string>;
  reason: ColumnType<string | null, never, string>;
  /** The withdrawal that the event is; then its row is counted, not this one. */
  linked_withdrawal: ColumnType<string | null, never, string>;
}

interface ChainHaltsTable {
  id: GeneratedAlways<string>;
  kind: string;
  role: Generated<string | null>;
  detail: string;
  raised_at: Timestamp;
  raised_by: string;
  cleared_at: Timestamp | null;
  cleared_by: string | null;
  reason: string | null;
}

export interface ContractPausesTable {
  id: GeneratedAlways<string>;
  halt_id: ColumnType<string | null, string | null, never>;
  contract: string;
  reason: string | null;
  requested_by: string;
  requested_at: Timestamp;
  transaction_hash: ColumnType<string | null, never, string>;
  outcome: ColumnType<string | null, never, string>;
  ended_at: ColumnType<Date | null, never, Date>;
}

export interface ChainTransactionsTable {
  purpose: string;
  reference: string;
  sender: string;
  nonce: Int8;
  recipient: string;
  data: string;
  gas_limit: DecimalText;
  is_cancel_requested: Generated<boolean>;
  outcome: string | null;
  result_hash: string | null;
  result_block: Int8 | null;
}

export interface ChainTransactionVersionsTable {
  hash: string;
  purpose: string;
  reference: string;
  position: number;
  kind: string;
  bytes: string;
  max_fee_per_gas: DecimalText;
  max_priority_fee_per_gas: DecimalText;
  sent_at: Timestamp | null;
  refusal: Generated<string | null>;
  refusal_count: Generated<number>;
  is_taken: Generated<boolean>;
}
