import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildConfig, type Config } from './config.ts';
import { InvalidSettingsError, readEnvironment } from './env.ts';

function configOf(variables: Record<string, string>): Config {
  const dataDir = mkdtempSync(join(tmpdir(), 'openbourse-config-'));
  return buildConfig(readEnvironment({ DATA_DIR: dataDir, ...variables }));
}

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    configOf(variables);
  } catch (error) {
    if (error instanceof InvalidSettingsError) return error.problems;
    throw error;
  }
  return [];
}

test('config: an empty environment has the defaults of the specification', () => {
  const config = configOf({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: null,
    natsUrl: null,
    jwtTtlSeconds: 86_400,
    adminApiKey: null,
    isTestnet: false,
    isSpotTradingEnabled: true,
    trustedProxies: [],
    corsOrigins: [],
    indexPriceSource: 'book',
    isListenKeyUnsigned: false,
    fapiDialect: 'interface',
  });
  expect(config.chain).toMatchObject({
    rpcUrl: null,
    explorerUrl: null,
    confirmations: 0,
    referralDomainName: 'ReferralRewardRouter',
    vaultDomainName: 'SpotVault',
  });
  expect(config.program).toMatchObject({
    settleIntervalMs: 300_000,
    claimPollIntervalMs: 30_000,
    leaderboardRefreshMs: 300_000,
    minClaimUsdt: '10',
    withdrawMinimums: new Map([['DF', '1']]),
  });
});

test('config: the names of the signing domains are settings', () => {
  const names = { EIP712_REFERRAL_DOMAIN_NAME: 'Rewards', EIP712_VAULT_DOMAIN_NAME: 'Vault' };
  expect(configOf(names).chain).toMatchObject({
    referralDomainName: 'Rewards',
    vaultDomainName: 'Vault',
  });
});

test('config: a custom chain counts events after 12 blocks', () => {
  const address = `0x${'ab'.repeat(20)}`;
  const chain = {
    CHAIN_RPC_URL: 'http://127.0.0.1:8545',
    REWARD_ROUTER_ADDRESS: address,
    REFERRAL_REBATE_ADDRESS: address,
    SPOT_VAULT_ADDRESS: address,
  };
  expect(configOf(chain).chain.confirmations).toBe(12);
});

test('config: generated secrets are stored for the next start, readable by their owner only', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'openbourse-config-'));
  const first = configOf({ DATA_DIR: dataDir });
  const second = configOf({ DATA_DIR: dataDir });
  expect(second.jwtSecret).toBe(first.jwtSecret);
  expect(second.secretsKey).toBe(first.secretsKey);
  expect(second.chain.signers).toEqual(first.chain.signers);
  const path = join(dataDir, 'secrets.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(first.jwtSecret);
  writeFileSync(path, text.slice(0, -20));
  expect(() => configOf({ DATA_DIR: dataDir })).toThrow(new Error(`${path} is not JSON`));
});

test.each([
  ['PORT', '70000', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '0x50', 'PORT must be a whole number from 0 to 65535'],
  ['JWT_SECRET', 'short', 'JWT_SECRET must have at least 32 bytes'],
  ['JWT_TTL', 'soon', 'JWT_TTL must be a length of time such as 3600, 30m or 24h'],
  ['SECRETS_KEY', 'abc', 'SECRETS_KEY must be 32 bytes in hex (64 digits)'],
  ['SPOT_TRADING_ENABLED', 'yes', 'SPOT_TRADING_ENABLED must be true or false'],
  [
    'DATABASE_URL',
    'mysql://x',
    'DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
  ],
  ['CHAIN_RPC_URL', 'ftp://x', 'CHAIN_RPC_URL must be a URL that starts with http:// or https://'],
  [
    'REWARD_ROUTER_ADDRESS',
    '0x1',
    'REWARD_ROUTER_ADDRESS must be an address: 0x and 40 hex digits',
  ],
  [
    'MIN_CLAIM_USDT',
    '1e3',
    'MIN_CLAIM_USDT must be a decimal number above zero with at most 8 decimals',
  ],
  ['MIN_CLAIM_USDT', '10.0000001', 'MIN_CLAIM_USDT must have at most 6 decimals'],
  [
    'SPOT_WITHDRAW_TOKENS',
    'DF',
    'SPOT_WITHDRAW_TOKENS must be TOKEN:MINIMUM pairs, comma separated, for example DF:1',
  ],
  [
    'TRUST_PROXY',
    '10.0.0.0/33',
    'TRUST_PROXY must be addresses or CIDR blocks; "10.0.0.0/33" is neither',
  ],
  [
    'CORS_ORIGINS',
    'https://a.example/path',
    'CORS_ORIGINS must be origins such as https://app.example.com; got "https://a.example/path"',
  ],
  [
    'POINTS_EPOCH_START',
    '1000000',
    'POINTS_EPOCH_START must be a Monday 00:00 UTC in Unix seconds',
  ],
  ['NODE_ENV', 'prod', 'NODE_ENV must be one of production, development, test'],
  ['NODE_ENV', 'Production', 'NODE_ENV must be one of production, development, test'],
  ['TESTNET_ONLY', 'TRUE', 'TESTNET_ONLY must be true or false'],
  ['TESTNET_ONLY', '1', 'TESTNET_ONLY must be true or false'],
  ['FAPI_LISTEN_KEY_UNSIGNED', 'on', 'FAPI_LISTEN_KEY_UNSIGNED must be true or false'],
  ['METRICS_TOKEN', 'short', 'METRICS_TOKEN must have at least 16 bytes'],
  [
    'SIGNER_PRIVATE_KEY',
    '0'.repeat(64),
    'SIGNER_PRIVATE_KEY must be a private key of secp256k1: above zero and below the order',
  ],
  [
    'SIGNER_PRIVATE_KEY',
    'f'.repeat(64),
    'SIGNER_PRIVATE_KEY must be a private key of secp256k1: above zero and below the order',
  ],
  ['FAPI_DIALECT', 'Binance', 'FAPI_DIALECT must be one of interface, binance'],
  ['INDEX_PRICE_SOURCE', 'moon', 'INDEX_PRICE_SOURCE must be one of book, admin'],
])('config: %s=%s stops the start with one clear line', (name, value, problem) => {
  expect(problemsOf({ [name]: value })).toEqual([problem]);
});

