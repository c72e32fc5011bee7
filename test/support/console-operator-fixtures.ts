import type { Answer } from './console-fake.ts';

// What the fake service returns to the operator.

const at = '2026-01-15T11:48:20.000Z';
const account = `0x${'79c8'.repeat(10)}`;
const other = `0x${'b5d1'.repeat(10)}`;
const hash = `0x${'ab'.repeat(32)}`;

const done = (body: unknown): Answer => ({ status: 200, body });
const page = (items: readonly unknown[]): Answer =>
  done({ items, total: items.length, page: 1, page_size: 50 });

const user = {
  address: account,
  username: 'satoshi',
  created_at: at,
  is_market_maker: false,
  vip_tier: 2,
  vip_override: null,
  agent: { code: 'SATOSHI_21', tier_level: 2, rebate_rate: '0.2', status: 'active' },
  referrer: other,
};

/** One withdrawal of each wallet that waits for two people. */
export const reviewFixtures = [
  {
    id: '6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11',
    status: 'review',
    wallet: 'spot',
    reasons: ['large_amount', 'recent_deposit'],
    account: other,
    token: 'USDT',
    amount: '25000',
    token_address: `0x${'c3'.repeat(20)}`,
    raw_amount: '25000000000',
    contract_address: `0x${'d4'.repeat(20)}`,
    chain_id: 31_337,
    domain_name: 'SpotVault',
    created_at: at,
    approved_by: null,
    approved_until: null,
  },
  {
    id: '0b52a6f1-1df4-4c1b-8a51-64c5b2f1a902',
    status: 'approved',
    wallet: 'perp',
    reasons: ['account_velocity'],
    account,
    token: 'USDT',
    amount: '1200',
    token_address: `0x${'c3'.repeat(20)}`,
    raw_amount: '1200000000',
    contract_address: `0x${'d4'.repeat(20)}`,
    chain_id: 31_337,
    domain_name: 'SpotVault',
    created_at: at,
    approved_by: `${other} and ${account}`,
    approved_until: '2026-01-18T11:48:20.000Z',
  },
] as const;

const claim = {
  claim_no: 'CLM-20260115-0001',
  address: account,
  amount: '13.97',
  nonce: 1,
  deadline: null,
  applied_at: at,
  finished_at: at,
};

