import {
  fixedAt as at,
  done,
  envelope,
  otherAddress as other,
  ownAddress,
} from './console-answers.ts';
import type { Answer } from './console-fake.ts';
import { operatorFixtures } from './console-operator-fixtures.ts';
import { pointsFixtures } from './console-points-fixtures.ts';

// What the fake service returns: a trader with orders, a position, commission and points.

export const fixedNow = Date.parse('2026-01-15T12:00:00Z');
const hash = `0x${'ab'.repeat(32)}`;

const page = (items: readonly unknown[]): Answer =>
  done({ items, total: items.length, page: 1, page_size: 20 });

const spotMarket = (base: string, tick: string, status = 'listed') => ({
  id: `${base}USDT`,
  base_token: base,
  quote_token: 'USDT',
  tick_size: tick,
  lot_size: '0.0001',
  min_notional: '5',
  maker_fee_bps: 5,
  taker_fee_bps: 10,
  max_open_orders: 200,
  status,
});

const perpetual = (base: string, tick: string, price: string) => ({
  symbol: `${base}USDT`,
  base_asset: base,
  quote_asset: 'USDT',
  status: 'listed',
  tick_size: tick,
  lot_size: '0.001',
  min_order_size_usd: '5',
  max_order_size_usd: '1000000',
  max_leverage: 100,
  maintenance_margin_rate: '0.004',
  maker_fee_bps: 2,
  taker_fee_bps: 5,
  mark_price: price,
  index_price: price,
  last_price: price,
  funding_rate: '0.0001',
  next_funding_time: '2026-01-15T13:00:00Z',
  is_index_stale: false,
  created_at: at,
});

export const spotOrder = {
  order_id: '1042',
  client_order_id: null,
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  tif: 'gtc',
  price: '63950.5',
  quantity: '0.05',
  quote_quantity: null,
  filled_quantity: '0.01',
  filled_quote_quantity: '639.5',
  avg_price: '63950',
  status: 'partially_filled',
  created_at: at,
  updated_at: at,
};

export const perpOrder = {
  order_id: 77,
  client_order_id: null,
  symbol: 'BTCUSDT',
  side: 'SELL',
  type: 'LIMIT',
  time_in_force: 'GTC',
  price: '66000',
  quantity: '0.02',
  filled_quantity: '0',
  filled_quote_quantity: '0',
  avg_price: null,
  stop_price: null,
  status: 'NEW',
  working_type: 'CONTRACT_PRICE',
  reduce_only: false,
  close_position: false,
  parent_order_id: null,
  origin: 'user',
  created_at: at,
  updated_at: at,
};

export const position = {
  symbol: 'BTCUSDT',
  side: 'SHORT',
  quantity: '-0.01',
  entry_price: '64200.5',
  mark_price: '64036.6',
  liquidation_price: '91200.1',
  leverage: 20,
  margin_mode: 'cross',
  notional: '640.36',
  unrealized_profit: '1.63',
  realized_profit: '0',
  initial_margin: '32.01',
  order_margin: '66',
  updated_at: at,
  maintenance_margin: '2.56',
  deleverage_rank: 2,
};

const account = {
  wallet_balance: '4998.24',
  unrealized_profit: '1.63',
  equity: '4999.87',
  available_balance: '4901.86',
  withdrawable: '4901.86',
  initial_margin: '98.01',
  position_margin: '32.01',
  order_margin: '66',
  maintenance_margin: '2.56',
  uniMMR: '1953.07421875',
  margin_mode: 'cross',
  liquidation: null,
  positions: [position],
};

const withdrawal = {
  id: '5f0d6c2e-8f39-4f6c-9d1c-0c1f5d3f2a11',
  token: 'DF',
  amount: '20',
  raw_amount: '20000000000000000000',
  nonce: 0,
  deadline: fixedNow / 1000 + 3_540,
  signature: '0x',
  contract_address: other,
  chain_id: 31_337,
  status: 'signed',
  tx_hash: null,
  created_at: at,
  finished_at: null,
};

