import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { inject } from 'vitest';
import type { DatabaseLog } from '../../src/database/database-log.ts';
import { type Database, openDatabase } from '../../src/database/open-database.ts';
import { createTestDatabase, silentLog } from './database-url.ts';

export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  /** Closes the connections and drops the database. */
  close(): Promise<void>;
}

/** A separate database for the test with all tables, on the run's server. */
export async function openTestDatabase(log: DatabaseLog = silentLog): Promise<TestDatabase> {
  return openNewDatabase(true, log);
}

/** The same without any table. */
export async function openEmptyTestDatabase(log: DatabaseLog = silentLog): Promise<TestDatabase> {
  return openNewDatabase(false, log);
}

async function openNewDatabase(hasTables: boolean, log: DatabaseLog): Promise<TestDatabase> {
  const { serverUrl, template } = await askForServer();
  const created = await createTestDatabase({
    serverUrl,
    name: `openbourse_test_${randomBytes(6).toString('hex')}`,
    from: hasTables ? template : null,
  });
  const database = await openDatabase({ url: created.url, dataDir: '', logger: log, timeouts });
  return {
    database,
    url: created.url,
    close: async () => {
      await database.stop();
      await created.drop();
    },
  };
}

// A busy machine may delay a statement, or a connection, for longer than callers would wait.
const timeouts = { statementTimeoutMs: 60_000, lockTimeoutMs: 10_000, waitMs: 30_000 };

interface ServerAnswer {
  readonly serverUrl: string;
  readonly template: string;
}

async function askForServer(): Promise<ServerAnswer> {
  const answer = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(inject('databaseServer'));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('end', () => resolve(text));
  });
  const parsed = JSON.parse(answer) as ServerAnswer | { error: string };
  if ('error' in parsed) throw new Error(`the test database does not start: ${parsed.error}`);
  return parsed;
}
