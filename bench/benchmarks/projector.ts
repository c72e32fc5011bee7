import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import type { AppliedCommand } from '../../src/application/ports/exchange.ts';
import { DatabasePool } from '../../src/database/database-pool.ts';
import {
  type PostgresAddress,
  startEmbeddedPostgres,
} from '../../src/database/embedded/embedded-postgres.ts';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import { projections } from '../../src/database/projections/registry.ts';
import { Directory } from '../../src/database/projector/directory.ts';
import { OutcomeBatch } from '../../src/database/projector/outcome-batch.ts';
import {
  type CopyStatement,
  type Statement,
  StatementQueue,
  type StatementRunner,
} from '../../src/database/projector/statement-queue.ts';
import { writeBatch } from '../../src/database/projector/write-batch.ts';
import type { Sequence } from '../../src/domain/identifiers.ts';
import { createTestDatabase, databaseUrl, silentLog } from '../../test/support/database-url.ts';
import { SpotFlow } from '../../test/support/spot-flow.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';

// The projector writes batches of outcomes: folding, decimals, position, notification and all. The
// peer sends the rows that came of it, ready-made, with the same statements to its own database, as
// one does with the driver alone: arrays as parameters of unnest. Batch by batch in turn, one first
// and then the other, so that a disk that stalls slows both.

const accounts = 400;
const textArrayTypeId = 1009;
const parseTextArray = pg.types.getTypeParser(textArrayTypeId as never) as (
  text: string,
) => unknown[];

interface BareStatement {
  readonly text: string;
  readonly values: unknown[];
}

interface Side {
  readonly client: pg.PoolClient;
  durationMs: number;
  processorMs: number;
}

async function run(options: readonly string[]): Promise<BenchmarkResult> {
  const batchCommands = Number(options[0] ?? 1_000);
  const batchCount = Number(options[1] ?? 80);
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-bench-'));
  const server = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log: silentLog });
  try {
    return await measure(server.address, batchCommands, batchCount);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  address: PostgresAddress,
  batchCommands: number,
  batchCount: number,
): Promise<BenchmarkResult> {
  const own = await connectNewDatabase(address, 'projector');
  const bare = await connectNewDatabase(address, 'bare');
  const directory = await Directory.load(own.side.client);
  const recorder = await StatementRecorder.open(bare.side.client);
  const flow = new SpotFlow({ seed: 1, accounts });
  flow.stepMsMax = 20;
  let position = 0 as Sequence;
  let rows = 0;
  let isOwnFirst = true;
  const writeBoth = async (batch: readonly AppliedCommand[], isCounted: boolean) => {
    const statements = await recorder.record(batch);
    const writeOwn = () =>
      timed(own.side, isCounted, () =>
        writeBatch({ client: own.side.client, directory, projections }, position, batch),
      );
    const writePeer = () =>
      timed(bare.side, isCounted, () => writeBare(bare.side.client, statements));
    if (!isOwnFirst) await writePeer();
    const count = await writeOwn();
    if (isOwnFirst) await writePeer();
    isOwnFirst = !isOwnFirst;
    position = (position + batch.length) as Sequence;
    if (isCounted) rows += count;
  };
  await writeBoth(flow.open(), false);
  for (let warm = 0; warm < 5; warm += 1) await writeBoth(flow.trade(batchCommands), false);
  for (let batch = 0; batch < batchCount; batch += 1) {
    await writeBoth(flow.trade(batchCommands), true);
  }
  await own.close();
  await bare.close();
  report(rows, { batchCommands, batchCount, own: own.side, bare: bare.side });
  return {
    name: 'projector',
    ours: Math.round((rows * 1000) / own.side.durationMs),
    peer: Math.round((rows * 1000) / bare.side.durationMs),
    peer_name: 'bare pg unnest upsert of the same rows',
    unit: 'rows/s',
  };
}

async function connectNewDatabase(address: PostgresAddress, name: string) {
  const serverUrl = databaseUrl(address, 'postgres');
  const { url } = await createTestDatabase({ serverUrl, name, from: null });
  const target = { connectionString: url };
  await migrateDatabase({ target, log: silentLog });
  const timeouts = { statementTimeoutMs: 60_000, lockTimeoutMs: 5_000, waitMs: 5_000 };
  const pool = new DatabasePool(target, { name, connectionsMax: 1, ...timeouts }, silentLog);
  const client = await pool.connect();
  const side: Side = { client, durationMs: 0, processorMs: 0 };
  return {
    side,
    close: async () => {
      client.release();
      await pool.close();
    },
  };
}

