import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { DatabaseError } from '../application/ports/database.ts';
import type { DatabaseLog } from './database-log.ts';
import type { Tables } from './tables.ts';

// A few connections for one purpose, so that slow readers never take the projector's. Numbers
// beyond 2^53 and decimals stay texts, which is the driver's default for int8 and numeric.

/** How to reach the server: a URL, or the parts of the embedded one. */
export type ConnectionTarget = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;

export interface PoolLimits {
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connectionsMax: number;
  /** How long a statement can run before the server ends it. */
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** How long a caller waits for a new or pooled connection. */
  readonly waitMs: number;
}

// Time for the server's own timeout to arrive before the client gives up on the connection.
const answerGraceMs = 1_000;
const closeGraceMs = 2_000;
// A process that was suspended in the middle of a transaction holds its locks no longer than this.
const idleMsMax = 60_000;

export class DatabasePool {
  readonly db: Kysely<Tables>;
  readonly #pool: pg.Pool;
  #isClosing = false;

  constructor(target: ConnectionTarget, limits: PoolLimits, log: DatabaseLog) {
    this.#pool = new pg.Pool({
      ...connectionOptions(target, limits),
      max: limits.connectionsMax,
      connectionTimeoutMillis: limits.waitMs,
      idleTimeoutMillis: 30_000,
    });
    // Without a handler, losing an idle connection would end the process.
    this.#pool.on('error', (error) => {
      if (this.#isClosing) return;
      log.warn({ pool: limits.name, error: error.message }, 'an idle connection was lost');
    });
    // A connection in use reports its loss to the query that runs on it, or to the next one.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new DiscardingPool(this.#pool) }),
    });
  }

  /**
   * Runs ordinary queries.
   * @throws DatabaseError for any failure up to the response
   */
  async query<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return asDatabaseError(() => work(this.db));
  }

  /**
   * Runs SQL as text on one connection.
   * @throws DatabaseError
   */
  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return asDatabaseError(async () => {
      const client = await this.#pool.connect();
      try {
        const result = await work(client);
        client.release();
        return result;
      } catch (error) {
        client.release(!isHealthyRefusal(error));
        throw error;
      }
    });
  }

  /** A dedicated connection; release it with `release(true)` after a failure. */
  async connect(): Promise<pg.PoolClient> {
    return asDatabaseError(() => this.#pool.connect());
  }

  /** Waits for running queries, except those that hang. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const end = new AbortController();
    const timeout = delay(closeGraceMs, undefined, { signal: end.signal }).catch(() => undefined);
    await Promise.race([this.#pool.end(), timeout]);
    end.abort();
  }
}

/** The options of one connection with the pool's time limits. */
export function connectionOptions(
  target: ConnectionTarget,
  limits: Omit<PoolLimits, 'connectionsMax'>,
): pg.ClientConfig {
  return {
    ...target,
    application_name: `openbourse ${limits.name}`,
    connectionTimeoutMillis: limits.waitMs,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: Math.min(2 * limits.statementTimeoutMs, idleMsMax),
    // A server that hangs does not end its statements, so the client must.
    ...(limits.statementTimeoutMs > 0
      ? { query_timeout: limits.statementTimeoutMs + answerGraceMs }
      : {}),
    keepAlive: true,
  };
}

/** The work's result; whatever it throws is wrapped in a DatabaseError as its cause. */
export async function asDatabaseError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DatabaseError(`the database did not respond: ${reason}`, { cause });
  }
}

// SQLSTATE classes 22, 23 and 42: the server rejected the statement and the connection is intact.
const healthyErrorClasses = new Set(['22', '23', '42']);

/**
 * Releases a connection to be closed after an error that may have left it in the middle of a
 * response: one whose query timed out would return the late response to the next caller.
 */
class DiscardingPool implements PostgresPool {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect();
    let isSuspect = false;
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        return await client.query(text, [...values]);
      } catch (error) {
        if (!isHealthyRefusal(error)) isSuspect = true;
        throw error;
      }
    };
    return {
      // Kysely's second form of `query` takes a cursor, which nothing here uses.
      query: query as unknown as PostgresPoolClient['query'],
      release: () => client.release(isSuspect),
    };
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

function isHealthyRefusal(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && healthyErrorClasses.has(error.code?.slice(0, 2) ?? '')
  );
}