test('config: NATS_URL requires the settings that several processes must share', () => {
  const shared = {
    DATABASE_URL: 'postgres://localhost/exchange',
    JWT_SECRET: 'j'.repeat(32),
    SECRETS_KEY: '0'.repeat(64),
  };
  const natsUrl = 'nats://127.0.0.1:4222';
  expect(configOf({ ...shared, NATS_URL: natsUrl }).natsUrl).toBe(natsUrl);
  for (const name of Object.keys(shared)) {
    expect(problemsOf({ ...shared, NATS_URL: natsUrl, [name]: undefined })).toEqual([
      `${name} is required with NATS_URL, with the same value in all processes`,
    ]);
  }
});

const s3 = {
  SNAPSHOT_STORE: 's3',
  S3_ENDPOINT: 'https://s3.example.org',
  S3_BUCKET: 'exchange-snapshots',
  S3_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  S3_SECRET_ACCESS_KEY: 'a secret',
};

test('config: SNAPSHOT_STORE is a folder, a bucket of the NATS server, or one of an S3 server', () => {
  const storeOf = (given: Record<string, string>) => configOf(given).cluster.snapshotStore;
  expect(storeOf({})).toBeNull();
  expect(storeOf({ SNAPSHOT_STORE: '/srv/snapshots' })).toEqual({
    type: 'folder',
    folder: '/srv/snapshots',
  });
  expect(storeOf({ SNAPSHOT_STORE: 'jetstream' })).toEqual({ type: 'jetstream' });
  expect(storeOf(s3)).toEqual({
    type: 's3',
    s3: {
      endpoint: s3.S3_ENDPOINT,
      bucket: s3.S3_BUCKET,
      prefix: '',
      region: 'us-east-1',
      isPathStyle: true,
      accessKeyId: s3.S3_ACCESS_KEY_ID,
      secretAccessKey: s3.S3_SECRET_ACCESS_KEY,
    },
  });
});

