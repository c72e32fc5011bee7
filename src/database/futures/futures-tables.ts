import type { ColumnType, GeneratedAlways } from 'kysely';
import type { Int8, Timestamp } from '../column-types.ts';

// The tables of futures and VIP tiers as queries see them. Numbers that can exceed 2^53 and
// decimals are texts.

export interface FuturesTables {
  futures_markets: FuturesMarketsTable;
  futures_orders: FuturesOrdersTable;
  futures_order_amendments: FuturesOrderAmendmentsTable;
  futures_trades: FuturesTradesTable;
  futures_klines: FuturesKlinesTable;
  futures_positions: FuturesPositionsTable;
  futures_leverages: FuturesLeveragesTable;
  perp_balances: PerpBalancesTable;
  futures_income: FuturesIncomeTable;
  futures_funding_rates: FuturesFundingRatesTable;
  futures_liquidation_steps: FuturesLiquidationStepsTable;
  futures_volume_hours: FuturesVolumeHoursTable;
  vip_standings: VipStandingsTable;
  vip_changes: VipChangesTable;
}

export interface FuturesMarketsTable {
  market_id: number;
  symbol: string;
  base_asset: string;
  tick_size: string;
  lot_size: string;
  min_notional: string;
  max_notional: string;
  max_leverage: number;
  maintenance_margin_rate: string;
  maker_fee_bps: number;
  taker_fee_bps: number;
  index_price_source: string;
  status: string;
  created_at: Timestamp;
  updated_sequence: Int8;
}

export interface FuturesOrdersTable {
  order_number: Int8;
  account_id: Int8;
  market_id: number;
  client_order_id: string | null;
  side: string;
  type: string;
  time_in_force: string;
  price: string | null;
  price_match: string;
  quantity: string;
  filled_quantity: string;
  filled_quote: string;
  status: string;
  stop_price: string | null;
  trigger_price_kind: string;
  activation_price: string | null;
  callback_bps: number | null;
  is_reduce_only: boolean;
  is_close_position: boolean;
  is_price_protected: boolean;
  self_trade_mode: string;
  good_till: Timestamp | null;
  parent_order_number: Int8 | null;
  is_algo: boolean;
  origin: string;
  end_reason: string | null;
  triggered_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  updated_sequence: Int8;
}

interface FuturesOrderAmendmentsTable {
  id: GeneratedAlways<string>;
  order_number: Int8;
  account_id: Int8;
  market_id: number;
  price_before: string | null;
  price_after: string | null;
  quantity_before: string;
  quantity_after: string;
  created_at: Timestamp;
  sequence: Int8;
  modify_id: ColumnType<string | null, number | null, never>;
}

export interface FuturesTradesTable {
  trade_number: Int8;
  trade_id: Int8;
  market_id: number;
  price: string;
  quantity: string;
  quote_quantity: string;
  taker_side: string;
  is_off_book: boolean;
  maker_order_number: Int8;
  taker_order_number: Int8;
  maker_account_id: Int8;
  taker_account_id: Int8;
  maker_fee: string;
  taker_fee: string;
  maker_profit: string;
  taker_profit: string;
  created_at: Timestamp;
  sequence: Int8;
}

interface FuturesKlinesTable {
  market_id: number;
  kline_interval: string;
  open_time: Timestamp;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
  quote_volume: string;
  taker_buy_volume: string;
  taker_buy_quote_volume: string;
  trade_count: Int8;
}

interface FuturesPositionsTable {
  account_id: Int8;
  market_id: number;
  quantity: string;
  entry_notional: string;
  realized_profit: string;
  updated_at: Timestamp;
  updated_sequence: Int8;
}

interface FuturesLeveragesTable {
  account_id: Int8;
  market_id: number;
  leverage: number;
  updated_sequence: Int8;
}

interface PerpBalancesTable {
  user_address: string;
  wallet_balance: string;
  reserved: string;
  updated_sequence: Int8;
}

interface FuturesIncomeTable {
  id: GeneratedAlways<string>;
  account_id: Int8;
  type: string;
  market_id: number | null;
  amount: string;
  position_quantity: string | null;
  created_at: Timestamp;
  sequence: Int8;
}

interface FuturesFundingRatesTable {
  market_id: number;
  funding_time: Timestamp;
  funding_rate: string;
  mark_price: string;
  sequence: Int8;
}

interface FuturesLiquidationStepsTable {
  id: GeneratedAlways<string>;
  account_id: Int8;
  market_id: number | null;
  step: string;
  equity: string;
  maintenance_margin: string;
  bankruptcy_price: string | null;
  created_at: Timestamp;
  sequence: Int8;
  close_out_number: Int8 | null;
  stage: string | null;
  quantity: string | null;
  paid_by_fund: string | null;
}

interface FuturesVolumeHoursTable {
  account_id: Int8;
  hour: Timestamp;
  volume: string;
}

export interface VipStandingsTable {
  account_id: Int8;
  tier: number;
  pending_tier: number | null;
  pending_at: Timestamp | null;
  override_tier: number | null;
  updated_at: Timestamp;
}

interface VipChangesTable {
  id: GeneratedAlways<string>;
  account_id: Int8;
  kind: string;
  from_tier: number;
  to_tier: number;
  volume: string;
  effective_at: Timestamp;
  created_at: Timestamp;
}
