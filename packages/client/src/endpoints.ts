// Written by npm run client:types from the service's schemas; a test holds both together.

export type Agent = { address: string; code: string | null; tier_level: number; rebate_rate: string; status: 'active' | 'suspended'; direct_traders: number; created_at: string };

export type AnyDeposit = { id: string; account: string; token: string | null; token_address: string; amount: string | null; raw_amount: string; tx_hash: string; block: number | null; state: 'waiting' | 'stuck' | 'credited'; reason: string | null; seen_at: string; credited_at: string | null };

export type AnyWithdrawal = { id: string; wallet: 'spot' | 'perp'; account: string; token: string; amount: string; status: 'opening' | 'pending' | 'review' | 'approved' | 'refused' | 'reserved' | 'signed' | 'queued' | 'completed' | 'returned' | 'expired' | 'canceled' | 'abandoned'; nonce: number | null; deadline: number | null; tx_hash: string | null; created_at: string; finished_at: string | null };

export type ApiKey = { api_key: string; label: string; ip_whitelist: string[]; permissions: string[]; enabled: boolean; created_at: string; last_used_at: string | null };

export type AuditEntry = { id: string; action: string; detail: Record<string, unknown>; actor: string; sequence: number | null; created_at: string };

export type BinanceError = { code: number; msg: string };

export type ChainHalt = { id: string; kind: string; role: 'settler' | 'reward' | 'vault' | null; detail: string; raised_at: string; raised_by: string };

export type ContractPause = { id: string; contract: 'spotVault' | 'rewardRouter' | 'referralRebate'; halt_id: string | null; reason: string | null; requested_by: string; requested_at: string; state: 'requested' | 'sent' | 'paused' | 'canceled'; tx_hash: string | null };

export type Deposit = { number: number; token: string | null; token_address: string; amount: string | null; raw_amount: string; tx_hash: string; status: 'pending' | 'credited'; created_at: string; credited_at: string | null };

export type Done = { ok: boolean };

export type EnvelopeError = { success: false; data: null; error: { code: string; message: string }; timestamp: number };

export type EquityPeriod = { start_time: string; end_time: string; equity: string; wallet_balance: string; unrealized_profit: string; profit: string; realized_profit: string; funding: string; fees: string; transfers: string };

export type Income = { income_id: number; type: 'COMMISSION' | 'REALIZED_PNL' | 'FUNDING_FEE' | 'TRANSFER' | 'INSURANCE_CLEAR'; symbol: string | null; amount: string; asset: string; trade_id: number | null; created_at: string };

export type Leverage = { symbol: string; leverage: number; max_leverage: number; max_notional: string | null };

export type MarketTrend = { symbol: string; closes: string[] };

export type PerpWithdrawal = { id: string; token: string; amount: string; raw_amount: string; nonce: number | null; deadline: number | null; signature: string | null; contract_address: string; chain_id: number; status: 'pending' | 'review' | 'approved' | 'signed' | 'queued' | 'completed' | 'returned' | 'expired' | 'canceled'; payable_at?: number; tx_hash: string | null; created_at: string; finished_at: string | null };

export type PerpetualCandle = { open_time: string; close_time: string; open: string; high: string; low: string; close: string; volume: string; quote_volume: string; taker_buy_volume: string; taker_buy_quote_volume: string; trade_count: number };

export type PerpetualDepth = { symbol: string; last_update_id: number; bids: string[][]; asks: string[][] };

export type PerpetualMarket = { symbol: string; base_asset: string; quote_asset: string; status: 'listed' | 'halted' | 'delisted'; tick_size: string; lot_size: string; min_order_size_usd: string; max_order_size_usd: string; max_leverage: number; maintenance_margin_rate: string; maker_fee_bps: number; taker_fee_bps: number; mark_price: string | null; index_price: string | null; last_price: string | null; funding_rate: string; next_funding_time: string; is_index_stale: boolean; price_state: 'unpriced' | 'fresh' | 'held' | 'stale' | 'final'; settling: boolean; open_interest: string; max_open_interest: string; delisting_at: string | null; created_at: string };

export type PerpetualOrder = { order_id: number; client_order_id: string | null; symbol: string; side: 'BUY' | 'SELL'; type: 'LIMIT' | 'MARKET' | 'STOP' | 'TAKE_PROFIT' | 'STOP_MARKET' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string | null; quantity: string; filled_quantity: string; filled_quote_quantity: string; avg_price: string | null; stop_price: string | null; working_type: 'CONTRACT_PRICE' | 'MARK_PRICE'; reduce_only: boolean; close_position: boolean; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; parent_order_id: number | null; origin: 'user' | 'liquidation' | 'auto_deleveraging'; created_at: string; updated_at: string };

export type PerpetualTrade = { trade_id: number; order_id: number; symbol: string; side: 'BUY' | 'SELL'; role: 'maker' | 'taker'; price: string; quantity: string; quote_quantity: string; fee: string; fee_asset: string; realized_profit: string; created_at: string };

export type PlacedPerpetualOrder = { order_id: number; client_order_id: string | null; symbol: string; side: 'BUY' | 'SELL'; type: 'LIMIT' | 'MARKET' | 'STOP' | 'TAKE_PROFIT' | 'STOP_MARKET' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string | null; quantity: string; filled_quantity: string; filled_quote_quantity: string; avg_price: string | null; stop_price: string | null; working_type: 'CONTRACT_PRICE' | 'MARK_PRICE'; reduce_only: boolean; close_position: boolean; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; parent_order_id: number | null; origin: 'user' | 'liquidation' | 'auto_deleveraging'; created_at: string; updated_at: string; fills: PerpetualTrade[] };

export type PlacedSpotOrder = { order_id: string; client_order_id: string | null; symbol: string; side: 'buy' | 'sell'; type: 'limit' | 'market'; tif: 'gtc' | 'ioc' | 'fok' | 'post_only'; price: string | null; quantity: string | null; quote_quantity: string | null; filled_quantity: string; filled_quote_quantity: string; avg_price: string | null; status: 'new' | 'partially_filled' | 'filled' | 'canceled' | 'expired' | 'rejected'; created_at: string; updated_at: string; fills: ({ trade_id: string; price: string; quantity: string; fee: string; fee_token: string; role: 'maker' | 'taker' })[] };

export type PlainError = { error: string; detail?: string };

export type Position = { symbol: string; side: 'LONG' | 'SHORT' | 'NONE'; quantity: string; entry_price: string | null; mark_price: string | null; liquidation_price: string | null; leverage: number; margin_mode: string; notional: string; unrealized_profit: string; realized_profit: string; initial_margin: string; order_margin: string; maintenance_margin: string; deleverage_rank: number; updated_at: string };

export type Profile = { address: string; username: string | null; created_at: string };

export type Season = { season_id: string; season_no: number; label: string; start_epoch: number; end_epoch: number; user_pool_tokens: number; mm_pool_tokens: number; status: 'pending' | 'active' | 'completed'; snapshot_at: string | null; snapshot_taken_at: string | null; distribution_at: string | null };

export type SpotCandle = { open_time: string; close_time: string; open: string; high: string; low: string; close: string; volume: string; quote_volume: string; trade_count: number };

export type SpotMarket = { id: string; base_token: string; quote_token: string; tick_size: string; lot_size: string; min_notional: string; maker_fee_bps: number; taker_fee_bps: number; max_open_orders: number; status: 'listed' | 'halted' | 'delisted' };

export type SpotOrder = { order_id: string; client_order_id: string | null; symbol: string; side: 'buy' | 'sell'; type: 'limit' | 'market'; tif: 'gtc' | 'ioc' | 'fok' | 'post_only'; price: string | null; quantity: string | null; quote_quantity: string | null; filled_quantity: string; filled_quote_quantity: string; avg_price: string | null; status: 'new' | 'partially_filled' | 'filled' | 'canceled' | 'expired' | 'rejected'; created_at: string; updated_at: string };

export type SpotTicker = { symbol: string; last_price: string; open_price: string; high_price: string; low_price: string; price_change: string; price_change_percent: string; volume: string; quote_volume: string; trade_count: number; best_bid: string | null; best_ask: string | null; open_time: string; close_time: string };

export type SpotWithdrawal = { id: string; token: string; amount: string; raw_amount: string; nonce: number | null; deadline: number | null; signature: string | null; contract_address: string; chain_id: number; status: 'review' | 'approved' | 'signed' | 'queued' | 'completed' | 'returned' | 'expired'; payable_at?: number; tx_hash: string | null; created_at: string; finished_at: string | null };

export type Token = { token: string; address: string; expires_at: string };

export type TriggerOrder = { order_id: number; client_order_id: string | null; symbol: string; side: 'BUY' | 'SELL'; type: 'LIMIT' | 'MARKET' | 'STOP' | 'TAKE_PROFIT' | 'STOP_MARKET' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string | null; quantity: string; filled_quantity: string; filled_quote_quantity: string; avg_price: string | null; stop_price: string | null; working_type: 'CONTRACT_PRICE' | 'MARK_PRICE'; reduce_only: boolean; close_position: boolean; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; parent_order_id: number | null; origin: 'user' | 'liquidation' | 'auto_deleveraging'; created_at: string; updated_at: string; trigger_status: 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'REJECTED' | 'EXPIRED'; triggered_at: string | null; activation_price: string | null; callback_rate: string | null; price_match: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; price_protect: boolean };

export type User = { address: string; username: string | null; created_at: string; is_market_maker: boolean; vip_tier: number; vip_override: number | null; agent: { code: string | null; tier_level: number; rebate_rate: string; status: 'active' | 'suspended' } | null; referrer: string | null };

export type WalletPause = { id: string; scope: 'asset' | 'account' | 'deposits'; subject: string | null; reason: string; raised_by: string; raised_at: string };

export type WithdrawalReview = { id: string; status: 'review' | 'approved'; wallet: 'spot' | 'perp'; reasons: ('large_amount' | 'account_velocity' | 'recent_deposit' | 'recent_permission' | 'credited_balance' | 'vanished_deposit' | 'vault_window' | 'returned_deposit')[]; account: string; token: string; amount: string; token_address: string; raw_amount: string; contract_address: string; chain_id: number; domain_name: string; created_at: string; approved_by: string | null; approved_until: string | null };