const wallet: Readonly<Record<string, Answer>> = {
  'GET /api/v1/spot/withdrawals': done({ items: [withdrawal], next_cursor: null }),
  'GET /api/v1/withdraw/history': envelope({
    items: [{ ...withdrawal, token: 'USDT', amount: '40', nonce: null, status: 'pending' }],
    next_cursor: null,
  }),
  'GET /api/v1/spot/deposits': done({
    items: [
      {
        number: 0,
        token: 'USDT',
        token_address: other,
        amount: '2500',
        raw_amount: '0',
        tx_hash: hash,
        status: 'credited',
        created_at: at,
        credited_at: at,
      },
    ],
    next_cursor: null,
  }),
  'GET /api/v1/spot/transfers': done({
    items: [
      {
        transfer_id: '3',
        direction: 'spot_to_perp',
        token: 'USDT',
        amount: '5000',
        client_transfer_id: null,
        created_at: at,
      },
    ],
    next_cursor: null,
  }),
};

const referral: Readonly<Record<string, Answer>> = {
  'GET /api/v1/referral/status': done({
    address: ownAddress,
    code: 'SATOSHI_21',
    referrer: other,
    referrer_code: 'ALICE_1',
    bound_at: at,
    is_bound: true,
    is_affiliate: false,
    sub_rate: null,
    agent_tier: 1,
    agent_status: 'active',
    tier_level: 2,
    tier_name: 'Gold',
    rebate_rate: '0.2',
    referred_users: 2,
  }),
  'GET /api/v1/referral/dashboard': done({
    total_commission: '28.14',
    spot_commission: '20',
    futures_commission: '8.14',
    spread_commission: '0',
    claimable: '13.97',
    pending_commission: '0.2',
    failed_commission: '0',
    claimed_commission: '13.97',
    direct_traders: 2,
    active_traders: 1,
    affiliates: 1,
    downline_total: 3,
    tier_level: 2,
    tier_name: 'Gold',
    rebate_rate: '0.2',
  }),
  'GET /api/v1/referral/claims/preview': done({
    claimable: '13.97',
    pending: '0.2',
    last_claimed_at: at,
    claim_wallet: ownAddress,
  }),
  'GET /api/v1/referral/claims': page([
    {
      claim_no: 'CLM-20260115-0001',
      amount: '13.97',
      status: 'success',
      tx_hash: hash,
      failure_reason: null,
      applied_at: at,
      finished_at: at,
    },
  ]),
  [`GET /api/v1/referral/on-chain/user-rebate/${ownAddress}`]: done({
    address: ownAddress,
    claimed_usd: '13.97',
    nonce: 1,
    referral_code: 'SATOSHI_21',
    referrer: other,
    tier_level: 2,
    tier_name: 'Gold',
  }),
  'GET /api/v1/referral/on-chain/operator-status': done({
    operator_address: other,
    is_operator: true,
    contract_address: other,
  }),
  'GET /api/v1/referral/traders': page([
    {
      address: other,
      bound_at: at,
      spot_volume: '100',
      futures_volume: '40',
      spot_commission: '20',
      futures_commission: '8.14',
      total_commission: '28.14',
      last_trade_at: at,
      status: 'active',
    },
  ]),
  'GET /api/v1/referral/affiliates': page([
    {
      address: other,
      sub_rate: '0.05',
      spread_rate: '0.15',
      direct_traders_count: 4,
      team_volume: '10',
      spot_spread_commission: '0',
      futures_spread_commission: '0',
      total_spread_commission: '3.2',
      status: 'active',
    },
  ]),
  'GET /api/v1/referral/earnings': done({
    items: [
      ['2026-01-15', '8', '1.14', '0', '9.14'],
      ['2026-01-13', '12', '4', '0', '16'],
      ['2026-01-12', '0', '3', '0', '3'],
    ].map(([day, spot, futures, spread, total]) => ({
      day,
      spot_commission: spot,
      futures_commission: futures,
      spread_commission: spread,
      total_commission: total,
    })),
  }),
  'GET /api/v1/referral/logs': page([
    { id: 2, type: 'bind', counterparty: other, code: null, amount: null, created_at: at },
    { id: 1, type: 'create', counterparty: null, code: 'SATOSHI_21', amount: null, created_at: at },
  ]),
};