export const operatorFixtures: Readonly<Record<string, Answer>> = {
  'GET /api/v1/admin/solvency': done({
    is_still: true,
    tokens: [
      { token: 'USDT', held: '125000.5', owed: '124800.25', unbacked: '0', is_short: false },
      { token: 'DF', held: '900', owed: '10000', unbacked: '10000', is_short: false },
    ],
    rewards: { held: '500', owed: '512.25', is_short: true },
  }),
  'GET /api/v1/admin/futures/insurance': done({
    balance: '25000',
    held: '120.5',
    bad_debt: '0',
    fee_revenue: '1500.25',
    accounts_in_liquidation: 1,
    withdrawals_gated: false,
    withdrawals_held: false,
    gated_until: null,
  }),
  'GET /api/v1/admin/wallet/deposits': page([
    {
      id: '8',
      account,
      token: 'USDT',
      token_address: `0x${'c3'.repeat(20)}`,
      amount: '250',
      raw_amount: '250000000',
      tx_hash: hash,
      block: 1204,
      state: 'credited',
      reason: null,
      seen_at: at,
      credited_at: at,
    },
    {
      id: '7',
      account: other,
      token: null,
      token_address: `0x${'c4'.repeat(20)}`,
      amount: null,
      raw_amount: '1000',
      tx_hash: hash,
      block: 1203,
      state: 'stuck',
      reason: 'unknown_token',
      seen_at: at,
      credited_at: null,
    },
  ]),
  'GET /api/v1/admin/wallet/withdrawals': page([
    {
      id: '0b52a6f1-1df4-4c1b-8a51-64c5b2f1a902',
      wallet: 'perp',
      account,
      token: 'USDT',
      amount: '1200',
      status: 'signed',
      nonce: 3,
      deadline: 1_768_482_000,
      tx_hash: null,
      created_at: at,
      finished_at: null,
    },
  ]),
  'POST /api/v1/admin/session': done({
    token: 'a.b.c',
    role: 'write',
    expires_at: '2099-01-01T00:00:00.000Z',
  }),
  'GET /api/v1/admin/withdrawals/pause': done({ paused: false }),
  'GET /api/v1/admin/withdrawals/reviews': done({ items: reviewFixtures }),
  'GET /api/v1/admin/users': page([
    user,
    {
      address: other,
      username: null,
      created_at: at,
      is_market_maker: true,
      vip_tier: 4,
      vip_override: 4,
      agent: null,
      referrer: null,
    },
  ]),
  'GET /api/v1/admin/referral/agents': page([
    {
      address: account,
      code: 'SATOSHI_21',
      tier_level: 2,
      rebate_rate: '0.2',
      status: 'active',
      direct_traders: 2,
      created_at: at,
    },
    {
      address: other,
      code: null,
      tier_level: 4,
      rebate_rate: '0.4',
      status: 'suspended',
      direct_traders: 0,
      created_at: at,
    },
  ]),
  'GET /api/v1/admin/referral/claims': page([
    { ...claim, status: 'success', tx_hash: hash, failure_reason: null },
    {
      ...claim,
      claim_no: 'CLM-20260115-0002',
      status: 'failed',
      tx_hash: null,
      failure_reason: 'SIGNATURE_EXPIRED',
    },
  ]),
  'GET /api/v1/admin/referral/settlements/failed': page([
    { address: other, commission: '5.005', earnings: 12, error: 'CapExceeded' },
  ]),
  'GET /api/v1/admin/chain/halts': done({
    items: [
      {
        id: '7',
        kind: 'by_hand',
        detail: 'a drill of the signers, until the second shift is on duty',
        raised_at: at,
        raised_by: 'administrator',
      },
    ],
  }),
  'GET /api/v1/admin/withdrawals/pauses': done({
    items: [
      {
        id: '3',
        scope: 'asset',
        subject: 'DF',
        reason: 'the token is being migrated',
        raised_by: 'administrator',
        raised_at: at,
      },
    ],
  }),
  'GET /api/v1/admin/chain/contract-pauses': done({
    items: [
      {
        id: '3',
        contract: 'spotVault',
        halt_id: '7',
        reason: 'a key was stolen',
        requested_by: 'administrator',
        requested_at: at,
        state: 'sent',
        tx_hash: hash,
      },
    ],
  }),
  'GET /api/v1/admin/chain/parked': done({
    items: [
      {
        id: 'deposit-7',
        contract: 'spotVault',
        account: other,
        type: 'vaultDeposited',
        block: 19,
        tx_hash: hash,
        error: 'unknown_token',
      },
    ],
  }),
  'GET /api/v1/admin/chain/parked/deposit-7': done({
    id: 'deposit-7',
    contract: 'spotVault',
    account: other,
    type: 'vaultDeposited',
    block: 19,
    tx_hash: hash,
    error: 'unknown_token',
    event: { token: `0x${'c4'.repeat(20)}`, rawAmount: '1000', number: '3' },
    row: {
      table: 'spot_deposits',
      id: '7',
      status: 'pending',
      token_address: `0x${'c4'.repeat(20)}`,
      raw_amount: '1000',
    },
    proof: { counted_hash: hash, present_hash: hash, is_included: true },
    chain: { head: 88, next_number: 4, token_symbol: 'OLD', token_decimals: 6 },
  }),
  'GET /api/v1/admin/audit': page([
    {
      id: 'a-2',
      action: 'set_spot_market_status',
      detail: { id: 'DFUSDT', status: 'halted' },
      actor: 'administrator',
      sequence: 9_041,
      created_at: at,
    },
    {
      id: 'a-1',
      action: 'pause_withdrawals',
      detail: { paused: true, reason: 'the chain is slow' },
      actor: 'administrator',
      sequence: null,
      created_at: at,
    },
  ]),
};
