import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { buildConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import type { Tables } from '../../src/database/tables.ts';
import { createLogger } from '../../src/observability/log.ts';
import { startService } from '../../src/service/service.ts';
import { openTestDatabase } from './database.ts';

export const testServiceAdminKey = 'the-admin-key-of-a-whole-test-service';

export interface TestService {
  readonly url: string;
  /** Asks the database itself. */
  query<T>(run: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The whole exchange in this process: journal in a folder of its own, a database of its own. */
export async function startTestService(
  settings: Readonly<Record<string, string>> = {},
  { isDemo = false }: { readonly isDemo?: boolean } = {},
): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-service-'));
  const opened = await openTestDatabase();
  const environment = readEnvironment({
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: opened.url,
    ADMIN_API_KEY: testServiceAdminKey,
    TESTNET_ONLY: 'true',
    ...settings,
  });
  let failure: unknown = null;
  const service = await startService({
    config: buildConfig(environment),
    log: createLogger('silent'),
    demo: isDemo ? { isRanked: false } : null,
    onFatal: (error) => {
      failure = error;
    },
  });
  await service.ready;
  return {
    url: service.url,
    query: (run) => opened.database.reads.query(run),
    close: async () => {
      await service.stop();
      await opened.close();
      await rm(folder, { recursive: true });
      if (failure !== null) throw new Error('the service failed', { cause: failure });
    },
  };
}
