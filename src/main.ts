import { setTimeout as pause } from 'node:timers/promises';
import { buildConfig, type Config } from './config/config.ts';
import { InvalidSettingsError, readEnvironment } from './config/env.ts';
import { createProcessLogger } from './observability/log.ts';
import type { Service } from './service/service.ts';
import { parseStartOptions, readVersion } from './terminal/command-line.ts';
import { formatStartMessage } from './terminal/start-message.ts';

// The process: reads the settings, runs one service, and shuts it down in order. The service is
// loaded only after the command line and settings have been checked, so that a mistake in them is
// reported immediately.

const fatalTimeoutMs = 3_000;
const readinessIntervalMs = 100;

function fail(lines: readonly string[], exitCode = 1): never {
  for (const line of lines) process.stderr.write(`openbourse: ${line}\n`);
  process.exit(exitCode);
}

// A supervisor must not restart a process whose journal belongs to another history. The error is
// recognized by its name, as its class is loaded with the service.
function exitCodeFor(error: unknown): number {
  return error instanceof Error && error.name === 'ForkedError' ? 4 : 1;
}

function loadConfig(): Config {
  try {
    return buildConfig(readEnvironment());
  } catch (error) {
    if (error instanceof InvalidSettingsError) return fail(error.problems);
    return fail([error instanceof Error ? error.message : String(error)]);
  }
}

const options = parseStartOptions(process.argv);
const config = loadConfig();
const log = createProcessLogger(config.logLevel, config.logFormat);
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

process.on('SIGTERM', () => stop('SIGTERM', 0, config.stopTimeoutMs));
process.on('SIGINT', () => stop('SIGINT', 0, config.stopTimeoutMs));
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    log.fatal({ err: error }, 'an unexpected error');
    stop(event, 1, fatalTimeoutMs);
  });
}

async function start(): Promise<void> {
  const { startService } = await import('./service/service.ts');
  service = await startService({
    config,
    log,
    demo: options.demo,
    onFatal: (error) => stop('a failure of the engine', exitCodeFor(error), fatalTimeoutMs),
  });
  const { url } = service;
  log.info({ url, dataDir: config.dataDir }, `openbourse listens on ${url}`);
  await service.ready;
  while (!(await service.isReady())) await pause(readinessIntervalMs);
  log.info('ready for orders');
  if (config.logFormat === 'json') return;
  const startedInMs = performance.now();
  const started = { url, version: readVersion(), isDemo: options.demo !== null, startedInMs };
  process.stdout.write(`${formatStartMessage(config, started)}\n`);
}

try {
  await start();
} catch (error) {
  if (!isStopping) {
    log.fatal({ err: error }, 'could not start');
    fail([error instanceof Error ? error.message : String(error)], exitCodeFor(error));
  }
}