async function timed<T>(side: Side, isCounted: boolean, work: () => Promise<T>): Promise<T> {
  // What was made ready beforehand is not for this side to clean up.
  collectGarbage({ type: 'minor' });
  const processorBefore = process.cpuUsage();
  const startedAt = performance.now();
  const result = await work();
  if (isCounted) {
    side.durationMs += performance.now() - startedAt;
    const used = process.cpuUsage(processorBefore);
    side.processorMs += (used.user + used.system) / 1000;
  }
  return result;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' }) => void;

async function writeBare(
  client: pg.ClientBase,
  statements: readonly BareStatement[],
): Promise<void> {
  await client.query('BEGIN');
  for (const { text, values } of statements) {
    await client.query({ name: bareName(text), text, values });
  }
  await client.query('COMMIT');
}

const bareNames = new Map<string, string>();

/** A name for the statement, so that the server parses it once. */
function bareName(text: string): string {
  const known = bareNames.get(text) ?? `bare-${bareNames.size}`;
  bareNames.set(text, known);
  return known;
}

/** Runs the projections against nothing and keeps their statements, with real arrays as values. */
class StatementRecorder implements StatementRunner {
  readonly #client: pg.ClientBase;
  readonly #directory: Directory;
  /** By table and column. */
  readonly #types: ReadonlyMap<string, string>;
  #statements: BareStatement[] = [];

  private constructor(
    client: pg.ClientBase,
    directory: Directory,
    types: ReadonlyMap<string, string>,
  ) {
    this.#client = client;
    this.#directory = directory;
    this.#types = types;
  }

  static async open(client: pg.ClientBase): Promise<StatementRecorder> {
    const { rows } = await client.query<{ place: string; type: string }>(
      `SELECT table_name || '.' || column_name AS place, data_type AS type
       FROM information_schema.columns`,
    );
    const types = new Map(rows.map(({ place, type }) => [place, type]));
    return new StatementRecorder(client, await Directory.load(client), types);
  }

  async record(outcomes: readonly AppliedCommand[]): Promise<readonly BareStatement[]> {
    this.#statements = [];
    const batch = new OutcomeBatch(outcomes);
    await this.#directory.prepare(batch, new StatementQueue(this.#client));
    for (const projection of projections) {
      await projection.project(batch, { statements: this, directory: this.#directory });
    }
    return this.#statements;
  }

  async run<R extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<R>> {
    const values = (statement.values ?? []).map(parseParameter);
    this.#statements.push({ text: statement.text, values });
    return { rows: [], rowCount: 0, command: '', oid: 0, fields: [] };
  }

  /** What goes in by COPY is an unnest of its columns for the peer. */
  async copy({ text, data }: CopyStatement): Promise<void> {
    const [, table = '', names = ''] = /^COPY (\w+) \((.*)\)/.exec(text) ?? [];
    const columns = names.split(', ');
    const rows = data
      .toString()
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t'));
    const arrays = columns.map(
      (name, index) => `$${index + 1}::${this.#types.get(`${table}.${name}`)}[]`,
    );
    const values = columns.map((_, index) =>
      rows.map((row) => (row[index] === '\\N' ? null : row[index])),
    );
    const insert = `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays.join(', ')})`;
    this.#statements.push({ text: insert, values });
  }
}

function parseParameter(parameter: unknown): unknown {
  if (typeof parameter === 'string' && parameter.startsWith('{')) return parseTextArray(parameter);
  if (!Buffer.isBuffer(parameter)) return parameter;
  return Array.from({ length: parameter.readInt32BE(12) }, (_, index) =>
    Number(parameter.readBigInt64BE(24 + 12 * index)),
  );
}

function report(
  rows: number,
  run: { batchCommands: number; batchCount: number; own: Side; bare: Side },
): void {
  const line = (name: string, { durationMs, processorMs }: Side): string =>
    `${name}: ${((processorMs * 1000) / rows).toFixed(2)} us of Node a row, ` +
    `${(durationMs / run.batchCount).toFixed(1)} ms a batch`;
  console.log(`${run.batchCount} batches of ${run.batchCommands} commands, ${rows} rows`);
  console.log(line('projector', run.own));
  console.log(line('bare', run.bare));
}

export const benchmark: Benchmark = {
  name: 'projector',
  summary: 'rows/s of the projector against a bare unnest upsert; [commands a batch] [batches]',
  run,
};
