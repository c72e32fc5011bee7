import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';

// How long a first start and a start after it take until /readyz answers 200, and what the process
// holds then; with --install what production's packages take on disk. The peer is the embedded
// database alone, made and started the first time: no first start is faster.

const root = fileURLToPath(new URL('../..', import.meta.url));
const readyPollMs = 20;
const bars = { firstStartMs: 6_000, warmStartMs: 4_000, residentMiB: 350, installedMiB: 250 };

interface Start {
  readonly readyMs: number;
  readonly residentMiB: number;
}

/** Starts the service as `npm start` does, waits until it is ready, and stops it. */
async function start(dataDir: string): Promise<Start> {
  const begunAt = performance.now();
  const service = spawn(process.execPath, ['--max-semi-space-size=64', 'tools/run.mjs', 'main'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, PORT: '0' },
  });
  const lines = createInterface({ input: service.stdout });
  let url = '';
  for await (const line of lines) {
    url = /listens on (http:\S+)"/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  service.stdout.resume();
  while (!(await fetch(`${url}/readyz`)).ok) await pause(readyPollMs);
  const readyMs = performance.now() - begunAt;
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const residentMiB = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  service.kill('SIGTERM');
  await once(service, 'close');
  return { readyMs, residentMiB };
}

async function startDatabaseAlone(folder: string): Promise<number> {
  const begunAt = performance.now();
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const database = await startEmbeddedPostgres({ folder, log: silent });
  const readyMs = performance.now() - begunAt;
  await database.stop();
  return readyMs;
}

/** What `npm ci --omit=dev` takes, without the caches of npm. */
function measureInstall(folder: string): number {
  mkdirSync(folder);
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
  for (const file of files.trim().split('\n')) cpSync(join(root, file), join(folder, file));
  execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder });
  const [kilobytes = '0'] = execFileSync('du', ['-sk', 'node_modules'], {
    cwd: folder,
    encoding: 'utf8',
  }).split('\t');
  return Number(kilobytes) / 1024;
}

function tell(what: string, measured: number, bar: number, unit: string): void {
  const verdict = measured <= bar ? 'within' : 'MORE THAN';
  console.log(`${what}: ${measured.toFixed(0)} ${unit}, ${verdict} ${bar} ${unit}`);
}

async function run(words: readonly string[]): Promise<BenchmarkResult> {
  const { values } = parseArgs({
    args: [...words],
    options: { install: { type: 'boolean', default: false } },
  });
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-start-'));
  try {
    const databaseMs = await startDatabaseAlone(join(folder, 'alone'));
    console.log(`the embedded database alone, for the first time: ${databaseMs.toFixed(0)} ms`);
    const first = await start(join(folder, 'data'));
    tell('first start', first.readyMs, bars.firstStartMs, 'ms');
    const warm = await start(join(folder, 'data'));
    tell('warm start', warm.readyMs, bars.warmStartMs, 'ms');
    tell('resident set', Math.max(first.residentMiB, warm.residentMiB), bars.residentMiB, 'MiB');
    if (values.install) {
      tell('npm ci --omit=dev', measureInstall(join(folder, 'install')), bars.installedMiB, 'MiB');
    }
    return {
      name: 'start',
      ours: Math.round(first.readyMs),
      peer: Math.round(databaseMs),
      peer_name: 'the embedded database alone, made and started',
      unit: 'ms',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const benchmark: Benchmark = {
  name: 'start',
  summary: 'a first and a warm start until /readyz is 200, and memory; --install: size on disk',
  run,
};
