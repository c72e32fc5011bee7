import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { buildConfig, type Config } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import type { Tables } from '../../src/database/tables.ts';
import { createLogger } from '../../src/observability/log.ts';
import { type Service, startService } from '../../src/service/service.ts';
import { openTestDatabase } from './database.ts';

export const testServiceAdminKey = 'the-admin-key-of-a-whole-test-service';

export interface TestService {
  readonly url: string;
  /** Stops the service and starts it again over the same data, changed meanwhile or not. */
  restart(settings: Settings, meanwhile: (config: Config) => Promise<void>): Promise<void>;
  /** Asks the database itself. */
  query<T>(run: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** The whole exchange in this process: journal in its own folder, its own database. */
export async function startTestService(
  settings: Settings = {},
  { isDemo = false }: { readonly isDemo?: boolean } = {},
): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-service-'));
  const opened = await openTestDatabase();
  const configOf = (changed: Settings): Config =>
    buildConfig(
      readEnvironment({
        PORT: '0',
        DATA_DIR: folder,
        DATABASE_URL: opened.url,
        ADMIN_API_KEY: testServiceAdminKey,
        TESTNET_ONLY: 'true',
        ...settings,
        ...changed,
      }),
    );
  let failure: unknown = null;
  const start = async (config: Config): Promise<Service> => {
    const started = await startService({
      config,
      log: createLogger('silent'),
      demo: isDemo ? { isRanked: false } : null,
      onFatal: (error) => {
        failure = error;
      },
    });
    await started.ready;
    return started;
  };
  let service = await start(configOf({}));
  return {
    get url() {
      return service.url;
    },
    restart: async (changed, meanwhile) => {
      await service.stop();
      const config = configOf(changed);
      await meanwhile(config);
      service = await start(config);
    },
    query: (run) => opened.database.reads.query(run),
    close: async () => {
      await service.stop();
      await opened.close();
      await rm(folder, { recursive: true });
      if (failure !== null) throw new Error('the service failed', { cause: failure });
    },
  };
}