/** Answers by method and path. */
export const restFixtures: Readonly<Record<string, Answer>> = {
  'GET /readyz': done({
    status: 'ready',
    engine: { state: 'ready', since: at },
    database: { state: 'ready', since: at },
    chain: { state: 'ready', since: at },
    jobs: {
      state: 'ready',
      since: at,
      last_success_age_s: { settle_rewards: 12, refresh_boards: 3 },
    },
  }),
  'GET /api/v1/site': envelope({
    is_testnet: true,
    is_spot_trading_enabled: true,
    chain_id: 31_337,
    is_development_chain: true,
    min_claim_usdt: '10',
    settle_interval_ms: 3_600_000,
    are_withdrawals_paused: false,
    withdraw_tokens: [
      { token: 'DF', minimum: '10' },
      { token: 'USDT', minimum: '10' },
    ],
  }),
  'GET /api/v1/chain/info': done({
    chain_id: 31_337,
    contracts: {
      reward_router: other,
      referral_rebate: other,
      spot_vault: other,
      usdt: other,
      df: other,
    },
    rpc_url: null,
    explorer_url: null,
  }),
  'GET /api/v1/spot/markets': done({
    items: [spotMarket('BTC', '0.01'), spotMarket('ETH', '0.01'), spotMarket('DF', '0.0001')],
  }),
  'GET /api/v1/spot/trends': done({
    items: [
      { symbol: 'BTCUSDT', closes: ['63604', '63900', '64251', '64120', '64036.64'] },
      { symbol: 'ETHUSDT', closes: ['3178.4', '3169', '3133.1', '3140', '3120.55'] },
    ],
  }),
  'GET /api/v1/trends': envelope([{ symbol: 'BTCUSDT', closes: ['63604', '64251', '64036.6'] }]),
  'GET /api/v1/markets': envelope([
    perpetual('BTC', '0.1', '64036.6'),
    perpetual('ETH', '0.01', '3120.55'),
  ]),
  'GET /fapi/v1/openInterest': done({ openInterest: '12.5', symbol: 'BTCUSDT', time: fixedNow }),
  'GET /api/v1/account/fee-info': envelope({
    tiers: [],
    base_maker_rate: '0.0002',
    base_taker_rate: '0.0005',
    current_tier: 2,
    maker_rate: '0.00016',
    taker_rate: '0.0004',
    markets: [{ symbol: 'BTCUSDT', maker_rate: '0.00016', taker_rate: '0.0004' }],
    spot_markets: [],
    account: {
      address: ownAddress,
      volume_14d: '120000',
      volume_30d: '240000',
      next_tier: { tier: 3, missing_volume: '80000' },
      pending_downgrade: null,
      is_override: false,
      discount_stack: {
        vip_multiplier: '0.8',
        referral_discount_bps: 0,
        referral_multiplier: '1',
        combined_multiplier: '0.8',
      },
    },
  }),
  'GET /api/v1/spot/klines': done({ items: [] }),
  'GET /api/v1/markets/BTCUSDT/klines': envelope([]),
  'GET /api/v1/leverage': envelope([
    { symbol: 'BTCUSDT', leverage: 20, max_leverage: 100, max_notional: '5000000' },
  ]),
  'GET /api/v1/positions/active': envelope([position]),
  'GET /api/v1/unified/account': envelope(account),
  'GET /api/v1/orders': envelope({ items: [perpOrder], total: 1, next_cursor: null }),
  'GET /api/v1/spot/orders': done({ items: [spotOrder], next_cursor: null }),
  'GET /api/v1/account/api-keys': envelope([
    {
      api_key: 'k'.repeat(64),
      label: 'bot',
      ip_whitelist: ['192.0.2.7'],
      enabled: true,
      permissions: ['read', 'trade'],
      created_at: at,
      last_used_at: at,
    },
  ]),
  ...wallet,
  ...referral,
  ...pointsFixtures,
  ...operatorFixtures,
};
