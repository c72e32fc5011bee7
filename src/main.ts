import { buildConfig } from './config/config.ts';
import { InvalidSettingsError, readEnvironment } from './config/env.ts';
import { createLogger } from './observability/log.ts';
import { type Service, startService } from './service.ts';

// The process: settings in, one service, and an orderly end.

const stopTimeoutMs = 9_500;
const fatalTimeoutMs = 3_000;

function fail(lines: readonly string[]): never {
  for (const line of lines) process.stderr.write(`openbourse: ${line}\n`);
  process.exit(1);
}

function loadConfig() {
  try {
    return buildConfig(readEnvironment());
  } catch (error) {
    if (error instanceof InvalidSettingsError) return fail(error.problems);
    return fail([error instanceof Error ? error.message : String(error)]);
  }
}

const config = loadConfig();
const log = createLogger(config.logLevel);
let service: Service | null = null;
let isStopping = false;

function stop(reason: string, exitCode: number, timeoutMs: number): void {
  if (isStopping) return;
  isStopping = true;
  log.info({ reason }, 'stopping');
  setTimeout(() => fail([`still busy ${timeoutMs} ms after ${reason}`]), timeoutMs).unref();
  (service?.stop() ?? Promise.resolve()).then(
    () => {
      log.info('stopped');
      process.exit(exitCode);
    },
    (error: unknown) => {
      log.fatal({ err: error }, 'could not stop cleanly');
      process.exit(1);
    },
  );
}

process.on('SIGTERM', () => stop('SIGTERM', 0, stopTimeoutMs));
process.on('SIGINT', () => stop('SIGINT', 0, stopTimeoutMs));
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    log.fatal({ err: error }, 'the program has a fault');
    stop(event, 1, fatalTimeoutMs);
  });
}

try {
  service = await startService({
    config,
    log,
    isDemo: process.argv.includes('--demo'),
    onFatal: () => stop('a failure of the engine', 1, fatalTimeoutMs),
  });
  log.info({ url: service.url, dataDir: config.dataDir }, `openbourse listens on ${service.url}`);
  await service.ready;
  log.info('ready for orders');
} catch (error) {
  if (!isStopping) {
    log.fatal({ err: error }, 'could not start');
    fail([error instanceof Error ? error.message : String(error)]);
  }
}
