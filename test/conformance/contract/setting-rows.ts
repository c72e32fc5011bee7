import type { Part } from '../row.ts';

// Settings.

const defaults = 'config > config: an empty environment has the defaults of the specification';
const bad = (setting: string) => `config > config: ${setting} stops the start with one clear line`;
const production = 'config > config: production requires secrets, database and chain';
const generated =
  'config > config: generated secrets are stored for the next start, readable by their owner only';

export const settingParts: readonly Part[] = [
  {
    id: 'setting',
    title: 'Settings',
    rows: [
      ['validated', 'A bad setting stops the start with one clear line', bad('PORT=70000')],
      [
        'validated-process',
        'The process says so and ends',
        'process > process: every bad setting is one clear line',
      ],
      ['HOST', 'HOST, PORT: 127.0.0.1, 8080', defaults, bad('PORT=0x50')],
      ['DATA_DIR', 'DATA_DIR holds generated development secrets', generated],
      [
        'DATABASE_URL',
        'DATABASE_URL unset: the embedded PostgreSQL in DATA_DIR',
        defaults,
        bad('DATABASE_URL=mysql://x'),
        'embedded-postgres > embedded: starts below a home of mode 700, durable, with no port',
      ],
      ['NATS_URL', 'NATS_URL unset: everything in one process', defaults],
      [
        'NATS_URL-several',
        'NATS_URL: messaging for several processes',
        'cluster-exchange > cluster: a write at any process reaches the owner and is answered',
        'cluster-exchange > cluster: concurrent writes at both processes get one order, each once',
        'cluster-exchange > cluster: an orderly stop hands over at once, and no client is refused',
      ],
      ['JWT_SECRET', 'JWT_SECRET: at least 32 bytes', bad('JWT_SECRET=short')],
      ['JWT_TTL', 'JWT_TTL: 24 h', defaults, bad('JWT_TTL=soon')],
      [
        'JWT',
        'Tokens carry sub, iat, exp; HS256',
        'tokens > a token with iss, aud, sub, iat and exp under HS256: 200',
        'tokens > a token that is no exp: 401 UNAUTHORIZED',
      ],
      ['JWT-alg', 'alg is pinned', 'tokens > a token that is alg none: 401 UNAUTHORIZED'],
      [
        'ADMIN_API_KEY',
        'ADMIN_API_KEY unset: admin endpoints answer 503 ADMIN_NOT_CONFIGURED',
        'access-matrix > ADMIN_API_KEY null: 503 ADMIN_NOT_CONFIGURED for every key',
      ],
      [
        'SECRETS_KEY',
        'SECRETS_KEY: 32 bytes hex; encrypts API secrets at rest',
        bad('SECRETS_KEY=abc'),
        'stores > api keys: the secret is stored encrypted, never twice with the same text',
      ],
      [
        'TESTNET_ONLY',
        'TESTNET_ONLY: exactly true enables test credits',
        'config > config: TESTNET_ONLY=TRUE stops the start with one clear line',
        'config > config: TESTNET_ONLY=1 stops the start with one clear line',
      ],
      [
        'SPOT_TRADING_ENABLED',
        'SPOT_TRADING_ENABLED=false answers 503 on spot trading',
        'spot-unavailable > disabled: placing and canceling are 503 `spot trading disabled`',
      ],
      [
        'CHAIN_RPC_URL',
        'CHAIN_RPC_URL unset: a local development chain with the contracts',
        defaults,
        'development-chain > developmentChain: router and vault hold enough test tokens',
      ],
      [
        'CHAIN_addresses',
        'A chain of others needs the addresses of the contracts',
        'config > config: an external chain needs the addresses of the contracts',
      ],
      [
        'CHAIN_CONFIRMATIONS',
        'CHAIN_CONFIRMATIONS: 0 on the development chain, else 12',
        defaults,
        'config > config: a custom chain counts events after 12 blocks',
        'event-listener > listener: events wait for their confirmations',
      ],
      [
        'EIP712',
        'Domain names ReferralRewardRouter, SpotVault',
        defaults,
        'config > config: the names of the signing domains are settings',
      ],
      [
        'intervals',
        'SETTLE_INTERVAL_MS, CLAIM_POLL_INTERVAL_MS, LEADERBOARD_REFRESH_MS',
        defaults,
        'job-intervals > intervals: SETTLE_INTERVAL_MS, CLAIM_POLL_INTERVAL_MS and LEADERBOARD',
      ],
      ['MIN_CLAIM_USDT', 'MIN_CLAIM_USDT: 10', defaults, bad('MIN_CLAIM_USDT=1e3')],
      ['SPOT_WITHDRAW_TOKENS', 'DF:1', defaults, bad('SPOT_WITHDRAW_TOKENS=DF')],
      [
        'TRUST_PROXY',
        "TRUST_PROXY unset: the socket's address is the client's",
        'client-address > without trusted proxies X-Forwarded-For is ignored',
      ],
      [
        'TRUST_PROXY-list',
        'else the proxies whose X-Forwarded-For is believed',
        'client-address > behind a trusted proxy: the right-most address that is not one',
        bad('TRUST_PROXY=10.0.0.0/33'),
      ],
      ['CORS_ORIGINS', 'CORS_ORIGINS unset: none', 'cors > CORS_ORIGINS unset: none'],
      [
        'POINTS_EPOCH_START',
        'A Monday 00:00 UTC; default: the Monday before the first start, kept',
        bad('POINTS_EPOCH_START=1000000'),
        'points > start: a Monday from the first start on; the setting replaces it while nothing',
      ],
      ['INDEX_PRICE_SOURCE', 'book or admin', defaults, bad('INDEX_PRICE_SOURCE=moon')],
      ['production', 'In production secrets, database and chain are required', production],
      ['secrets', 'Development secrets are generated once (mode 0600)', generated],
      [
        'markets',
        'An empty database gets the spot markets BTCUSDT, ETHUSDT, DFUSDT',
        'start-demo > seedDevelopmentMarkets: an exchange that has a market is left as it is',
      ],
      [
        'futures-markets',
        'and the futures markets BTCUSDT, ETHUSDT',
        'ccxt > ccxt: markets load with their filters',
      ],
      [
        'faucet',
        'POST /api/v1/faucet: token, amount up to 100000; {ok: true}',
        'faucet > POST /faucet: gives a signed-in user up to 100000 of a traded token',
      ],
      [
        'faucet-minute',
        'once a minute a token',
        'faucet > POST /faucet: once a minute per token, else 429 RATE_LIMITED with Retry-After',
      ],
      [
        'faucet-testnet',
        'with TESTNET_ONLY=true only',
        'faucet > POST /faucet: 404 DISABLED where TESTNET_ONLY is not exactly true',
      ],
      [
        'demo',
        '--demo runs demo traders',
        'start-demo > startDemo: every development market has quotes on both sides, and trades',
      ],
    ],
  },
];
