import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseLog } from './database-log.ts';
import { type ConnectionTarget, DatabasePool, type PoolLimits } from './database-pool.ts';
import {
  type EmbeddedPostgres,
  type PostgresAddress,
  startEmbeddedPostgres,
} from './embedded/embedded-postgres.ts';

export interface DatabaseOptions {
  /** URL of a PostgreSQL server; null: the embedded one in `<dataDir>/postgres`. */
  readonly url: string | null;
  readonly dataDir: string;
  readonly logger: DatabaseLog;
  /** By default, how long callers of the exchange can wait. */
  readonly timeouts?: DatabaseTimeouts;
}

type DatabaseTimeouts = Pick<PoolLimits, 'statementTimeoutMs' | 'lockTimeoutMs' | 'waitMs'>;

const defaultTimeouts = { statementTimeoutMs: 5_000, lockTimeoutMs: 2_000, waitMs: 2_000 };

/** The connections to one database, by purpose; none is opened before it is used. */
export interface Database {
  readonly target: ConnectionTarget;
  readonly log: DatabaseLog;
  /** Market data and history. */
  readonly reads: DatabasePool;
  /** Keys, sign-in, profiles and the audit log. */
  readonly accounts: DatabasePool;
  /** The referral program, claims, and their chain events. */
  readonly rewards: DatabasePool;
  /** Timed jobs: few and long queries that delay nothing else. */
  readonly jobs: DatabasePool;
  /** Loads leaderboards into memory, a long read after each refresh. */
  readonly boards: DatabasePool;
  /** Leases of timed jobs: frequent and small queries, so they never wait for the jobs. */
  readonly leases: DatabasePool;
  /** Only the projector. */
  readonly projector: DatabasePool;
  /** Closes the connections and stops the embedded server, if there is one. */
  stop(): Promise<void>;
}

const databaseName = 'openbourse';
const duplicateDatabase = '42P04';

/**
 * Prepares the database. An embedded server is started and ready; one behind a URL may be
 * unreachable now and available later, which is not an error here.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url !== null) {
    const target = { connectionString: options.url };
    return connectDatabase(target, options.logger, { timeouts: options.timeouts });
  }
  const embedded = await startEmbeddedPostgres({
    folder: join(options.dataDir, 'postgres'),
    log: options.logger,
  });
  try {
    await createDatabaseIfMissing(embedded.address);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  const target = { ...embedded.address, database: databaseName };
  return connectDatabase(target, options.logger, { embedded, timeouts: options.timeouts });
}

interface ConnectionExtras {
  readonly embedded?: EmbeddedPostgres | null;
  readonly timeouts?: DatabaseTimeouts | undefined;
}

/** The connections to a running server; `embedded` is stopped with them. */
export function connectDatabase(
  target: ConnectionTarget,
  log: DatabaseLog,
  { embedded = null, timeouts = defaultTimeouts }: ConnectionExtras = {},
): Database {
  const reads = new DatabasePool(target, { name: 'reads', connectionsMax: 6, ...timeouts }, log);
  const accounts = new DatabasePool(
    target,
    { name: 'accounts', connectionsMax: 4, ...timeouts },
    log,
  );
  // A claim order can cover a million earnings, and so can a settlement.
  const rewards = new DatabasePool(
    target,
    {
      ...timeouts,
      name: 'rewards',
      connectionsMax: 4,
      statementTimeoutMs: 60_000,
      lockTimeoutMs: Math.max(10_000, timeouts.lockTimeoutMs),
    },
    log,
  );
  const jobs = new DatabasePool(
    target,
    { ...timeouts, name: 'jobs', connectionsMax: 3, statementTimeoutMs: 600_000 },
    log,
  );
  const boards = new DatabasePool(target, { ...timeouts, name: 'boards', connectionsMax: 1 }, log);
  const leases = new DatabasePool(target, { ...timeouts, name: 'leases', connectionsMax: 2 }, log);
  const projector = new DatabasePool(
    target,
    { ...timeouts, name: 'projector', connectionsMax: 1, statementTimeoutMs: 30_000 },
    log,
  );
  const stop = async (): Promise<void> => {
    const pools = [reads, accounts, rewards, jobs, boards, leases, projector];
    await Promise.all(pools.map((pool) => pool.close()));
    await embedded?.stop();
  };
  let stopping: Promise<void> | null = null;
  return {
    target,
    log,
    reads,
    accounts,
    rewards,
    jobs,
    boards,
    leases,
    projector,
    stop: () => (stopping ??= stop()),
  };
}

async function createDatabaseIfMissing(address: PostgresAddress): Promise<void> {
  const client = new pg.Client({ ...address, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${databaseName}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== duplicateDatabase) throw error;
  } finally {
    await client.end();
  }
}