/** What each endpoint takes and answers; for the envelope, the contents of `data`. */
export interface Endpoints {
  /** Request a sign-in message */
  'POST /api/v1/auth/nonce': {
    params: {};
    query: {};
    body: { address: string };
    answer: { nonce: string; message: string; expires_at: string };
  };
  /** Sign in */
  'POST /api/v1/auth/login': {
    params: {};
    query: {};
    body: { message: string; signature: string };
    answer: Token;
  };
  /** Renew a token */
  'POST /api/v1/auth/renew': {
    params: {};
    query: {};
    body: undefined;
    answer: Token;
  };
  /** Sign out */
  'POST /api/v1/auth/logout': {
    params: {};
    query: {};
    body: undefined;
    answer: { address: string };
  };
  /** Create an API key */
  'POST /api/v1/account/api-keys': {
    params: {};
    query: {};
    body: { label?: string; ip_whitelist?: string[]; permissions?: ('read' | 'trade' | 'withdraw')[] };
    answer: { api_key: string; label: string; ip_whitelist: string[]; permissions: string[]; enabled: boolean; created_at: string; last_used_at: string | null; api_secret: string };
  };
  /** List API keys */
  'GET /api/v1/account/api-keys': {
    params: {};
    query: {};
    body: undefined;
    answer: ApiKey[];
  };
  /** Get an API key */
  'GET /api/v1/account/api-keys/:api_key': {
    params: { api_key: string };
    query: {};
    body: undefined;
    answer: { api_key: string; label: string; ip_whitelist: string[]; permissions: string[]; enabled: boolean; created_at: string; last_used_at: string | null };
  };
  /** Change an API key */
  'PATCH /api/v1/account/api-keys/:api_key': {
    params: { api_key: string };
    query: {};
    body: { label?: string; enabled?: boolean; ip_whitelist?: string[] };
    answer: { api_key: string; label: string; ip_whitelist: string[]; permissions: string[]; enabled: boolean; created_at: string; last_used_at: string | null };
  };
  /** Delete an API key */
  'DELETE /api/v1/account/api-keys/:api_key': {
    params: { api_key: string };
    query: {};
    body: undefined;
    answer: { api_key: string; label: string; ip_whitelist: string[]; permissions: string[]; enabled: boolean; created_at: string; last_used_at: string | null };
  };
  /** Get the profile */
  'GET /api/v1/account/profile': {
    params: {};
    query: {};
    body: undefined;
    answer: Profile;
  };
  /** Set the username */
  'PUT /api/v1/account/profile': {
    params: {};
    query: {};
    body: { username: string };
    answer: Profile;
  };
  /** Place an order */
  'POST /api/v1/spot/orders': {
    params: {};
    query: {};
    body: { symbol: string; side?: string | null; type?: string | null; tif?: string | null; price?: string | number | null; quantity?: string | number | null; quote_quantity?: string | number | null; client_order_id?: string | null };
    answer: PlacedSpotOrder;
  };
  /** Cancel all orders */
  'DELETE /api/v1/spot/orders': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { canceled: string[] };
  };
  /** List orders */
  'GET /api/v1/spot/orders': {
    params: {};
    query: { symbol?: string; status?: 'new' | 'partially_filled' | 'filled' | 'canceled' | 'expired' | 'rejected'; client_order_id?: string; limit?: number; cursor?: string };
    body: undefined;
    answer: { items: SpotOrder[]; next_cursor: string | null };
  };
  /** Preview an order */
  'POST /api/v1/spot/orders/preview': {
    params: {};
    query: {};
    body: { symbol: string; side?: string | null; type?: string | null; tif?: string | null; price?: string | number | null; quantity?: string | number | null; quote_quantity?: string | number | null; client_order_id?: string | null };
    answer: { symbol: string; side: 'buy' | 'sell'; type: 'limit' | 'market'; tif: 'gtc' | 'ioc' | 'fok' | 'post_only'; price: string | null; quantity: string | null; quote_quantity: string | null; best_price: string | null; est_avg_price: string | null; est_worst_price: string | null; est_filled_quantity: string; est_notional: string; est_slippage: string; est_fee: string; fee_token: string; maker_rate: string; taker_rate: string; needed: string; needed_token: string; available: string };
  };
  /** Cancel an order */
  'DELETE /api/v1/spot/orders/:id': {
    params: { id: string };
    query: {};
    body: undefined;
    answer: SpotOrder;
  };
  /** Get an order */
  'GET /api/v1/spot/orders/:id': {
    params: { id: string };
    query: {};
    body: undefined;
    answer: SpotOrder;
  };
  /** List open orders */
  'GET /api/v1/spot/orders/open': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { items: SpotOrder[]; next_cursor: string | null };
  };
  /** List the caller's trades */
  'GET /api/v1/spot/trades': {
    params: {};
    query: { symbol?: string; limit?: number; cursor?: string };
    body: undefined;
    answer: { items: ({ trade_id: string; price: string; quantity: string; fee: string; fee_token: string; role: 'maker' | 'taker'; order_id: string; symbol: string; side: 'buy' | 'sell'; quote_quantity: string; created_at: string })[]; next_cursor: string | null };
  };
  /** List balances */
  'GET /api/v1/spot/balances': {
    params: {};
    query: {};
    body: undefined;
    answer: { items: { token: string; available: string; locked: string }[] };
  };
  /** List markets */
  'GET /api/v1/spot/markets': {
    params: {};
    query: {};
    body: undefined;
    answer: { items: SpotMarket[] };
  };
  /** Get a market */
  'GET /api/v1/spot/markets/:id': {
    params: { id: string };
    query: {};
    body: undefined;
    answer: SpotMarket;
  };
  /** Get the order book */
  'GET /api/v1/spot/depth': {
    params: {};
    query: { symbol: string; limit?: number };
    body: undefined;
    answer: { symbol: string; last_update_id: number; bids: string[][]; asks: string[][] };
  };
  /** Get 24-hour statistics */
  'GET /api/v1/spot/ticker/24hr': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: SpotTicker | SpotTicker[];
  };
  /** List a market's newest trades */
  'GET /api/v1/spot/trades/recent': {
    params: {};
    query: { symbol: string; limit?: number };
    body: undefined;
    answer: { items: ({ trade_id: string; price: string; quantity: string; quote_quantity: string; side: 'buy' | 'sell'; created_at: string })[] };
  };
  /** List candles */
  'GET /api/v1/spot/klines': {
    params: {};
    query: { symbol: string; interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '2h' | '4h' | '6h' | '8h' | '12h' | '1d' | '3d' | '1w' | '1M'; start_time?: string; end_time?: string; limit?: number };
    body: undefined;
    answer: { items: SpotCandle[] };
  };
  /** List the trends of all markets */
  'GET /api/v1/spot/trends': {
    params: {};
    query: {};
    body: undefined;
    answer: { items: MarketTrend[] };
  };
  /** Open an administration session */
  'POST /api/v1/admin/session': {
    params: {};
    query: {};
    body: { role?: 'write' | 'read' };
    answer: { token: string; role: 'write' | 'read'; expires_at: string };
  };
  /** Create a spot market */
  'POST /api/v1/admin/spot/markets': {
    params: {};
    query: {};
    body: { id: string; base_token: string; quote_token: string; tick_size: string | number; lot_size: string | number; min_notional: string | number; maker_fee_bps: number; taker_fee_bps: number };
    answer: { ok: boolean; id: string };
  };
  /** Set a spot market's status */
  'PUT /api/v1/admin/spot/markets/:id/status': {
    params: { id: string };
    query: {};
    body: { status: string };
    answer: Done;
  };
  /** Credit a spot balance (test networks) */
  'POST /api/v1/admin/spot/balances/credit': {
    params: {};
    query: {};
    body: { user_address: string; token: string; amount: string | number; reason?: string | null; reference?: string | null };
    answer: Done;
  };
  /** List accounts */
  'GET /api/v1/admin/users': {
    params: {};
    query: { q?: string; page?: number; page_size?: number };
    body: undefined;
    answer: { items: User[]; total: number; page: number; page_size: number };
  };
  /** Get an account */
  'GET /api/v1/admin/users/:address': {
    params: { address: string };
    query: {};
    body: undefined;
    answer: { address: string; username: string | null; created_at: string; is_market_maker: boolean; vip_tier: number; vip_override: number | null; agent: { code: string | null; tier_level: number; rebate_rate: string; status: 'active' | 'suspended' } | null; referrer: string | null; balances: ({ market: 'spot' | 'futures'; token: string; available: string; locked: string })[] };
  };
  /** Change an account */
  'PUT /api/v1/admin/users/:address': {
    params: { address: string };
    query: {};
    body: { is_market_maker?: boolean; vip_override?: number | null };
    answer: Done;
  };
  /** List agents */
  'GET /api/v1/admin/referral/agents': {
    params: {};
    query: { page?: number; page_size?: number };
    body: undefined;
    answer: { items: Agent[]; total: number; page: number; page_size: number };
  };
  /** List administrative actions */
  'GET /api/v1/admin/audit': {
    params: {};
    query: { action?: string; page?: number; page_size?: number };
    body: undefined;
    answer: { items: AuditEntry[]; total: number; page: number; page_size: number };
  };
  /** List deposits of all accounts */
  'GET /api/v1/admin/wallet/deposits': {
    params: {};
    query: { account?: string; page?: number; page_size?: number };
    body: undefined;
    answer: { items: AnyDeposit[]; total: number; page: number; page_size: number };
  };
  /** List withdrawals of all accounts */
  'GET /api/v1/admin/wallet/withdrawals': {
    params: {};
    query: { account?: string; status?: 'opening' | 'pending' | 'review' | 'approved' | 'refused' | 'reserved' | 'signed' | 'queued' | 'completed' | 'returned' | 'expired' | 'canceled' | 'abandoned'; page?: number; page_size?: number };
    body: undefined;
    answer: { items: AnyWithdrawal[]; total: number; page: number; page_size: number };
  };
  /** Get holdings and liabilities */
  'GET /api/v1/admin/solvency': {
    params: {};
    query: {};
    body: undefined;
    answer: { is_still: boolean; tokens: { token: string; held: string; owed: string; unbacked: string; is_short: boolean }[]; rewards: { held: string; owed: string; is_short: boolean } };
  };
  /** Request test money (test networks) */
  'POST /api/v1/faucet': {
    params: {};
    query: {};
    body: { token: string; amount: string | number };
    answer: Done;
  };
  /** Create a referral code */
  'POST /api/v1/referral/codes': {
    params: {};
    query: {};
    body: { code?: string | null } | null;
    answer: { ok: boolean; code: string };
  };
  /** Bind to a referrer */
  'POST /api/v1/referral/bind': {
    params: {};
    query: {};
    body: { code: string };
    answer: { ok: boolean; referrer: string };
  };
  /** Unbind from the referrer */
  'POST /api/v1/referral/unbind': {
    params: {};
    query: {};
    body: Record<string, unknown> | null;
    answer: Done;
  };
  /** Referral status */
  'GET /api/v1/referral/status': {
    params: {};
    query: {};
    body: undefined;
    answer: { address: string; code: string | null; referrer: string | null; referrer_code: string | null; bound_at: string | null; is_bound: boolean; is_affiliate: boolean; sub_rate: string | null; agent_tier: number | null; agent_status: string | null; tier_level: number | null; tier_name: string | null; rebate_rate: string | null; referred_users: number };
  };
  /** Referral dashboard */
  'GET /api/v1/referral/dashboard': {
    params: {};
    query: {};
    body: undefined;
    answer: { total_commission: string; spot_commission: string; futures_commission: string; spread_commission: string; claimable: string; pending_commission: string; failed_commission: string; claimed_commission: string; direct_traders: number; active_traders: number; affiliates: number; downline_total: number; tier_level: number | null; tier_name: string | null; rebate_rate: string | null };
  };
  /** Commission by day */
  'GET /api/v1/referral/earnings': {
    params: {};
    query: { by?: 'day'; days?: number };
    body: undefined;
    answer: { items: { day: string; spot_commission: string; futures_commission: string; spread_commission: string; total_commission: string }[] };
  };
  /** Referral logs */
  'GET /api/v1/referral/logs': {
    params: {};
    query: { page?: number; page_size?: number; type?: 'create' | 'bind' | 'unbind' | 'promote' | 'sub_rate' | 'claim' };
    body: undefined;
    answer: { items: ({ id: number; type: 'create' | 'bind' | 'unbind' | 'promote' | 'sub_rate' | 'claim'; counterparty: string | null; code: string | null; amount: string | null; reference: string | null; created_at: string })[]; total: number; page: number; page_size: number };
  };
  /** List direct traders */
  'GET /api/v1/referral/traders': {
    params: {};
    query: { biz?: 'all' | 'spot' | 'futures'; time?: 'all' | '7d' | '30d'; q?: string; page?: number; page_size?: number };
    body: undefined;
    answer: { items: ({ address: string; bound_at: string; spot_volume: string; futures_volume: string; spot_commission: string; futures_commission: string; total_commission: string; last_trade_at: string | null; status: 'active' | 'inactive' })[]; total: number; page: number; page_size: number };
  };
  /** List affiliates */
  'GET /api/v1/referral/affiliates': {
    params: {};
    query: { page?: number; page_size?: number };
    body: undefined;
    answer: { items: { address: string; sub_rate: string; spread_rate: string; direct_traders_count: number; team_volume: string; spot_spread_commission: string; futures_spread_commission: string; total_spread_commission: string; status: 'active' }[]; total: number; page: number; page_size: number };
  };
  /** Promote a trader to affiliate */
  'POST /api/v1/referral/affiliates': {
    params: {};
    query: {};
    body: { wallet: string; sub_rate: string | number };
    answer: Done;
  };
  /** Change an affiliate's rate */
  'PUT /api/v1/referral/affiliates/:wallet': {
    params: { wallet: string };
    query: {};
    body: { sub_rate: string | number };
    answer: Done;
  };
  /** Change an agent's terms */
  'PUT /api/v1/admin/referral/agents/:wallet': {
    params: { wallet: string };
    query: {};
    body: { tier_level?: number | null; rebate_rate?: string | number | null; status?: 'active' | 'suspended' | null };
    answer: Done;
  };
  /** Place an order */
  'POST /api/v1/orders': {
    params: {};
    query: {};
    body: { symbol: string; side?: string | null; type?: string | null; timeInForce?: string | null; goodTillDate?: number | string | null; quantity?: string | number | null; price?: string | number | null; priceMatch?: string | null; stopPrice?: string | number | null; workingType?: string | null; activationPrice?: string | number | null; callbackRate?: string | number | null; reduceOnly?: boolean | string | null; closePosition?: boolean | string | null; priceProtect?: boolean | string | null; selfTradePreventionMode?: string | null; newClientOrderId?: string | null; positionSide?: string | null; leverage?: number | string | null; max_slippage?: string | number | null; take_profit_price?: string | number | null; stop_loss_price?: string | number | null };
    answer: PlacedPerpetualOrder;
  };
  /** Cancel all orders */
  'DELETE /api/v1/orders': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { canceled: number[] };
  };
  /** List orders (/orders) */
  'GET /api/v1/orders': {
    params: {};
    query: { symbol?: string; start_time?: string; end_time?: string; limit?: number; offset?: number; cursor?: string; status?: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH' };
    body: undefined;
    answer: { items: PerpetualOrder[]; total: number; next_cursor: string | null };
  };
  /** Amend an order */
  'PUT /api/v1/orders/:order_id': {
    params: { order_id: number };
    query: {};
    body: { price?: string | number; quantity?: string | number };
    answer: PlacedPerpetualOrder;
  };
  /** Cancel an order */
  'DELETE /api/v1/orders/:order_id': {
    params: { order_id: number };
    query: {};
    body: undefined;
    answer: PerpetualOrder;
  };
  /** Preview an order */
  'POST /api/v1/orders/preview': {
    params: {};
    query: {};
    body: { symbol: string; side: 'BUY' | 'SELL'; type?: 'MARKET' | 'LIMIT'; quantity: string | number; price?: string | number; max_slippage?: string | number; reduceOnly?: boolean };
    answer: { symbol: string; side: 'BUY' | 'SELL'; type: 'MARKET' | 'LIMIT'; quantity: string; price: string | null; best_price: string | null; est_avg_price: string | null; est_worst_price: string | null; est_filled_quantity: string; est_notional: string; est_slippage: string; max_slippage: string | null; est_fee: string; taker_rate: string; leverage: number; est_initial_margin: string; available_balance: string; mark_price: string | null; est_liquidation_price: string | null };
  };
  /** List orders (/account/orders) */
  'GET /api/v1/account/orders': {
    params: {};
    query: { symbol?: string; start_time?: string; end_time?: string; limit?: number; offset?: number; cursor?: string; status?: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH' };
    body: undefined;
    answer: { items: PerpetualOrder[]; total: number; next_cursor: string | null };
  };
  /** List open orders */
  'GET /api/v1/orders/open': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: PerpetualOrder[];
  };
  /** List active positions */
  'GET /api/v1/positions/active': {
    params: {};
    query: {};
    body: undefined;
    answer: Position[];
  };
  /** List balances of both wallets */
  'GET /api/v1/account/balances': {
    params: {};
    query: {};
    body: undefined;
    answer: ({ market: 'spot' | 'futures'; token: string; available: string; locked: string; wallet_balance: string | null; unrealized_profit: string | null; equity: string | null; available_balance: string | null })[];
  };
  /** List trades */
  'GET /api/v1/account/trades': {
    params: {};
    query: { symbol?: string; start_time?: string; end_time?: string; limit?: number; offset?: number; cursor?: string };
    body: undefined;
    answer: { items: PerpetualTrade[]; total: number; next_cursor: string | null };
  };
  /** List income */
  'GET /api/v1/income': {
    params: {};
    query: { symbol?: string; start_time?: string; end_time?: string; limit?: number; offset?: number; type?: 'COMMISSION' | 'REALIZED_PNL' | 'FUNDING_FEE' | 'TRANSFER' | 'INSURANCE_CLEAR' };
    body: undefined;
    answer: { items: Income[]; next_offset: number | null };
  };
  /** Equity and profit over time */
  'GET /api/v1/account/equity-history': {
    params: {};
    query: { interval?: '1h' | '1d'; limit?: number };
    body: undefined;
    answer: { items: EquityPeriod[] };
  };
  /** List liquidations */
  'GET /api/v1/liquidations': {
    params: {};
    query: { symbol?: string; start_time?: string; end_time?: string; limit?: number; offset?: number; cursor?: string; origin?: 'liquidation' | 'auto_deleveraging' };
    body: undefined;
    answer: { items: PerpetualOrder[]; total: number; next_cursor: string | null };
  };
  /** List trigger orders */
  'GET /api/v1/trigger-orders': {
    params: {};
    query: { symbol?: string; start_time?: string; end_time?: string; limit?: number; offset?: number; cursor?: string; status?: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH' };
    body: undefined;
    answer: { items: TriggerOrder[]; total: number; next_cursor: string | null };
  };
  /** Cancel all trigger orders */
  'DELETE /api/v1/trigger-orders': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { canceled: number[] };
  };
  /** Get fees and VIP tiers */
  'GET /api/v1/account/fee-info': {
    params: {};
    query: {};
    body: undefined;
    answer: { tiers: { tier: number; name: string; min_volume_14d: string; discount_multiplier: string; maker_rate: string; taker_rate: string }[]; base_maker_rate: string; base_taker_rate: string; current_tier: number; maker_rate: string; taker_rate: string; markets: { symbol: string; maker_rate: string; taker_rate: string }[]; spot_markets: { symbol: string; maker_rate: string; taker_rate: string }[]; account: { address: string; volume_14d: string; volume_30d: string; next_tier: { tier: number; missing_volume: string } | null; pending_downgrade: { tier: number; effective_at: string } | null; is_override: boolean; discount_stack: { vip_multiplier: string; referral_discount_bps: number; referral_multiplier: string; combined_multiplier: string } } | null };
  };
  /** Set the margin mode */
  'POST /api/v1/account/margin-mode': {
    params: {};
    query: {};
    body: { margin_mode?: string; mode?: string; symbol?: string };
    answer: { margin_mode: string };
  };
  /** Get the leverage */
  'GET /api/v1/leverage': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: Leverage[];
  };
  /** Set the leverage */
  'POST /api/v1/leverage': {
    params: {};
    query: {};
    body: { symbol: string; leverage: number };
    answer: Leverage;
  };
  /** Get the leverage brackets */
  'GET /api/v1/leverage-brackets': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: ({ symbol: string; open_interest_value: string | null; margin_raised_from: string; max_open_interest: string; brackets: ({ bracket: number; max_leverage: number; notional_floor: string; notional_cap: string | null; initial_margin_rate: string; maintenance_margin_rate: string; maintenance_amount: string })[] })[];
  };
  /** Get the unified account */
  'GET /api/v1/unified/account': {
    params: {};
    query: {};
    body: undefined;
    answer: { wallet_balance: string; unrealized_profit: string; equity: string; available_balance: string; withdrawable: string; initial_margin: string; position_margin: string; order_margin: string; maintenance_margin: string; uniMMR: string | null; margin_mode: string; liquidation: { number: number; stage: 'orders' | 'book' | 'final'; begun_at: string } | null; positions: Position[] };
  };
  /** List perpetual markets */
  'GET /api/v1/markets': {
    params: {};
    query: {};
    body: undefined;
    answer: PerpetualMarket[];
  };
  /** Get a perpetual market */
  'GET /api/v1/markets/:symbol': {
    params: { symbol: string };
    query: {};
    body: undefined;
    answer: PerpetualMarket;
  };
  /** Get a perpetual market's order book */
  'GET /api/v1/markets/:symbol/depth': {
    params: { symbol: string };
    query: { limit?: number };
    body: undefined;
    answer: PerpetualDepth;
  };
  /** List a perpetual market's trades */
  'GET /api/v1/markets/:symbol/trades': {
    params: { symbol: string };
    query: { limit?: number };
    body: undefined;
    answer: ({ trade_id: number; price: string; quantity: string; quote_quantity: string; side: 'BUY' | 'SELL'; created_at: string })[];
  };
  /** List a perpetual market's candles */
  'GET /api/v1/markets/:symbol/klines': {
    params: { symbol: string };
    query: { interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '2h' | '4h' | '6h' | '8h' | '12h' | '1d' | '3d' | '1w' | '1M'; price?: 'last' | 'mark' | 'index'; start_time?: string; end_time?: string; limit?: number };
    body: undefined;
    answer: PerpetualCandle[];
  };
  /** List the trends of all perpetual markets */
  'GET /api/v1/trends': {
    params: {};
    query: {};
    body: undefined;
    answer: MarketTrend[];
  };
  /** Get a perpetual market's ticker */
  'GET /api/v1/external/markets/:symbol/ticker': {
    params: { symbol: string };
    query: {};
    body: undefined;
    answer: { symbol: string; last_price: string | null; mark_price: string | null; index_price: string | null; best_bid: string | null; best_ask: string | null; open_price: string | null; high_price: string | null; low_price: string | null; price_change: string; price_change_percent: string; volume: string; quote_volume: string; trade_count: number; open_interest: string; funding_rate: string; next_funding_time: string; timestamp: string };
  };
  /** Get funding rates */
  'GET /api/v1/funding-rates/:symbol': {
    params: { symbol: string };
    query: { limit?: number };
    body: undefined;
    answer: { symbol: string; funding_rate: string; last_funding_rate: string; next_funding_time: string; mark_price: string | null; index_price: string | null; history: { funding_time: string; funding_rate: string; mark_price: string }[] };
  };
  /** A history file */
  'GET /api/v1/downloads/:token': {
    params: { token: string };
    query: {};
    body: undefined;
    answer: string;
  };
  /** Create a perpetual market */
  'POST /api/v1/admin/futures/markets': {
    params: {};
    query: {};
    body: { symbol: string; base_asset: string; tick_size: string | number; lot_size: string | number; min_notional: string | number; max_notional: string | number; max_leverage: number; maintenance_margin_rate: string | number; maker_fee_bps: number; taker_fee_bps: number; index_jump_bps?: number; trade_band_bps?: number; max_open_interest?: string | number };
    answer: { ok: boolean; symbol: string };
  };
  /** Set a perpetual market's status */
  'PUT /api/v1/admin/futures/markets/:symbol/status': {
    params: { symbol: string };
    query: {};
    body: { status: string; settlement_price?: string | number; effective_at?: string };
    answer: Done;
  };
  /** Set a perpetual market's index price */
  'PUT /api/v1/admin/futures/markets/:symbol/index-price': {
    params: { symbol: string };
    query: {};
    body: { price: string | number };
    answer: { ok: boolean; outcome: 'taken' | 'held' };
  };
  /** The insurance fund, bad debt and the withdrawal gate */
  'GET /api/v1/admin/futures/insurance': {
    params: {};
    query: {};
    body: undefined;
    answer: { balance: string; held: string; bad_debt: string; fee_revenue: string; accounts_in_liquidation: number; withdrawals_gated: boolean; withdrawals_held: boolean; gated_until: string | null };
  };
  /** Top up the insurance fund */
  'POST /api/v1/admin/futures/insurance': {
    params: {};
    query: {};
    body: { amount: string | number; source: 'fees' | 'treasury'; reason?: string | null; reference?: string | null };
    answer: Done;
  };
  /** Hold or release withdrawals from the perp wallets */
  'PUT /api/v1/admin/futures/withdrawals': {
    params: {};
    query: {};
    body: { held: boolean; reason?: string | null };
    answer: Done;
  };
  /** Ping */
  'GET /fapi/v1/ping': {
    params: {};
    query: {};
    body: undefined;
    answer: Record<string, unknown>;
  };
  /** Server time */
  'GET /fapi/v1/time': {
    params: {};
    query: {};
    body: undefined;
    answer: { serverTime: number };
  };
  /** Exchange information */
  'GET /fapi/v1/exchangeInfo': {
    params: {};
    query: {};
    body: undefined;
    answer: { timezone: 'UTC'; serverTime: number; futuresType: 'U_MARGINED'; rateLimits: ({ rateLimitType: 'REQUEST_WEIGHT' | 'ORDERS'; interval: 'MINUTE' | 'SECOND'; intervalNum: number; limit: number })[]; exchangeFilters: unknown[]; assets: { asset: string; marginAvailable: boolean; autoAssetExchange: string }[]; symbols: ({ symbol: string; pair: string; contractType: 'PERPETUAL'; deliveryDate: number; onboardDate: number; status: 'TRADING' | 'PENDING_TRADING' | 'SETTLING' | 'CLOSE'; maintMarginPercent: string; requiredMarginPercent: string; baseAsset: string; quoteAsset: string; marginAsset: string; pricePrecision: number; quantityPrecision: number; baseAssetPrecision: number; quotePrecision: number; underlyingType: 'COIN'; underlyingSubType: string[]; settlePlan: number; triggerProtect: string; liquidationFee: string; marketTakeBound: string; filters: ({ filterType: string; minPrice?: string; maxPrice?: string; tickSize?: string; minQty?: string; maxQty?: string; stepSize?: string; limit?: number; notional?: string; maxNotional?: string; multiplierUp?: string; multiplierDown?: string; multiplierDecimal?: string | number })[]; orderTypes: string[]; timeInForce: string[] })[] };
  };
  /** Order book */
  'GET /fapi/v1/depth': {
    params: {};
    query: { symbol: string; limit?: number };
    body: undefined;
    answer: { lastUpdateId: number; E: number; T: number; bids: [string, string][]; asks: [string, string][] };
  };
  /** Recent trades */
  'GET /fapi/v1/trades': {
    params: {};
    query: { symbol: string; limit?: number };
    body: undefined;
    answer: { id: number; price: string; qty: string; quoteQty: string; time: number; isBuyerMaker: boolean; isRPITrade: boolean }[];
  };
  /** Old trades */
  'GET /fapi/v1/historicalTrades': {
    params: {};
    query: { symbol: string; limit?: number; fromId?: number };
    body: undefined;
    answer: { id: number; price: string; qty: string; quoteQty: string; time: number; isBuyerMaker: boolean; isRPITrade: boolean }[];
  };
  /** Aggregate trades */
  'GET /fapi/v1/aggTrades': {
    params: {};
    query: { symbol: string; limit?: number; fromId?: number; startTime?: number; endTime?: number };
    body: undefined;
    answer: { a: number; p: string; q: string; nq: string; f: number; l: number; T: number; m: boolean }[];
  };
  /** Candles */
  'GET /fapi/v1/klines': {
    params: {};
    query: { symbol: string; interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '2h' | '4h' | '6h' | '8h' | '12h' | '1d' | '3d' | '1w' | '1M'; startTime?: number; endTime?: number; limit?: number };
    body: undefined;
    answer: [number, string, string, string, string, string, number, string, number, string, string, string][];
  };
  /** Candles of a contract */
  'GET /fapi/v1/continuousKlines': {
    params: {};
    query: { pair: string; contractType: 'PERPETUAL'; interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '2h' | '4h' | '6h' | '8h' | '12h' | '1d' | '3d' | '1w' | '1M'; startTime?: number; endTime?: number; limit?: number };
    body: undefined;
    answer: [number, string, string, string, string, string, number, string, number, string, string, string][];
  };
  /** Candles of the mark price */
  'GET /fapi/v1/markPriceKlines': {
    params: {};
    query: { symbol: string; interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '2h' | '4h' | '6h' | '8h' | '12h' | '1d' | '3d' | '1w' | '1M'; startTime?: number; endTime?: number; limit?: number };
    body: undefined;
    answer: [number, string, string, string, string, string, number, string, number, string, string, string][];
  };
  /** Candles of the index price */
  'GET /fapi/v1/indexPriceKlines': {
    params: {};
    query: { pair: string; interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '2h' | '4h' | '6h' | '8h' | '12h' | '1d' | '3d' | '1w' | '1M'; startTime?: number; endTime?: number; limit?: number };
    body: undefined;
    answer: [number, string, string, string, string, string, number, string, number, string, string, string][];
  };
  /** Candles of the premium */
  'GET /fapi/v1/premiumIndexKlines': {
    params: {};
    query: { symbol: string; interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '2h' | '4h' | '6h' | '8h' | '12h' | '1d' | '3d' | '1w' | '1M'; startTime?: number; endTime?: number; limit?: number };
    body: undefined;
    answer: [number, string, string, string, string, string, number, string, number, string, string, string][];
  };
  /** Sources of the index price */
  'GET /fapi/v1/constituents': {
    params: {};
    query: { symbol: string };
    body: undefined;
    answer: { symbol: string; time: number; constituents: { exchange: string; symbol: string; price: string; weight: string }[] };
  };
  /** Indexes of assets as margin */
  'GET /fapi/v1/assetIndex': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: Record<string, unknown>[];
  };
  /** Trading hours */
  'GET /fapi/v1/tradingSchedule': {
    params: {};
    query: {};
    body: undefined;
    answer: { updateTime: number; marketSchedules: Record<string, unknown> };
  };
  /** Open interest */
  'GET /fapi/v1/openInterest': {
    params: {};
    query: { symbol: string };
    body: undefined;
    answer: { openInterest: string; symbol: string; time: number };
  };
  /** Insurance fund */
  'GET /fapi/v1/insuranceBalance': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { symbols: string[]; assets: { asset: 'USDT'; marginBalance: string; updateTime: number }[] } | { symbols: string[]; assets: { asset: 'USDT'; marginBalance: string; updateTime: number }[] }[];
  };
  /** Risk of auto-deleveraging */
  'GET /fapi/v1/symbolAdlRisk': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { symbol: string; adlRisk: 'low' | 'medium' | 'high'; updateTime: number } | ({ symbol: string; adlRisk: 'low' | 'medium' | 'high'; updateTime: number })[];
  };
  /** Whether fees are paid in another coin */
  'GET /fapi/v1/feeBurn': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { feeBurn: boolean };
  };
  /** Mark price and funding rate */
  'GET /fapi/v1/premiumIndex': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { symbol: string; markPrice: string; indexPrice: string; estimatedSettlePrice: string; lastFundingRate: string; interestRate: string; nextFundingTime: number; time: number } | { symbol: string; markPrice: string; indexPrice: string; estimatedSettlePrice: string; lastFundingRate: string; interestRate: string; nextFundingTime: number; time: number }[];
  };
  /** Funding rate history */
  'GET /fapi/v1/fundingRate': {
    params: {};
    query: { symbol?: string; startTime?: number; endTime?: number; limit?: number };
    body: undefined;
    answer: { symbol: string; fundingRate: string; fundingTime: number; markPrice: string; rateType?: 'Regular' }[];
  };
  /** Funding terms */
  'GET /fapi/v1/fundingInfo': {
    params: {};
    query: {};
    body: undefined;
    answer: { symbol: string; adjustedFundingRateCap: string; adjustedFundingRateFloor: string; fundingIntervalHours: number; disclaimer: boolean }[];
  };
  /** 24-hour statistics */
  'GET /fapi/v1/ticker/24hr': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { symbol: string; priceChange: string; priceChangePercent: string; weightedAvgPrice: string; lastPrice: string; lastQty: string; openPrice: string; highPrice: string; lowPrice: string; volume: string; quoteVolume: string; openTime: number; closeTime: number; firstId: number; lastId: number; count: number } | { symbol: string; priceChange: string; priceChangePercent: string; weightedAvgPrice: string; lastPrice: string; lastQty: string; openPrice: string; highPrice: string; lowPrice: string; volume: string; quoteVolume: string; openTime: number; closeTime: number; firstId: number; lastId: number; count: number }[];
  };
  /** Last price */
  'GET /fapi/v1/ticker/price': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { symbol: string; price: string; time: number } | { symbol: string; price: string; time: number }[];
  };
  /** Last price */
  'GET /fapi/v2/ticker/price': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { symbol: string; price: string; time: number } | { symbol: string; price: string; time: number }[];
  };
  /** Best prices */
  'GET /fapi/v1/ticker/bookTicker': {
    params: {};
    query: { symbol?: string };
    body: undefined;
    answer: { symbol: string; bidPrice: string; bidQty: string; askPrice: string; askQty: string; time: number; lastUpdateId: number } | { symbol: string; bidPrice: string; bidQty: string; askPrice: string; askQty: string; time: number; lastUpdateId: number }[];
  };
  /** Place an order */
  'POST /fapi/v1/order': {
    params: {};
    query: { symbol: string; side: 'BUY' | 'SELL'; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; positionSide?: 'BOTH'; timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; quantity?: string; price?: string; priceMatch?: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; reduceOnly?: boolean; newClientOrderId?: string; stopPrice?: string; closePosition?: boolean; activationPrice?: string; callbackRate?: string; workingType?: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceProtect?: boolean; newOrderRespType?: 'ACK' | 'RESULT'; selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number };
  };
  /** Modify an order */
  'PUT /fapi/v1/order': {
    params: {};
    query: { symbol: string; orderId?: number; origClientOrderId?: string; side?: 'BUY' | 'SELL'; quantity: string; price?: string; priceMatch?: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; reduceOnly?: boolean; modifyId?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number };
  };
  /** Cancel an order */
  'DELETE /fapi/v1/order': {
    params: {};
    query: { symbol: string; orderId?: number; origClientOrderId?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number };
  };
  /** An order */
  'GET /fapi/v1/order': {
    params: {};
    query: { symbol: string; orderId?: number; origClientOrderId?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number };
  };
  /** Check an order without placing it */
  'POST /fapi/v1/order/test': {
    params: {};
    query: { symbol: string; side: 'BUY' | 'SELL'; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; positionSide?: 'BOTH'; timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; quantity?: string; price?: string; priceMatch?: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; reduceOnly?: boolean; newClientOrderId?: string; stopPrice?: string; closePosition?: boolean; activationPrice?: string; callbackRate?: string; workingType?: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceProtect?: boolean; newOrderRespType?: 'ACK' | 'RESULT'; selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: Record<string, unknown> | { orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number };
  };
  /** An order’s amendments */
  'GET /fapi/v1/orderAmendment': {
    params: {};
    query: { symbol: string; orderId?: number; origClientOrderId?: string; startTime?: number; endTime?: number; limit?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { amendmentId: number; symbol: string; pair: string; orderId: number; clientOrderId: string; time: number; modifyId?: number; amendment: { price: { before: string; after: string }; origQty: { before: string; after: string }; count: number } }[];
  };
  /** An open order */
  'GET /fapi/v1/openOrder': {
    params: {};
    query: { symbol: string; orderId?: number; origClientOrderId?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number };
  };
  /** Open orders */
  'GET /fapi/v1/openOrders': {
    params: {};
    query: { symbol?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number })[];
  };
  /** All orders */
  'GET /fapi/v1/allOrders': {
    params: {};
    query: { symbol: string; orderId?: number; startTime?: number; endTime?: number; limit?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number; cumBase?: string })[];
  };
  /** Place orders */
  'POST /fapi/v1/batchOrders': {
    params: {};
    query: { batchOrders: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number } | { code: number; msg: string })[];
  };
  /** Modify orders */
  'PUT /fapi/v1/batchOrders': {
    params: {};
    query: { batchOrders: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number } | { code: number; msg: string })[];
  };
  /** Cancel orders */
  'DELETE /fapi/v1/batchOrders': {
    params: {};
    query: { symbol: string; orderIdList?: string; origClientOrderIdList?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number } | { code: number; msg: string })[];
  };
  /** Cancel all */
  'DELETE /fapi/v1/allOpenOrders': {
    params: {};
    query: { symbol: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { code: number; msg: string };
  };
  /** Dead man’s switch */
  'POST /fapi/v1/countdownCancelAll': {
    params: {};
    query: { symbol: string; countdownTime: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol: string; countdownTime: string };
  };
  /** Place a conditional order */
  'POST /fapi/v1/algoOrder': {
    params: {};
    query: { symbol: string; side: 'BUY' | 'SELL'; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; positionSide?: 'BOTH'; timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; quantity?: string; price?: string; priceMatch?: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; reduceOnly?: boolean; newClientOrderId?: string; stopPrice?: string; closePosition?: boolean; activationPrice?: string; callbackRate?: string; workingType?: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceProtect?: boolean; newOrderRespType?: 'ACK' | 'RESULT'; selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; algoType: 'CONDITIONAL'; triggerPrice?: string; clientAlgoId?: string; goodTillDate?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { algoId: number; clientAlgoId: string; algoType: 'CONDITIONAL'; orderType: 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; quantity: string; algoStatus: 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'REJECTED' | 'EXPIRED'; triggerPrice: string; icebergQuantity: null; activatePrice: string; callbackRate: string; createTime: number; triggerTime: number; actualOrderId: string; actualPrice: string; actualQty: string; actualType: string; tpTriggerPrice: string; tpPrice: string; slTriggerPrice: string; slPrice: string; tpOrderType: string; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number };
  };
  /** Cancel a conditional order */
  'DELETE /fapi/v1/algoOrder': {
    params: {};
    query: { algoId?: number; clientAlgoId?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { algoId: number; clientAlgoId: string; code: '200'; msg: 'success' };
  };
  /** A conditional order */
  'GET /fapi/v1/algoOrder': {
    params: {};
    query: { algoId?: number; clientAlgoId?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { algoId: number; clientAlgoId: string; algoType: 'CONDITIONAL'; orderType: 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; quantity: string; algoStatus: 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'REJECTED' | 'EXPIRED'; triggerPrice: string; icebergQuantity: null; activatePrice: string; callbackRate: string; createTime: number; triggerTime: number; actualOrderId: string; actualPrice: string; actualQty: string; actualType: string; tpTriggerPrice: string; tpPrice: string; slTriggerPrice: string; slPrice: string; tpOrderType: string; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number };
  };
  /** Open conditional orders */
  'GET /fapi/v1/openAlgoOrders': {
    params: {};
    query: { algoType?: 'CONDITIONAL'; symbol?: string; algoId?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ algoId: number; clientAlgoId: string; algoType: 'CONDITIONAL'; orderType: 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; quantity: string; algoStatus: 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'REJECTED' | 'EXPIRED'; triggerPrice: string; icebergQuantity: null; activatePrice: string; callbackRate: string; createTime: number; triggerTime: number; actualOrderId: string; actualPrice: string; actualQty: string; actualType: string; tpTriggerPrice: string; tpPrice: string; slTriggerPrice: string; slPrice: string; tpOrderType: string; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number })[];
  };
  /** Open conditional orders */
  'GET /fapi/v1/algoOpenOrders': {
    params: {};
    query: { algoType?: 'CONDITIONAL'; symbol?: string; algoId?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ algoId: number; clientAlgoId: string; algoType: 'CONDITIONAL'; orderType: 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; quantity: string; algoStatus: 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'REJECTED' | 'EXPIRED'; triggerPrice: string; icebergQuantity: null; activatePrice: string; callbackRate: string; createTime: number; triggerTime: number; actualOrderId: string; actualPrice: string; actualQty: string; actualType: string; tpTriggerPrice: string; tpPrice: string; slTriggerPrice: string; slPrice: string; tpOrderType: string; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number })[];
  };
  /** Cancel conditional orders */
  'DELETE /fapi/v1/algoOpenOrders': {
    params: {};
    query: { symbol: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { code: number; msg: string };
  };
  /** All conditional orders */
  'GET /fapi/v1/allAlgoOrders': {
    params: {};
    query: { symbol: string; algoId?: number; startTime?: number; endTime?: number; limit?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ algoId: number; clientAlgoId: string; algoType: 'CONDITIONAL'; orderType: 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; quantity: string; algoStatus: 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'REJECTED' | 'EXPIRED'; triggerPrice: string; icebergQuantity: null; activatePrice: string; callbackRate: string; createTime: number; triggerTime: number; actualOrderId: string; actualPrice: string; actualQty: string; actualType: string; tpTriggerPrice: string; tpPrice: string; slTriggerPrice: string; slPrice: string; tpOrderType: string; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number })[];
  };
  /** Balances */
  'GET /fapi/v1/balance': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { accountAlias: string; asset: string; balance: string; crossWalletBalance: string; crossUnPnl: string; availableBalance: string; maxWithdrawAmount: string; marginAvailable: boolean; updateTime: number }[];
  };
  /** Balances */
  'GET /fapi/v2/balance': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { accountAlias: string; asset: string; balance: string; crossWalletBalance: string; crossUnPnl: string; availableBalance: string; maxWithdrawAmount: string; marginAvailable: boolean; updateTime: number }[];
  };
  /** Balances */
  'GET /fapi/v3/balance': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { accountAlias: string; asset: string; balance: string; crossWalletBalance: string; crossUnPnl: string; availableBalance: string; maxWithdrawAmount: string; marginAvailable: boolean; updateTime: number }[];
  };
  /** Account */
  'GET /fapi/v1/account': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { feeTier: number; canTrade: boolean; canDeposit: boolean; canWithdraw: boolean; updateTime: number; multiAssetsMargin: boolean; tradeGroupId: number; feeBurn: boolean; totalInitialMargin: string; totalMaintMargin: string; totalWalletBalance: string; totalUnrealizedProfit: string; totalMarginBalance: string; totalPositionInitialMargin: string; totalOpenOrderInitialMargin: string; totalCrossWalletBalance: string; totalCrossUnPnl: string; availableBalance: string; maxWithdrawAmount: string; assets: { asset: string; walletBalance: string; unrealizedProfit: string; marginBalance: string; maintMargin: string; initialMargin: string; positionInitialMargin: string; openOrderInitialMargin: string; crossWalletBalance: string; crossUnPnl: string; availableBalance: string; maxWithdrawAmount: string; marginAvailable: boolean; updateTime: number }[]; positions: { symbol: string; initialMargin: string; maintMargin: string; unrealizedProfit: string; positionInitialMargin: string; openOrderInitialMargin: string; leverage: string; isolated: boolean; entryPrice: string; breakEvenPrice: string; maxNotional: string; bidNotional: string; askNotional: string; positionSide: 'BOTH'; positionAmt: string; updateTime: number }[] };
  };
  /** Account */
  'GET /fapi/v2/account': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { feeTier: number; canTrade: boolean; canDeposit: boolean; canWithdraw: boolean; updateTime: number; multiAssetsMargin: boolean; tradeGroupId: number; feeBurn: boolean; totalInitialMargin: string; totalMaintMargin: string; totalWalletBalance: string; totalUnrealizedProfit: string; totalMarginBalance: string; totalPositionInitialMargin: string; totalOpenOrderInitialMargin: string; totalCrossWalletBalance: string; totalCrossUnPnl: string; availableBalance: string; maxWithdrawAmount: string; assets: { asset: string; walletBalance: string; unrealizedProfit: string; marginBalance: string; maintMargin: string; initialMargin: string; positionInitialMargin: string; openOrderInitialMargin: string; crossWalletBalance: string; crossUnPnl: string; availableBalance: string; maxWithdrawAmount: string; marginAvailable: boolean; updateTime: number }[]; positions: { symbol: string; initialMargin: string; maintMargin: string; unrealizedProfit: string; positionInitialMargin: string; openOrderInitialMargin: string; leverage: string; isolated: boolean; entryPrice: string; breakEvenPrice: string; maxNotional: string; bidNotional: string; askNotional: string; positionSide: 'BOTH'; positionAmt: string; updateTime: number }[] };
  };
  /** Account */
  'GET /fapi/v3/account': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { totalInitialMargin: string; totalMaintMargin: string; totalWalletBalance: string; totalUnrealizedProfit: string; totalMarginBalance: string; totalPositionInitialMargin: string; totalOpenOrderInitialMargin: string; totalCrossWalletBalance: string; totalCrossUnPnl: string; availableBalance: string; maxWithdrawAmount: string; assets: { asset: string; walletBalance: string; unrealizedProfit: string; marginBalance: string; maintMargin: string; initialMargin: string; positionInitialMargin: string; openOrderInitialMargin: string; crossWalletBalance: string; crossUnPnl: string; availableBalance: string; maxWithdrawAmount: string; marginAvailable: boolean; updateTime: number }[]; positions: { symbol: string; positionSide: 'BOTH'; positionAmt: string; unrealizedProfit: string; isolatedMargin: string; notional: string; isolatedWallet: string; initialMargin: string; maintMargin: string; updateTime: number }[] };
  };
  /** Positions */
  'GET /fapi/v1/positionRisk': {
    params: {};
    query: { symbol?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol: string; positionAmt: string; entryPrice: string; breakEvenPrice: string; markPrice: string; unRealizedProfit: string; liquidationPrice: string; leverage: string; maxNotionalValue: string; marginType: 'cross'; isolatedMargin: string; isAutoAddMargin: 'false'; positionSide: 'BOTH'; notional: string; isolatedWallet: string; updateTime: number }[];
  };
  /** Positions */
  'GET /fapi/v2/positionRisk': {
    params: {};
    query: { symbol?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol: string; positionAmt: string; entryPrice: string; breakEvenPrice: string; markPrice: string; unRealizedProfit: string; liquidationPrice: string; leverage: string; maxNotionalValue: string; marginType: 'cross'; isolatedMargin: string; isAutoAddMargin: 'false'; positionSide: 'BOTH'; notional: string; isolatedWallet: string; updateTime: number }[];
  };
  /** Positions */
  'GET /fapi/v3/positionRisk': {
    params: {};
    query: { symbol?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol: string; positionSide: 'BOTH'; positionAmt: string; entryPrice: string; breakEvenPrice: string; markPrice: string; unRealizedProfit: string; liquidationPrice: string; isolatedMargin: string; notional: string; marginAsset: string; isolatedWallet: string; initialMargin: string; maintMargin: string; positionInitialMargin: string; openOrderInitialMargin: string; adl: number; bidNotional: string; askNotional: string; updateTime: number }[];
  };
  /** Set leverage */
  'POST /fapi/v1/leverage': {
    params: {};
    query: { symbol: string; leverage: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { leverage: number; maxNotionalValue: string; symbol: string };
  };
  /** Margin tiers */
  'GET /fapi/v1/leverageBracket': {
    params: {};
    query: { symbol?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol: string; brackets: { bracket: number; initialLeverage: number; notionalCap: number; notionalFloor: number; maintMarginRatio: number; cum: number }[] } | { symbol: string; brackets: { bracket: number; initialLeverage: number; notionalCap: number; notionalFloor: number; maintMarginRatio: number; cum: number }[] }[];
  };
  /** Fee rates */
  'GET /fapi/v1/commissionRate': {
    params: {};
    query: { symbol: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol: string; makerCommissionRate: string; takerCommissionRate: string; rpiCommissionRate: string };
  };
  /** Settings by market */
  'GET /fapi/v1/symbolConfig': {
    params: {};
    query: { symbol?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol: string; marginType: 'CROSSED'; isAutoAddMargin: boolean; leverage: number; maxNotionalValue: string }[];
  };
  /** Account settings */
  'GET /fapi/v1/accountConfig': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { feeTier: number; canTrade: boolean; canDeposit: boolean; canWithdraw: boolean; updateTime: number; multiAssetsMargin: boolean; tradeGroupId: number; dualSidePosition: boolean };
  };
  /** Margin type */
  'GET /fapi/v1/marginType': {
    params: {};
    query: { symbol?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol?: string; marginType: 'CROSSED' };
  };
  /** Set the margin type */
  'POST /fapi/v1/marginType': {
    params: {};
    query: { symbol: string; marginType: 'CROSSED'; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { code: number; msg: 'success' };
  };
  /** Hedge mode */
  'GET /fapi/v1/positionSide/dual': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { dualSidePosition: boolean };
  };
  /** Hedge mode, off */
  'POST /fapi/v1/positionSide/dual': {
    params: {};
    query: { dualSidePosition: false; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { code: number; msg: 'success' };
  };
  /** Multi-asset margin */
  'GET /fapi/v1/multiAssetsMargin': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { multiAssetsMargin: boolean };
  };
  /** Multi-asset margin, off */
  'POST /fapi/v1/multiAssetsMargin': {
    params: {};
    query: { multiAssetsMargin: false; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { code: number; msg: 'success' };
  };
  /** Order limits */
  'GET /fapi/v1/rateLimit/order': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ rateLimitType: 'REQUEST_WEIGHT' | 'ORDERS'; interval: 'MINUTE' | 'SECOND'; intervalNum: number; limit: number })[];
  };
  /** The caller’s trades */
  'GET /fapi/v1/userTrades': {
    params: {};
    query: { symbol: string; orderId?: number; fromId?: number; startTime?: number; endTime?: number; limit?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ id: number; orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; price: string; qty: string; quoteQty: string; pair?: string; baseQty?: string; realizedPnl: string; commission: string; commissionAsset: string; marginAsset: string; buyer: boolean; maker: boolean; time: number })[];
  };
  /** Income */
  'GET /fapi/v1/income': {
    params: {};
    query: { symbol?: string; incomeType?: string; startTime?: number; endTime?: number; page?: number; limit?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol: string; incomeType: string; income: string; asset: string; info: string; time: number; tranId: number; tradeId: string }[];
  };
  /** Forced orders */
  'GET /fapi/v1/forceOrders': {
    params: {};
    query: { symbol?: string; autoCloseType?: 'LIQUIDATION' | 'ADL'; startTime?: number; endTime?: number; limit?: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: ({ orderId: number; symbol: string; side: 'BUY' | 'SELL'; positionSide: 'BOTH'; timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'; price: string; workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'; priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'; selfTradePreventionMode: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH'; closePosition: boolean; priceProtect: boolean; reduceOnly: boolean; goodTillDate: number; updateTime: number; pair: string; status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'; clientOrderId: string; avgPrice: string; origQty: string; executedQty: string; cumQty: string; cumQuote: string; type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; stopPrice: string; origType: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'; activatePrice?: string; priceRate?: string; time: number; modifyId?: number; cumBase?: string })[];
  };
  /** ADL quantile */
  'GET /fapi/v1/adlQuantile': {
    params: {};
    query: { symbol?: string; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { symbol: string; adlQuantile: { LONG: number; SHORT: number; BOTH: number } }[];
  };
  /** Ask for a file of the caller’s orders */
  'GET /fapi/v1/order/asyn': {
    params: {};
    query: { startTime: number; endTime: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { avgCostTimestampOfLast30d: number; downloadId: string };
  };
  /** Where a file of the caller’s orders is */
  'GET /fapi/v1/order/asyn/id': {
    params: {};
    query: { downloadId: unknown; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { downloadId: string; status: 'completed' | 'processing'; url: string; s3Link: null; notified: boolean; expirationTimestamp: number; isExpired: null };
  };
  /** Ask for a file of the caller’s trades */
  'GET /fapi/v1/trade/asyn': {
    params: {};
    query: { startTime: number; endTime: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { avgCostTimestampOfLast30d: number; downloadId: string };
  };
  /** Where a file of the caller’s trades is */
  'GET /fapi/v1/trade/asyn/id': {
    params: {};
    query: { downloadId: unknown; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { downloadId: string; status: 'completed' | 'processing'; url: string; s3Link: null; notified: boolean; expirationTimestamp: number; isExpired: null };
  };
  /** Ask for a file of the caller’s transactions */
  'GET /fapi/v1/income/asyn': {
    params: {};
    query: { startTime: number; endTime: number; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { avgCostTimestampOfLast30d: number; downloadId: string };
  };
  /** Where a file of the caller’s transactions is */
  'GET /fapi/v1/income/asyn/id': {
    params: {};
    query: { downloadId: unknown; timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { downloadId: string; status: 'completed' | 'processing'; url: string; s3Link: null; notified: boolean; expirationTimestamp: number; isExpired: null };
  };
  /** Issue a listen key */
  'POST /fapi/v1/listenKey': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { listenKey: string };
  };
  /** Renew the listen key */
  'PUT /fapi/v1/listenKey': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: { listenKey: string };
  };
  /** Revoke the listen key */
  'DELETE /fapi/v1/listenKey': {
    params: {};
    query: { timestamp?: string; recvWindow?: string };
    body: undefined;
    answer: Record<string, unknown>;
  };
  /** Epoch leaderboard */
  'GET /api/v1/points/leaderboard': {
    params: {};
    query: { epoch?: number; type_?: 'total' | 'trading' | 'pnl' | 'holding' | 'referral' | 'staking'; limit?: number; offset?: number };
    body: undefined;
    answer: { epoch_number: number; rank_type: 'total' | 'trading' | 'pnl' | 'holding' | 'referral' | 'staking'; entries: ({ rank: number; user_address: string; username: string | null; points: string; tier: 'T1' | 'T2' | 'T3' })[]; total: number; updated_at: string };
  };
  /** Daily leaderboard */
  'GET /api/v1/points/leaderboard/daily': {
    params: {};
    query: { epoch?: number; limit?: number; offset?: number };
    body: undefined;
    answer: { date: string; epoch_number: number; refreshed_at: string; total: number; entries: ({ rank: number; user_address: string; points_today: string; tier: 'T1' | 'T2' | 'T3' | null })[] };
  };
  /** List epochs */
  'GET /api/v1/points/epochs': {
    params: {};
    query: { limit?: number; offset?: number };
    body: undefined;
    answer: { items: ({ epoch_number: number; starts_at: string; ends_at: string; status: 'upcoming' | 'active' | 'ended' })[]; total: number };
  };
  /** List seasons */
  'GET /api/v1/points/seasons': {
    params: {};
    query: {};
    body: undefined;
    answer: Season[];
  };
  /** Earn-level configuration */
  'GET /api/v1/points/earn-level-config': {
    params: {};
    query: {};
    body: undefined;
    answer: ({ level: number; points_min: number; points_max: number | null; weight: number; updated_at: string; updated_by: string | null })[];
  };
  /** The caller's points */
  'GET /api/v1/points/me': {
    params: {};
    query: {};
    body: undefined;
    answer: { epoch_number: number; points: { total: string; trading: string; pnl: string; holding: string; referral: string; staking: string }; points_today: { total: string; trading: string; pnl: string; holding: string; referral: string; staking: string }; rank: number | null; tier: 'T1' | 'T2' | 'T3' | null; earn_level: number; weight: number };
  };
  /** A season's distribution */
  'GET /api/v1/points/seasons/:season_no/distribution': {
    params: { season_no: number };
    query: { page?: number; page_size?: number };
    body: undefined;
    answer: { items: ({ rank: number; user_address: string; pool: 'user' | 'mm'; points: string; tokens: number })[]; total: number; page: number; page_size: number };
  };
  /** Create a points season */
  'POST /api/v1/admin/points/seasons': {
    params: {};
    query: {};
    body: { season_no: number; label: string; start_epoch: number; end_epoch: number; user_pool_tokens: number; mm_pool_tokens: number; snapshot_at?: string | null; distribution_at?: string | null };
    answer: Season;
  };
  /** Change a points season */
  'PUT /api/v1/admin/points/seasons/:season_no': {
    params: { season_no: number };
    query: {};
    body: { label?: string; start_epoch?: number; end_epoch?: number; user_pool_tokens?: number; mm_pool_tokens?: number; snapshot_at?: string | null; distribution_at?: string | null };
    answer: Season;
  };
  /** Change an earn level */
  'PUT /api/v1/admin/points/earn-level-config/:level': {
    params: { level: number };
    query: {};
    body: { points_min?: number; points_max?: number | null; weight?: number };
    answer: Done;
  };
  /** Change all earn levels */
  'PUT /api/v1/admin/points/earn-level-config': {
    params: {};
    query: {};
    body: { levels: ({ level: number; points_min: number; points_max: number | null; weight: number })[] };
    answer: Done;
  };
  /** Credit points */
  'POST /api/v1/admin/points/credits': {
    params: {};
    query: {};
    body: { reference: string; user_address: string; type: 'trading' | 'pnl' | 'holding' | 'referral' | 'staking'; points: string | number };
    answer: Done;
  };
  /** Request a withdrawal */
  'POST /api/v1/spot/withdraw/request': {
    params: {};
    query: {};
    body: { token: string; amount: string | number };
    answer: { id: string; token: string; amount: string; raw_amount: string; nonce: number | null; deadline: number | null; signature: string | null; contract_address: string; chain_id: number; status: 'review' | 'approved' | 'signed' | 'queued' | 'completed' | 'returned' | 'expired'; payable_at?: number };
  };
  /** List withdrawals */
  'GET /api/v1/spot/withdrawals': {
    params: {};
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: { items: SpotWithdrawal[]; next_cursor: string | null };
  };
  /** Get a withdrawal */
  'GET /api/v1/spot/withdrawals/:id': {
    params: { id: string };
    query: {};
    body: undefined;
    answer: SpotWithdrawal;
  };
  /** Have an approved withdrawal signed */
  'POST /api/v1/spot/withdrawals/:id/sign': {
    params: { id: string };
    query: {};
    body: undefined;
    answer: SpotWithdrawal;
  };
  /** List deposits */
  'GET /api/v1/spot/deposits': {
    params: {};
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: { items: Deposit[]; next_cursor: string | null };
  };
  /** Transfer between spot and perp wallet */
  'POST /api/v1/spot/transfer': {
    params: {};
    query: {};
    body: { direction: string; token: string; amount: string | number; client_transfer_id?: string | null };
    answer: { ok: true; transfer_id: string; direction: 'spot_to_perp' | 'perp_to_spot'; token: string; amount: string };
  };
  /** List transfers */
  'GET /api/v1/spot/transfers': {
    params: {};
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: { items: ({ transfer_id: string; direction: 'spot_to_perp' | 'perp_to_spot'; token: string; amount: string; client_transfer_id: string | null; created_at: string })[]; next_cursor: string | null };
  };
  /** Request a withdrawal from the perp wallet */
  'POST /api/v1/withdraw/request': {
    params: {};
    query: {};
    body: { token: string; amount: string | number };
    answer: PerpWithdrawal;
  };
  /** Confirm a withdrawal */
  'POST /api/v1/withdraw/:id/confirm': {
    params: { id: string };
    query: {};
    body: undefined;
    answer: PerpWithdrawal;
  };
  /** Cancel a withdrawal */
  'POST /api/v1/withdraw/:id/cancel': {
    params: { id: string };
    query: {};
    body: undefined;
    answer: PerpWithdrawal;
  };
  /** List withdrawals from the perp wallet */
  'GET /api/v1/withdraw/history': {
    params: {};
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: { items: ({ id: string; token: string; amount: string; raw_amount: string; nonce: number | null; deadline: number | null; signature: string | null; contract_address: string; chain_id: number; status: 'pending' | 'review' | 'approved' | 'signed' | 'queued' | 'completed' | 'returned' | 'expired' | 'canceled'; payable_at?: number; tx_hash: string | null; created_at: string; finished_at: string | null })[]; next_cursor: string | null };
  };
  /** Whether withdrawals are paused */
  'GET /api/v1/admin/withdrawals/pause': {
    params: {};
    query: {};
    body: undefined;
    answer: { paused: boolean };
  };
  /** Pause or resume withdrawals */
  'PUT /api/v1/admin/withdrawals/pause': {
    params: {};
    query: {};
    body: { paused: boolean; reason?: string; pause_contract?: boolean };
    answer: Done;
  };
  /** List pauses of assets, accounts and deposits */
  'GET /api/v1/admin/withdrawals/pauses': {
    params: {};
    query: {};
    body: undefined;
    answer: { items: WalletPause[] };
  };
  /** Pause an asset, an account's withdrawals, or deposits */
  'POST /api/v1/admin/withdrawals/pauses': {
    params: {};
    query: {};
    body: { scope: 'asset' | 'account' | 'deposits'; subject?: string; reason: string };
    answer: WalletPause;
  };
  /** End a pause of an asset, an account or deposits */
  'POST /api/v1/admin/withdrawals/pauses/:id/lift': {
    params: { id: string };
    query: {};
    body: { reason: string };
    answer: Done;
  };
  /** Preview a claim */
  'GET /api/v1/referral/claims/preview': {
    params: {};
    query: {};
    body: undefined;
    answer: { claimable: string; pending: string; last_claimed_at: string | null; claim_wallet: string };
  };
  /** List claims */
  'GET /api/v1/referral/claims': {
    params: {};
    query: { page?: number; page_size?: number };
    body: undefined;
    answer: { items: ({ claim_no: string; amount: string; status: 'processing' | 'success' | 'failed'; tx_hash: string | null; failure_reason: string | null; applied_at: string; finished_at: string | null })[]; total: number; page: number; page_size: number };
  };
  /** Claim all commission */
  'POST /api/v1/referral/claim': {
    params: {};
    query: {};
    body: Record<string, unknown> | null;
    answer: { success: boolean; claim_no: string; status: 'processing'; amount: string; nonce: number; deadline: number; signature: string; contract_address: string; message: string };
  };
  /** Get an open claim's signature again */
  'GET /api/v1/referral/claims/:claim_no/signature': {
    params: { claim_no: string };
    query: {};
    body: undefined;
    answer: { amount: string; nonce: number; deadline: number; signature: string; contract_address: string };
  };
  /** Sign an amount without an order */
  'POST /api/v1/referral/on-chain/claim-signature': {
    params: {};
    query: {};
    body: { amount?: unknown };
    answer: { amount: string; nonce: number; deadline: number; signature: string; contract_address: string };
  };
  /** A user's rebate on chain */
  'GET /api/v1/referral/on-chain/user-rebate/:address': {
    params: { address: string };
    query: {};
    body: undefined;
    answer: { address: string; claimed_usd: string; nonce: number; referral_code: string; referrer: string; tier_level: number; tier_name: string };
  };
  /** A trader's referral on chain */
  'GET /api/v1/referral/on-chain/referral-info/:address': {
    params: { address: string };
    query: {};
    body: undefined;
    answer: { address: string; code: string; referrer: string; total_rebate_bps: number; trader_discount_bps: number; affiliate_reward_bps: number };
  };
  /** Claimed amount on chain */
  'GET /api/v1/referral/on-chain/claimed/:address': {
    params: { address: string };
    query: {};
    body: undefined;
    answer: { address: string; claimed_usd: string };
  };
  /** Operator status on chain */
  'GET /api/v1/referral/on-chain/operator-status': {
    params: {};
    query: {};
    body: undefined;
    answer: { operator_address: string; is_operator: boolean; contract_address: string };
  };
  /** List the claims of all accounts */
  'GET /api/v1/admin/referral/claims': {
    params: {};
    query: { status?: 'processing' | 'success' | 'failed'; page?: number; page_size?: number };
    body: undefined;
    answer: { items: ({ claim_no: string; amount: string; status: 'processing' | 'success' | 'failed'; tx_hash: string | null; failure_reason: string | null; applied_at: string; finished_at: string | null; address: string; nonce: number; deadline: number | null })[]; total: number; page: number; page_size: number };
  };
  /** Retry a failed claim */
  'POST /api/v1/admin/referral/claims/:claim_no/retry': {
    params: { claim_no: string };
    query: {};
    body: Record<string, unknown> | null;
    answer: { ok: boolean; success: boolean; claim_no: string; status: 'processing'; amount: string; nonce: number; deadline: number; signature: string; contract_address: string; message: string };
  };
  /** List failed settlements */
  'GET /api/v1/admin/referral/settlements/failed': {
    params: {};
    query: { page?: number; page_size?: number };
    body: undefined;
    answer: { items: { address: string; commission: string; earnings: number; error: string }[]; total: number; page: number; page_size: number };
  };
  /** Retry a failed settlement */
  'POST /api/v1/admin/referral/settlements/retry': {
    params: {};
    query: {};
    body: { address: string };
    answer: { ok: boolean; address: string; commission: string };
  };
  /** Chain and contracts */
  'GET /api/v1/chain/info': {
    params: {};
    query: {};
    body: undefined;
    answer: { chain_id: number; contracts: { reward_router: string | null; referral_rebate: string | null; spot_vault: string | null; usdt: string | null; df: string | null }; rpc_url: string | null; explorer_url: string | null };
  };
  /** Call the development chain's node */
  'POST /api/v1/chain/rpc': {
    params: {};
    query: {};
    body: { method: 'eth_blockNumber' | 'eth_call' | 'eth_chainId' | 'eth_estimateGas' | 'eth_gasPrice' | 'eth_getBalance' | 'eth_getTransactionCount' | 'eth_getTransactionReceipt' | 'eth_sendRawTransaction' | 'anvil_setBalance'; params: unknown[] };
    answer: { result: unknown };
  };
  /** Get the exchange's features */
  'GET /api/v1/site': {
    params: {};
    query: {};
    body: undefined;
    answer: { is_testnet: boolean; is_spot_trading_enabled: boolean; chain_id: number; is_development_chain: boolean; min_claim_usdt: string; settle_interval_ms: number; are_withdrawals_paused: boolean | null; withdraw_tokens: { token: string; minimum: string }[] };
  };
  /** List open halts of signing */
  'GET /api/v1/admin/chain/halts': {
    params: {};
    query: {};
    body: undefined;
    answer: { items: ChainHalt[] };
  };
  /** Halt signing */
  'POST /api/v1/admin/chain/halts': {
    params: {};
    query: {};
    body: { reason: string; role?: 'settler' | 'reward' | 'vault'; pause_contract?: boolean };
    answer: Done;
  };
  /** Clear a halt of signing */
  'POST /api/v1/admin/chain/halts/:id/clear': {
    params: { id: string };
    query: {};
    body: { reason: string; approvals?: string[] };
    answer: Done;
  };
  /** List pauses of contracts by the guardian */
  'GET /api/v1/admin/chain/contract-pauses': {
    params: {};
    query: {};
    body: undefined;
    answer: { items: ContractPause[] };
  };
  /** List waiting chain events */
  'GET /api/v1/admin/chain/parked': {
    params: {};
    query: { contract?: 'spotVault' | 'rewardRouter'; kind?: 'rewardSettled' | 'rewardRedeemed' | 'vaultDeposited' | 'vaultReleased' | 'vaultReleaseQueued' | 'vaultQueuedPaid' | 'vaultQueuedEnded'; account?: string; after?: string };
    body: undefined;
    answer: { items: ({ id: string; contract: 'spotVault' | 'rewardRouter'; account: string; type: 'rewardSettled' | 'rewardRedeemed' | 'vaultDeposited' | 'vaultReleased' | 'vaultReleaseQueued' | 'vaultQueuedPaid' | 'vaultQueuedEnded'; block: number | null; tx_hash: string; error: string })[] };
  };
  /** Get a waiting chain event */
  'GET /api/v1/admin/chain/parked/:id': {
    params: { id: string };
    query: {};
    body: undefined;
    answer: { id: string; contract: 'spotVault' | 'rewardRouter'; account: string; type: 'rewardSettled' | 'rewardRedeemed' | 'vaultDeposited' | 'vaultReleased' | 'vaultReleaseQueued' | 'vaultQueuedPaid' | 'vaultQueuedEnded'; block: number | null; tx_hash: string; error: string; event: Record<string, unknown>; row: { table: 'withdrawals' | 'spot_deposits'; id: string; status: string; token_address: string; raw_amount: string } | null; proof: { counted_hash: string | null; present_hash: string | null; is_included: boolean | null }; chain: { head: number; next_number: number | null; token_symbol: string | null; token_decimals: number | null } | null };
  };
  /** Resolve a waiting chain event */
  'POST /api/v1/admin/chain/parked/:id/resolve': {
    params: { id: string };
    query: {};
    body: { action: 'retry' | 'credit_as' | 'return' | 'write_off' | 'link'; reason?: string; token?: string; amount?: string | number; withdrawal_id?: string; approvals?: string[] };
    answer: Done;
  };
  /** List withdrawals in review */
  'GET /api/v1/admin/withdrawals/reviews': {
    params: {};
    query: {};
    body: undefined;
    answer: { items: WithdrawalReview[] };
  };
  /** Approve a withdrawal */
  'POST /api/v1/admin/withdrawals/:id/approve': {
    params: { id: string };
    query: {};
    body: { approvals: { expires: number; signature: string }[] };
    answer: Done;
  };
  /** Refuse a withdrawal */
  'POST /api/v1/admin/withdrawals/:id/refuse': {
    params: { id: string };
    query: {};
    body: { reason: string; approvals: string[] };
    answer: Done;
  };
}