test.each(['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])(
  'config: SNAPSHOT_STORE=s3 requires %s',
  (name) => {
    expect(problemsOf({ ...s3, [name]: undefined })).toEqual([
      `${name} is required with SNAPSHOT_STORE=s3`,
    ]);
  },
);

test.each([
  ['S3_ENDPOINT', 'https://user:secret@s3.example.org', 'must have no user, query or fragment'],
  ['S3_BUCKET', 'Bucket', 'must be 3 to 63 lowercase letters, digits, dots and hyphens'],
  [
    'S3_PREFIX',
    '../other/',
    'must be letters, digits, dots, hyphens and underscores, in parts separated by slashes',
  ],
  ['S3_REGION', 'eu central', 'must be lowercase letters, digits and hyphens'],
  ['S3_PATH_STYLE', 'yes', 'must be true or false'],
])('config: %s=%s is refused without its value', (name, value, problem) => {
  expect(problemsOf({ ...s3, [name]: value })).toEqual([`${name} ${problem}`]);
});

test('config: every bad setting is named at once', () => {
  expect(problemsOf({ PORT: 'a', JWT_SECRET: 'b' })).toHaveLength(2);
});

test('config: a problem never repeats a secret', () => {
  expect(problemsOf({ SECRETS_KEY: 'hunter2hunter2' }).join()).not.toContain('hunter2');
});

test('config: production requires secrets, database and chain', () => {
  const problems = problemsOf({ NODE_ENV: 'production', ADMIN_API_KEY: 'short' });
  expect(problems).toContain('DATABASE_URL is required in production');
  expect(problems).toContain('JWT_SECRET is required in production');
  expect(problems).toContain('CHAIN_RPC_URL is required in production');
  expect(problems).toContain('ADMIN_API_KEY must have at least 32 characters');
});

const explorerProblem =
  'CHAIN_EXPLORER_URL must be a URL of https://, or of http:// on localhost, with no more than a path';

test.each([
  'http://explorer.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'explorer.example',
  'https://user:word@explorer.example',
  'https://explorer.example/?q=',
  'https://explorer.example/#x',
  'https:\\\\explorer.example',
])('config: %s is not a base for links to an explorer', (url) => {
  expect(problemsOf({ CHAIN_EXPLORER_URL: url })).toEqual([explorerProblem]);
});

test('config: links to an explorer begin without a slash at the end; http is for a test network', () => {
  const baseOf = (url: string) => configOf({ CHAIN_EXPLORER_URL: url }).chain.explorerUrl;
  expect(baseOf('https://Explorer.example/')).toBe('https://explorer.example');
  expect(baseOf('https://explorer.example/arbitrum/')).toBe('https://explorer.example/arbitrum');
  const local = 'http://localhost:5100';
  expect(baseOf(local)).toBe(local);
  expect(problemsOf({ CHAIN_EXPLORER_URL: local, CHAIN_ID: '1' })).toEqual([
    'CHAIN_EXPLORER_URL must be https:// on a main network',
  ]);
});

test('config: an external chain needs the addresses of the contracts', () => {
  expect(problemsOf({ CHAIN_RPC_URL: 'http://127.0.0.1:8545' })).toEqual([
    'REWARD_ROUTER_ADDRESS is required with CHAIN_RPC_URL',
    'REFERRAL_REBATE_ADDRESS is required with CHAIN_RPC_URL',
    'SPOT_VAULT_ADDRESS is required with CHAIN_RPC_URL',
  ]);
});

test.each([1, 10, 56, 137, 8453, 42_161, 43_114, 123_456])(
  'fault 4: TESTNET_ONLY=true prevents the start on chain id %i, which is no listed test network',
  (chainId) => {
    const problems = problemsOf({ TESTNET_ONLY: 'true', CHAIN_ID: String(chainId) });
    expect(problems).toEqual([
      `TESTNET_ONLY must not be true on chain id ${chainId}: no test network`,
    ]);
  },
);

test.each([31_337, 11_155_111, 421_614])('config: chain id %i may have test credits', (chainId) => {
  const config = configOf({ TESTNET_ONLY: 'true', CHAIN_ID: String(chainId) });
  expect(config).toMatchObject({ isTestnet: true, chain: { kind: 'test' } });
});

test('config: TESTNET_ONLY=false and an absent one give no test credits', () => {
  expect(configOf({ TESTNET_ONLY: 'false' }).isTestnet).toBe(false);
  expect(configOf({}).isTestnet).toBe(false);
});

test('config: in production no index price comes from a book, and /metrics has a token', () => {
  expect(problemsOf({ NODE_ENV: 'production', INDEX_PRICE_SOURCE: 'book' })).toContain(
    'INDEX_PRICE_SOURCE must be admin in production',
  );
  expect(problemsOf({ NODE_ENV: 'production' })).toContain('PUBLIC_URL is required in production');
  expect(configOf({})).toMatchObject({ areMetricsOpen: true, metricsToken: null });
  const metricsToken = 'a-token-of-the-operator';
  expect(configOf({ METRICS_TOKEN: metricsToken })).toMatchObject({
    areMetricsOpen: false,
    metricsToken,
  });
});

test('config: CORS_ORIGINS is a list of origins, or * alone', () => {
  expect(configOf({ CORS_ORIGINS: '*' }).corsOrigins).toEqual(['*']);
  const origins = ['https://a.example', 'https://b.example'];
  expect(configOf({ CORS_ORIGINS: origins.join(', ') }).corsOrigins).toEqual(origins);
  expect(problemsOf({ CORS_ORIGINS: '*,https://a.example' })).toEqual([
    'CORS_ORIGINS must be origins such as https://app.example.com; got "*"',
  ]);
});

const noBlock = (text: string) =>
  `TRUST_PROXY must be addresses or CIDR blocks; "${text}" is neither`;

test.each(['10.0.0.0/08', 'fe80::1%eth0', '::ffff:10.0.0.1', '::ffff:a00:0/104', '010.0.0.1'])(
  'config: TRUST_PROXY=%s is not an address or a CIDR block',
  (text) => {
    expect(problemsOf({ TRUST_PROXY: text })).toEqual([noBlock(text)]);
  },
);

test('config: TRUST_PROXY determines the client address', () => {
  const blocks = ['10.0.0.0/8', '192.168.1.1', 'fd00::/8', '::1'];
  expect(configOf({ TRUST_PROXY: blocks.join(', ') }).trustedProxies).toEqual(blocks);
});
