import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A service for one story, in a folder that is removed afterwards. */
export interface OwnService {
  readonly url: string;
  stop(): Promise<void>;
}

const runner = fileURLToPath(new URL('../../../tools/run.mjs', import.meta.url));

// Fast, and with the faucet. Settings of the environment could lead to other people's data.
const settings = [
  'HOST=127.0.0.1',
  'PORT=0',
  'TESTNET_ONLY=true',
  'SETTLE_INTERVAL_MS=2000',
  'CLAIM_POLL_INTERVAL_MS=1000',
  'LOG_LEVEL=info',
  'LOG_FORMAT=json',
];
const foreignSettings = ['NODE_ENV', 'DATABASE_URL', 'NATS_URL', 'CHAIN_RPC_URL', 'PUBLIC_URL'];

/** Resolves once the service listens. */
export async function startOwnService(): Promise<OwnService> {
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-demo-'));
  const child = spawn(
    'env',
    [
      ...foreignSettings.flatMap((name) => ['-u', name]),
      ...settings,
      `DATA_DIR=${join(folder, 'data')}`,
      process.execPath,
      runner,
      'main',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = await Promise.race([
      readUrl(child.stdout),
      exited.then(([code]): never => {
        throw new Error(`the service ended with ${String(code)} before it was ready`);
      }),
    ]);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readUrl(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      const { url } = JSON.parse(line) as { readonly url?: string };
      if (url !== undefined) resolve(url);
    });
  });
}
