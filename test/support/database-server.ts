import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.ts';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import {
  createTestDatabase,
  databaseUrl,
  type NamedDatabase,
  runOn,
  silentLog,
} from './database-url.ts';

// One database server for a whole test run, started when the first test asks for it: tests that
// need none do not wait for it. With DATABASE_URL set, that server takes its place.

declare module 'vitest' {
  export interface ProvidedContext {
    databaseServer: string;
  }
}

interface RunningServer {
  readonly serverUrl: string;
  readonly template: string;
  stop(): Promise<void>;
}

/** Vitest's global set-up: hands every test a socket that answers with where the server is. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-test-'));
  // Whatever the tests leave among temporary files goes with the run. Servers run under an account
  // of their own, and must be able to pass through.
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  let starting: Promise<RunningServer> | null = null;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    starting ??= startServer(folder);
    starting.then(
      ({ serverUrl, template }) => socket.end(JSON.stringify({ serverUrl, template })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  const path = join(folder, 'server.sock');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  project.provide('databaseServer', path);
  return () => tearDown(server, starting, folder);
}

async function tearDown(
  server: Server,
  starting: Promise<RunningServer> | null,
  folder: string,
): Promise<void> {
  server.close();
  await starting?.then(
    (running) => running.stop(),
    () => undefined,
  );
  await rm(folder, { recursive: true, force: true });
}

async function startServer(folder: string): Promise<RunningServer> {
  const given = process.env['DATABASE_URL'] ?? '';
  if (given !== '') {
    const template = await createTemplate(given);
    return { serverUrl: given, template: template.name, stop: () => template.drop() };
  }
  const embedded = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    log: silentLog,
  });
  const serverUrl = databaseUrl(embedded.address, 'postgres');
  // Nothing here outlives the machine, so nobody has to wait for its disk.
  for (const setting of ['fsync', 'full_page_writes']) {
    await runOn(serverUrl, `ALTER SYSTEM SET ${setting} = off`);
  }
  await runOn(serverUrl, 'SELECT pg_reload_conf()');
  const template = await createTemplate(serverUrl);
  return { serverUrl, template: template.name, stop: () => embedded.stop() };
}

/** A migrated database that tests copy, under a name of this run's own. */
async function createTemplate(serverUrl: string): Promise<NamedDatabase> {
  const name = `openbourse_template_${randomBytes(6).toString('hex')}`;
  const template = await createTestDatabase({ serverUrl, name, from: null });
  await migrateDatabase({ target: { connectionString: template.url }, log: silentLog });
  return template;
}
