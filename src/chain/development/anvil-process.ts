import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Anvil, a whole chain in one process, from this platform's optional package or from PATH. It
// listens on loopback only and ends with the process that started it, however that process ends.

/** No anvil exists for this platform; the message says what to do. */
export class AnvilMissingError extends Error {
  override readonly name = 'AnvilMissingError';
}

export interface AnvilOptions {
  readonly chainId: number;
  /** 0 for any free port. */
  readonly port: number;
  /** A state saved by this chain to start from; null: an empty chain. */
  readonly stateFile: string | null;
  /** A node and the block of its chain from which this chain is forked. */
  readonly copiedFrom?: { readonly rpcUrl: string; readonly block: bigint };
  /** The program; by default the package's, or otherwise the one on PATH. */
  readonly program?: string;
}

export interface AnvilProcess {
  readonly port: number;
  readonly rpcUrl: string;
  /** Resolves when the chain has stopped, for whatever reason. */
  readonly stopped: Promise<AnvilExit>;
  stop(): Promise<void>;
}

interface AnvilExit {
  readonly code: number | null;
  readonly lastWords: string;
}

// A shell's exit codes if a program does not exist or cannot be run.
const missingExitCodes = [126, 127];
const startMsMax = 20_000;
const stopMsMax = 5_000;
const outputLengthMax = 4_000;

// A shell runs between the two processes. It reads a pipe that only the parent holds open, so that
// even a killed parent ends the chain.
const watchdog = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
(cat <&3 >/dev/null; kill -TERM $child 2>/dev/null) &
exec 3<&-
wait $child
`;

/** @throws AnvilMissingError; Error with anvil's own message if it does not start. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilProcess> {
  const program = options.program ?? findAnvil();
  const child = spawn('/bin/sh', ['-c', watchdog, 'anvil', program, ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate session: an interrupt at the terminal reaches the service, which then saves the
    // chain and stops it.
    detached: true,
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-outputLengthMax);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.stdin.on('error', () => undefined);
  const stopped = once(child, 'close').then(
    ([code]): AnvilExit => ({ code: code as number | null, lastWords: output.trim() }),
    (error: unknown): AnvilExit => ({ code: 127, lastWords: String(error) }),
  );
  const port = await waitForPort(child, stopped, () => output);
  return { port, rpcUrl: `http://127.0.0.1:${port}`, stopped, stop: () => stop(child, stopped) };
}

function argumentsOf(options: AnvilOptions): readonly string[] {
  const { chainId, port, stateFile, copiedFrom } = options;
  const state = stateFile === null ? [] : ['--load-state', stateFile];
  const copied = copiedFrom === undefined ? [] : copyArguments(copiedFrom);
  const all = [...state, ...copied];
  return ['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`, ...all];
}

// Its cache on disk is per chain and block, so what another node said would answer for this one.
function copyArguments({ rpcUrl, block }: NonNullable<AnvilOptions['copiedFrom']>) {
  return ['--fork-url', rpcUrl, '--fork-block-number', `${block}`, '--no-storage-caching'];
}

async function waitForPort(
  child: ChildProcess,
  stopped: Promise<AnvilExit>,
  outputSoFar: () => string,
): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const listening = new Promise<number>((resolve) => {
    child.stdout?.on('data', () => {
      const match = /Listening on 127\.0\.0\.1:(\d+)/.exec(outputSoFar());
      if (match !== null) resolve(Number(match[1]));
    });
  });
  const failed = stopped.then(({ code, lastWords }): never => {
    if (missingExitCodes.includes(code ?? 0)) throw missing(lastWords);
    throw new Error(`the development chain did not start: ${lastWords}`);
  });
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      child.stdin?.destroy();
      reject(new Error(`the development chain did not start within ${startMsMax} ms`));
    }, startMsMax);
  });
  try {
    return await Promise.race([listening, failed, late]);
  } finally {
    clearTimeout(timer);
    failed.catch(() => undefined);
  }
}

// Closing the pipe makes the watchdog end the chain.
async function stop(child: ChildProcess, stopped: Promise<AnvilExit>): Promise<void> {
  child.stdin?.destroy();
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, stopMsMax);
  await stopped;
  clearTimeout(timer);
}

/** This platform's package's program, or otherwise the name to look up on PATH. */
export function findAnvil(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const require = createRequire(import.meta.url);
  try {
    const name = `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`;
    const binary = join(dirname(require.resolve(name)), 'bin', 'anvil');
    accessSync(binary, constants.X_OK);
    return binary;
  } catch {
    return 'anvil';
  }
}

function missing(words: string): AnvilMissingError {
  return new AnvilMissingError(
    `no anvil for ${process.platform}/${process.arch}: install Foundry so that anvil is on PATH, ` +
      `or set CHAIN_RPC_URL to a chain of your own (${words})`,
  );
}
