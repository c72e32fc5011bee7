import { resolve } from 'node:path';
import {
  type ChainConfig,
  chainConfig,
  findChainProblems,
  readDeployment,
  withFirstProvider,
} from './chain-config.ts';
import type { DeploymentManifest } from './deployment-manifest.ts';
import { type Environment, InvalidSettingsError } from './env.ts';
import { findRoleProblems, type Roles, readRoles } from './roles.ts';
import { loadGeneratedSecrets } from './secrets.ts';
import { hasRoleSigners } from './signer-config.ts';
import {
  findSnapshotStoreProblems,
  type SnapshotStoreConfig,
  snapshotStoreConfig,
} from './snapshot-store-config.ts';
import { perpWithdrawMinimumOf, withdrawMinimumsOf } from './withdraw-minimums.ts';

// The complete typed settings; main passes each part to the folder that needs it.

interface ClusterConfig {
  readonly roles: Roles;
  /** Processes that are entered in the list of members as they join. */
  readonly membersCount: number;
  /** Journals that hold a command before it is acknowledged, from three members on. */
  readonly ackCopies: number;
  /** Whether every NATS server syncs before it answers. */
  readonly isLogSynced: boolean;
  /** Where all processes of the exchange share snapshots; null: nowhere. */
  readonly snapshotStore: SnapshotStoreConfig | null;
  /** How long entries of the shared log stay; null: the log is never trimmed. */
  readonly logKeepHours: number | null;
}

export interface Config {
  readonly isProduction: boolean;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logLevel: string;
  readonly logFormat: 'json' | 'pretty';
  readonly databaseUrl: string | null;
  readonly natsUrl: string | null;
  readonly cluster: ClusterConfig;
  /** The public address of the site, which sign-in messages contain. Null: HOST:PORT. */
  readonly publicUrl: string | null;
  readonly jwtSecret: string;
  readonly jwtTtlSeconds: number;
  readonly adminApiKey: string | null;
  /** The token that /metrics requires. */
  readonly metricsToken: string | null;
  /** True outside production if there is no token. */
  readonly areMetricsOpen: boolean;
  /** 32 bytes in hex. */
  readonly secretsKey: string;
  readonly isTestnet: boolean;
  readonly isSpotTradingEnabled: boolean;
  readonly chain: ChainConfig;
  readonly program: ProgramConfig;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Whether the console is served next to the API. */
  readonly isConsoleServed: boolean;
  readonly indexPriceSource: 'book' | 'admin';
  readonly isListenKeyUnsigned: boolean;
  /** Whether /fapi responds as in the interface or as Binance does. */
  readonly fapiDialect: 'interface' | 'binance';
  readonly limits: RequestLimits;
  readonly engineQueueMax: number;
  /** Commands between two snapshots. */
  readonly snapshotEvery: number;
  /** Maximum duration of a stop in milliseconds. */
  /** Whether the exchange keeps its rules although this program has newer ones. */
  readonly areRulesHeld: boolean;
  readonly stopTimeoutMs: number;
}

interface ProgramConfig {
  readonly settleIntervalMs: number;
  readonly claimPollIntervalMs: number;
  readonly leaderboardRefreshMs: number;
  readonly minClaimUsdt: string;
  /** Smaller commission waits until its account can claim with it. */
  readonly settleMinUsdt: string;
  /** How long an account's state in the on-chain register is not written again, in milliseconds. */
  readonly registerRestMs: number;
  readonly withdrawMinimums: ReadonlyMap<string, string>;
  readonly perpWithdrawMinimum: string;
  readonly pointsEpochStart: number | null;
}

interface RequestLimits {
  readonly requestWeightPerMinute: number;
  readonly ordersPerTenSeconds: number;
  readonly ordersPerMinute: number;
  readonly signInsPerMinute: number;
  readonly signingsPerMinute: number;
}

const secondsPerWeek = 604_800;
// 1970-01-05 was a Monday.
const firstMondaySeconds = 345_600;
const adminApiKeyLengthMin = 32;
const registerRestMs = 86_400_000;

