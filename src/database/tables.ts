import type { ColumnType, Generated } from 'kysely';
import type { ChainTables } from './chain/chain-tables.ts';
import type { Int8, Timestamp } from './column-types.ts';
import type { FuturesTables } from './futures/futures-tables.ts';
import type { PointsTables } from './points/points-tables.ts';
import type { ReferralTables } from './referral/referral-tables.ts';
import type { WalletTables } from './wallet/wallet-tables.ts';

// The tables as queries see them. Numbers that can exceed 2^53 and decimals are texts.

export interface Tables
  extends ReferralTables,
    ChainTables,
    FuturesTables,
    WalletTables,
    PointsTables {
  accounts: AccountsTable;
  tokens: TokensTable;
  spot_markets: SpotMarketsTable;
  spot_balances: SpotBalancesTable;
  spot_admin_credits: SpotAdminCreditsTable;
  admin_audit: AdminAuditTable;
  spot_orders: SpotOrdersTable;
  spot_trades: SpotTradesTable;
  spot_klines: SpotKlinesTable;
  api_keys: ApiKeysTable;
  login_nonces: LoginNoncesTable;
  projector_position: ProjectorPositionTable;
  settings: SettingsTable;
}

interface AccountsTable {
  account_id: Int8;
  address: string;
  username: string | null;
  created_at: Timestamp;
  is_market_maker: Generated<boolean>;
}

interface TokensTable {
  token_id: number;
  symbol: string;
}

interface SpotMarketsTable {
  market_id: number;
  symbol: string;
  base_token: string;
  quote_token: string;
  tick_size: string;
  lot_size: string;
  min_notional: string;
  maker_fee_bps: number;
  taker_fee_bps: number;
  status: string;
  created_at: Timestamp;
  updated_sequence: Int8;
}

interface SpotBalancesTable {
  user_address: string;
  token: string;
  available: string;
  locked: string;
  updated_sequence: Int8;
}

interface SpotAdminCreditsTable {
  sequence: Int8;
  user_address: string;
  token: string;
  amount: string;
  reason: string | null;
  reference: string | null;
  admin_actor: string;
  created_at: Timestamp;
}

interface AdminAuditTable {
  id: Generated<string>;
  action: string;
  detail: ColumnType<unknown, string, string>;
  admin_actor: string;
  sequence: Int8 | null;
  created_at: Generated<Date>;
}

export interface SpotOrdersTable {
  order_number: Int8;
  account_id: Int8;
  market_id: number;
  client_order_id: string | null;
  side: string;
  type: string;
  tif: string;
  price: string | null;
  quantity: string | null;
  quote_quantity: string | null;
  filled_quantity: string;
  filled_quote_quantity: string;
  status: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  updated_sequence: Int8;
}

export interface SpotTradesTable {
  trade_number: Int8;
  trade_id: Int8;
  market_id: number;
  price: string;
  quantity: string;
  quote_quantity: string;
  taker_side: string;
  maker_order_number: Int8;
  taker_order_number: Int8;
  maker_order_created_at: Timestamp;
  taker_order_created_at: Timestamp;
  maker_account_id: Int8;
  taker_account_id: Int8;
  maker_fee: string;
  taker_fee: string;
  created_at: Timestamp;
  sequence: Int8;
}

interface SpotKlinesTable {
  market_id: number;
  kline_interval: string;
  open_time: Timestamp;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
  quote_volume: string;
  trade_count: Int8;
  taker_buy_volume: string;
  taker_buy_quote_volume: string;
}

export interface ApiKeysTable {
  api_key: string;
  address: string;
  label: string;
  ip_whitelist: string[];
  permissions: string[];
  is_enabled: boolean;
  secret_version: number;
  secret_iv: Buffer;
  secret_ciphertext: Buffer;
  secret_tag: Buffer;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

interface LoginNoncesTable {
  nonce: string;
  address: string;
  expires_at: Timestamp;
}

interface ProjectorPositionTable {
  name: string;
  position: Int8;
}

interface SettingsTable {
  key: string;
  value: ColumnType<unknown, string, string>;
  updated_at: Generated<Date>;
}
