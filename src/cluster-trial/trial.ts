import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../database/embedded/embedded-postgres.ts';

// Several processes of one exchange on this machine, for trying them out. They share an embedded
// PostgreSQL and a nats-server found in the PATH, and everything ends with Ctrl-C.

export interface TrialOptions {
  readonly processes: number;
  readonly port: number;
  readonly natsPort: number;
  readonly folder: string;
}

const runner = fileURLToPath(new URL('../../tools/run.mjs', import.meta.url));
const membersMax = 9;
const readyIntervalMs = 100;
// Settings that the environment may already contain for another exchange.
const foreignSettings = ['NODE_ENV', 'CHAIN_RPC_URL', 'CHAIN_DEPLOYMENT', 'PUBLIC_URL'];

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs until Ctrl-C. @throws Error if nats-server is missing */
export async function runTrial(options: TrialOptions): Promise<void> {
  if (spawnSync('nats-server', ['--version']).status !== 0) {
    throw new Error(
      'nats-server is not on the PATH; Debian and Ubuntu have it as the package nats-server',
    );
  }
  const stopping = new AbortController();
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => stopping.abort());
  }

  const postgres = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    log: { info: () => undefined, warn: tellFailure, error: tellFailure },
  });
  print('PostgreSQL runs');
  // In a separate process group, so that Ctrl-C does not end it before the exchange.
  const nats = spawn(
    'nats-server',
    ['-a', '127.0.0.1', '-p', String(options.natsPort), '-js', '-sd', join(folder, 'nats')],
    { stdio: 'ignore', detached: true },
  );
  nats.once('exit', (code) => {
    if (!stopping.signal.aborted)
      print(`nats-server ended with ${String(code)}: is its port taken?`);
    stopping.abort();
  });
  print(`NATS runs at 127.0.0.1:${options.natsPort}`);

  const services = Array.from({ length: options.processes }, (_, index) =>
    startProcess({ options, folder, number: index + 1, database: postgres }),
  );
  const ready = Promise.all(services.map(({ url }) => waitUntilReady(url, stopping.signal)));
  void ready.then((areReady) => {
    if (areReady.every(Boolean)) print(`Ready: ${services.map(({ url }) => url).join(' ')}`);
  });
  await new Promise((end) => stopping.signal.addEventListener('abort', end));
  print('stopping');
  await Promise.all(
    services.map(async ({ child, ended }) => {
      child.kill('SIGTERM');
      await ended;
    }),
  );
  nats.kill('SIGTERM');
  await postgres.stop();
}

interface Started {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

interface ProcessPlan {
  readonly options: TrialOptions;
  readonly folder: string;
  /** From 1. */
  readonly number: number;
  readonly database: EmbeddedPostgres;
}

function startProcess({ options, folder, number, database }: ProcessPlan): Started {
  const port = options.port + number - 1;
  const { host, port: databasePort, user, password } = database.address;
  const settings = Object.entries({
    LOG_FORMAT: 'json',
    TESTNET_ONLY: 'true',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(folder, `process-${number}`),
    DATABASE_URL: `postgresql://${user}:${password}@localhost/postgres?host=${host}&port=${databasePort}`,
    NATS_URL: `nats://127.0.0.1:${options.natsPort}`,
    CLUSTER_MEMBERS: String(Math.min(options.processes, membersMax)),
    ...loadSecrets(folder),
  });
  const child = spawn(
    'env',
    [
      ...foreignSettings.flatMap((name) => ['-u', name]),
      ...settings.map(([name, value]) => `${name}=${value}`),
      process.execPath,
      '--max-semi-space-size=64',
      runner,
      'main',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { level, msg } = JSON.parse(line) as { readonly level: string; readonly msg: string };
    if (msg !== 'request') print(`process ${number}  ${level.padEnd(5)} ${msg}`);
  });
  return { url: `http://127.0.0.1:${port}`, child, ended: once(child, 'exit') };
}

/** The same in all processes, and after they are restarted. */
function loadSecrets(folder: string): Readonly<Record<string, string>> {
  const path = join(folder, 'secrets.json');
  if (!existsSync(path)) {
    const secrets = {
      JWT_SECRET: randomBytes(32).toString('hex'),
      SECRETS_KEY: randomBytes(32).toString('hex'),
    };
    writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, string>>;
}

/** False if everything ends before that. */
async function waitUntilReady(url: string, stopping: AbortSignal): Promise<boolean> {
  while (!stopping.aborted) {
    const reply = await fetch(`${url}/readyz`).catch(() => null);
    if (reply?.ok === true) return true;
    await pause(readyIntervalMs);
  }
  return false;
}

function tellFailure(_details: unknown, message?: string): void {
  if (message !== undefined) print(`PostgreSQL: ${message}`);
}