const requiredInProduction = [
  'PUBLIC_URL',
  'DATABASE_URL',
  'JWT_SECRET',
  'SECRETS_KEY',
  'CHAIN_RPC_URL',
  'CHAIN_ID',
  'SIGNER_PRIVATE_KEY',
  'REWARD_ROUTER_ADDRESS',
  'REFERRAL_REBATE_ADDRESS',
  'SPOT_VAULT_ADDRESS',
] as const;

// What one process generates for itself is unknown to the others.
const sharedByProcesses = ['DATABASE_URL', 'JWT_SECRET', 'SECRETS_KEY'] as const;

/** @throws InvalidSettingsError naming every setting that is missing or contradicts another. */
export function buildConfig(given: Environment): Config {
  const environment = given.CHAIN_RPC_URL === null ? withFirstProvider(given) : given;
  const isProduction = environment.NODE_ENV === 'production';
  const { deployment, problems: unreadable } = readDeployment(environment);
  const problems = [
    ...findProblems(environment, isProduction),
    ...findChainProblems(environment, { deployment, problems: unreadable }),
  ];
  if (problems.length > 0) throw new InvalidSettingsError(problems);
  const dataDir = resolve(environment.DATA_DIR ?? './data');
  const secrets = completeSecrets(environment, dataDir);
  return {
    isProduction,
    host: environment.HOST ?? '127.0.0.1',
    port: environment.PORT ?? 8080,
    dataDir,
    logLevel: environment.LOG_LEVEL ?? 'info',
    logFormat: environment.LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json'),
    databaseUrl: environment.DATABASE_URL,
    natsUrl: environment.NATS_URL,
    cluster: {
      roles: readRoles(environment.ROLES),
      membersCount: environment.CLUSTER_MEMBERS ?? 3,
      ackCopies: environment.ACK_COPIES ?? 2,
      isLogSynced: environment.LOG_SYNCED === 'yes',
      snapshotStore: snapshotStoreConfig(environment),
      logKeepHours: environment.LOG_KEEP_HOURS,
    },
    publicUrl: environment.PUBLIC_URL,
    jwtSecret: secrets.jwtSecret,
    jwtTtlSeconds: environment.JWT_TTL ?? 86_400,
    adminApiKey: environment.ADMIN_API_KEY,
    metricsToken: environment.METRICS_TOKEN,
    areMetricsOpen: environment.METRICS_TOKEN === null && !isProduction,
    secretsKey: secrets.secretsKey,
    isTestnet: environment.TESTNET_ONLY ?? false,
    isSpotTradingEnabled: environment.SPOT_TRADING_ENABLED ?? true,
    chain: chainConfig(environment, secrets.signerPrivateKey, deployment),
    program: programConfig(environment, isProduction, deployment),
    trustedProxies: environment.TRUST_PROXY ?? [],
    corsOrigins: environment.CORS_ORIGINS ?? [],
    isConsoleServed: environment.CONSOLE !== 'off',
    indexPriceSource: environment.INDEX_PRICE_SOURCE ?? (isProduction ? 'admin' : 'book'),
    fapiDialect: environment.FAPI_DIALECT ?? 'interface',
    isListenKeyUnsigned: environment.FAPI_LISTEN_KEY_UNSIGNED ?? false,
    limits: requestLimits(environment, isProduction),
    engineQueueMax: environment.ENGINE_QUEUE_MAX ?? 10_000,
    snapshotEvery: environment.SNAPSHOT_EVERY ?? 1_000_000,
    areRulesHeld: environment.RULES === 'hold',
    stopTimeoutMs: environment.STOP_TIMEOUT_MS ?? 9_500,
  };
}

