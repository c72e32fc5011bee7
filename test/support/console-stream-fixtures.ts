import { fixedNow, perpOrder, position, spotOrder } from './console-fixtures.ts';

// What the fake service sends on its streams, with the figures of console-fixtures.ts.

const ticker = (symbol: string, last: string, change: string, volume: string) => ({
  symbol,
  last_price: last,
  open_price: last,
  high_price: last,
  low_price: last,
  price_change: '24',
  price_change_percent: change,
  volume: '7.1',
  quote_volume: volume,
  trade_count: 812,
  open_time: 0,
  close_time: 0,
  best_bid: null,
  best_ask: null,
});

const levels = (from: number, step: number) =>
  Array.from({ length: 15 }, (_, index) => [
    (from + index * step).toFixed(2),
    (0.05 + ((index * 37) % 11) / 10).toFixed(4),
  ]);

const side = (index: number) => (index % 3 === 0 ? 'sell' : 'buy');

/** Snapshots by channel, or by channel and market. */
export const streamFixtures: Readonly<Record<string, unknown>> = {
  markets: [],
  'tickers spot': [
    ticker('BTCUSDT', '64036.64', '0.04', '447364.12'),
    ticker('ETHUSDT', '3120.55', '-1.82', '98231.4'),
  ],
  'tickers futures': [ticker('BTCUSDT', '64036.6', '0.05', '812004.7')],
  ticker: ticker('BTCUSDT', '64036.64', '0.04', '447364.12'),
  orderbook: { asks: levels(64_037.5, 4.35), bids: levels(64_036, -3.9) },
  trades: Array.from({ length: 30 }, (_, index) => ({
    trade_id: String(index),
    price: (64_036 + ((index * 7) % 9)).toFixed(2),
    quantity: (0.01 + ((index * 13) % 7) / 100).toFixed(4),
    side: side(index),
    created_at: fixedNow - (30 - index) * 2_100,
  })),
  mark_price: {
    symbol: 'BTCUSDT',
    mark_price: '64036.6',
    index_price: '64030.2',
    is_index_stale: false,
    funding_rate: '0.0001',
    next_funding_time: fixedNow + 3_600_000,
  },
  balances: [
    { market: 'spot', token: 'USDT', available: '8802.48', locked: '2558.02' },
    { market: 'spot', token: 'BTC', available: '0.0156', locked: '0' },
    { market: 'futures', token: 'USDT', available: '4998.24', locked: '40' },
  ],
  orders: [
    { ...spotOrder, market: 'spot', fills: [], created_at: fixedNow - 700_000 },
    { ...perpOrder, market: 'futures', fills: [], created_at: fixedNow - 650_000 },
  ],
  positions: [position],
  vip_tier: { tier: 2, volume_14d: '120000', pending_downgrade: null },
  wallet: [],
  referral: [],
};
