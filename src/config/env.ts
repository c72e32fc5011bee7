import * as parse from './setting-parsers.ts';

// The only reader of environment variables. Each setting has one parser. An absent or empty
// variable is unset; config.ts supplies the default.

const anyPort = parse.integer({ min: 0, max: 65_535 });
const intervalMs = parse.integer({ min: 10, max: 86_400_000 });
const count = parse.integer({ min: 1, max: 1_000_000_000 });

const parsers = {
  NODE_ENV: parse.oneOf(['production', 'development', 'test']),
  HOST: parse.text,
  PORT: anyPort,
  DATA_DIR: parse.text,
  LOG_LEVEL: parse.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
  LOG_FORMAT: parse.oneOf(['json', 'pretty']),
  DATABASE_URL: parse.url(['postgres:', 'postgresql:']),
  NATS_URL: parse.urlOrUrls(['nats:', 'tls:']),
  CLUSTER_MEMBERS: parse.integer({ min: 1, max: 9 }),
  ACK_COPIES: parse.integer({ min: 1, max: 3 }),
  LOG_SYNCED: parse.oneOf(['yes', 'no']),
  ROLES: parse.text,
  SNAPSHOT_STORE: parse.text,
  S3_ENDPOINT: parse.url(['http:', 'https:']),
  S3_BUCKET: parse.matching(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    '3 to 63 lowercase letters, digits, dots and hyphens',
  ),
  S3_PREFIX: parse.matching(
    /^(\w[\w.-]*\/)*(\w[\w.-]*)?$/,
    'letters, digits, dots, hyphens and underscores, in parts separated by slashes',
  ),
  S3_REGION: parse.matching(/^[a-z0-9-]{1,63}$/, 'lowercase letters, digits and hyphens'),
  S3_PATH_STYLE: parse.trueOrFalse,
  S3_ACCESS_KEY_ID: parse.text,
  S3_SECRET_ACCESS_KEY: parse.text,
  LOG_KEEP_HOURS: parse.integer({ min: 1, max: 100_000 }),
  JWT_SECRET: parse.textOfLength(32),
  JWT_TTL: parse.durationSeconds,
  ADMIN_API_KEY: parse.text,
  METRICS_TOKEN: parse.textOfLength(16),
  SECRETS_KEY: parse.hexBytes(32),
  NEXT_SECRETS_KEY: parse.hexBytes(32),
  TESTNET_ONLY: parse.trueOrFalse,
  SPOT_TRADING_ENABLED: parse.trueOrFalse,
  PUBLIC_URL: parse.url(['http:', 'https:']),
  CHAIN_RPC_URL: parse.url(['http:', 'https:']),
  CHAIN_RPC_URLS: parse.urls(['http:', 'https:']),
  CHAIN_QUORUM: parse.integer({ min: 1, max: 5 }),
  CHAIN_DEPLOYMENT: parse.text,
  CHAIN_EXPLORER_URL: parse.linkBase,
  CHAIN_ID: parse.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  SIGNER_PRIVATE_KEY: parse.privateKey,
  SETTLER_SIGNER: parse.signer,
  REWARD_SIGNER: parse.signer,
  VAULT_SIGNER: parse.signer,
  GUARDIAN_SIGNER: parse.signer,
  SIGNER_TOKEN: parse.textOfLength(32),
  REWARD_ROUTER_ADDRESS: parse.evmAddress,
  REFERRAL_REBATE_ADDRESS: parse.evmAddress,
  SPOT_VAULT_ADDRESS: parse.evmAddress,
  APPROVERS: parse.evmAddresses,
  WITHDRAWAL_REVIEW: parse.trueOrFalse,
  CHAIN_CONFIRMATIONS: parse.integer({ min: 0, max: 10_000 }),
  EIP712_REFERRAL_DOMAIN_NAME: parse.text,
  EIP712_VAULT_DOMAIN_NAME: parse.text,
  SETTLE_INTERVAL_MS: intervalMs,
  CLAIM_POLL_INTERVAL_MS: intervalMs,
  LEADERBOARD_REFRESH_MS: intervalMs,
  MIN_CLAIM_USDT: parse.positiveUsdt,
  SETTLE_MIN_USDT: parse.usdt,
  SPOT_WITHDRAW_TOKENS: parse.tokenMinimums,
  TRUST_PROXY: parse.cidrList,
  CORS_ORIGINS: parse.originList,
  CONSOLE: parse.oneOf(['on', 'off']),
  POINTS_EPOCH_START: parse.integer({ min: 0, max: 100_000_000_000 }),
  INDEX_PRICE_SOURCE: parse.oneOf(['book', 'admin']),
  FAPI_LISTEN_KEY_UNSIGNED: parse.trueOrFalse,
  FAPI_DIALECT: parse.oneOf(['interface', 'binance']),
  REQUEST_WEIGHT_1M: count,
  ORDER_COUNT_10S: count,
  ORDER_COUNT_1M: count,
  SIGN_IN_COUNT_1M: count,
  SIGNING_COUNT_1M: count,
  ENGINE_QUEUE_MAX: parse.integer({ min: 1, max: 10_000_000 }),
  SNAPSHOT_EVERY: count,
  RULES: parse.oneOf(['newest', 'hold']),
  STOP_TIMEOUT_MS: parse.integer({ min: 5_000, max: 3_600_000 }),
} as const;

type Parsers = typeof parsers;
type Value<P> = P extends parse.SettingParser<infer T> ? T : never;

/** Every setting of the environment; null if it is unset. */
export type Environment = { readonly [K in keyof Parsers]: Value<Parsers[K]> | null };

/** The invalid settings, one sentence each, without their values. */
export class InvalidSettingsError extends Error {
  override readonly name = 'InvalidSettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** @throws InvalidSettingsError naming every variable that cannot be parsed. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Environment {
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [name, parser] of Object.entries(parsers)) {
    const raw = variables[name];
    if (raw === undefined || raw === '') {
      settings[name] = null;
      continue;
    }
    const parsed: parse.ParsedSetting<unknown> = parser(raw);
    if ('problem' in parsed) problems.push(`${name} ${parsed.problem}`);
    else settings[name] = parsed.value;
  }
  if (problems.length > 0) throw new InvalidSettingsError(problems);
  return settings as Environment;
}