function findProblems(environment: Environment, isProduction: boolean): readonly string[] {
  const problems: string[] = [];
  if (isProduction) {
    for (const name of requiredInProduction) {
      if (environment[name] !== null || isInManifest(environment, name)) continue;
      if (name === 'SIGNER_PRIVATE_KEY' && hasRoleSigners(environment)) continue;
      problems.push(`${name} is required in production`);
    }
    if (environment.INDEX_PRICE_SOURCE === 'book') {
      problems.push('INDEX_PRICE_SOURCE must be admin in production');
    }
    const adminKey = environment.ADMIN_API_KEY;
    if (adminKey !== null && adminKey.length < adminApiKeyLengthMin) {
      problems.push(`ADMIN_API_KEY must have at least ${adminApiKeyLengthMin} characters`);
    }
  }
  if (environment.NATS_URL !== null) {
    for (const name of sharedByProcesses) {
      if (environment[name] === null) {
        problems.push(`${name} is required with NATS_URL, with the same value in all processes`);
      }
    }
  }
  problems.push(...findRoleProblems(environment.ROLES, environment.NATS_URL));
  problems.push(...findSnapshotStoreProblems(environment));
  const epochStart = environment.POINTS_EPOCH_START;
  if (epochStart !== null && (epochStart - firstMondaySeconds) % secondsPerWeek !== 0) {
    problems.push('POINTS_EPOCH_START must be a Monday 00:00 UTC in Unix seconds');
  }
  return problems;
}

// A deployment contains its chain and contracts.
function isInManifest({ CHAIN_DEPLOYMENT }: Environment, name: string): boolean {
  return CHAIN_DEPLOYMENT !== null && (name === 'CHAIN_ID' || name.endsWith('_ADDRESS'));
}

interface CompleteSecrets {
  readonly jwtSecret: string;
  readonly secretsKey: string;
  readonly signerPrivateKey: string;
}

function completeSecrets(environment: Environment, dataDir: string): CompleteSecrets {
  const { JWT_SECRET, SECRETS_KEY, SIGNER_PRIVATE_KEY } = environment;
  if (JWT_SECRET !== null && SECRETS_KEY !== null && SIGNER_PRIVATE_KEY !== null) {
    return {
      jwtSecret: JWT_SECRET,
      secretsKey: SECRETS_KEY,
      signerPrivateKey: SIGNER_PRIVATE_KEY,
    };
  }
  const generated = loadGeneratedSecrets(dataDir);
  return {
    jwtSecret: JWT_SECRET ?? generated.jwtSecret,
    secretsKey: SECRETS_KEY ?? generated.secretsKey,
    signerPrivateKey: SIGNER_PRIVATE_KEY ?? generated.signerPrivateKey,
  };
}

function programConfig(
  environment: Environment,
  isProduction: boolean,
  deployment: DeploymentManifest | null,
): ProgramConfig {
  const withdrawTokens = environment.SPOT_WITHDRAW_TOKENS ?? new Map([['DF', '1']]);
  return {
    settleIntervalMs: environment.SETTLE_INTERVAL_MS ?? 300_000,
    claimPollIntervalMs: environment.CLAIM_POLL_INTERVAL_MS ?? 30_000,
    leaderboardRefreshMs: environment.LEADERBOARD_REFRESH_MS ?? 300_000,
    minClaimUsdt: environment.MIN_CLAIM_USDT ?? '10',
    settleMinUsdt: environment.SETTLE_MIN_USDT ?? (isProduction ? '1' : '0'),
    registerRestMs: isProduction ? registerRestMs : 0,
    withdrawMinimums: withdrawMinimumsOf(withdrawTokens, deployment),
    perpWithdrawMinimum: perpWithdrawMinimumOf(withdrawTokens, deployment),
    pointsEpochStart: environment.POINTS_EPOCH_START,
  };
}

// Development limits are wide, so that a load test from one address is not throttled.
function requestLimits(environment: Environment, isProduction: boolean): RequestLimits {
  return {
    requestWeightPerMinute: environment.REQUEST_WEIGHT_1M ?? (isProduction ? 6_000 : 10_000_000),
    ordersPerTenSeconds: environment.ORDER_COUNT_10S ?? (isProduction ? 300 : 1_000_000),
    ordersPerMinute: environment.ORDER_COUNT_1M ?? (isProduction ? 1_200 : 6_000_000),
    signInsPerMinute: environment.SIGN_IN_COUNT_1M ?? (isProduction ? 10 : 10_000),
    signingsPerMinute: environment.SIGNING_COUNT_1M ?? (isProduction ? 5 : 10_000),
  };
}

/** The URL at which users reach the service; without PUBLIC_URL the listening address. */
export function publicUrl({
  publicUrl: url,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return url ?? `http://${host}:${port}`;
}
