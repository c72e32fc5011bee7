import pg from 'pg';
import type { PostgresAddress } from '../../src/database/embedded/embedded-postgres.ts';

export const silentLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export function databaseUrl(address: PostgresAddress, database: string): string {
  const { host, port, user, password } = address;
  return `postgresql://${user}:${password}@localhost/${database}?host=${host}&port=${port}`;
}

export interface NamedDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** A database on the server, empty or as a copy of another. */
export async function createTestDatabase(options: {
  readonly serverUrl: string;
  readonly name: string;
  readonly from: string | null;
}): Promise<NamedDatabase> {
  const { serverUrl, name, from } = options;
  await runOn(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await runOn(serverUrl, `CREATE DATABASE ${name}${from === null ? '' : ` TEMPLATE ${from}`}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: async () => {
      await runOn(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Runs one statement on its own connection. */
export async function runOn(
  url: string,
  statement: string,
): Promise<pg.QueryResult<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Record<string, unknown>>(statement);
  } finally {
    await client.end();
  }
}
