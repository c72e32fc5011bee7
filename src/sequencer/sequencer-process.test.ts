import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { Random } from '../../bench/workload/random.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { createSequencer, temporaryFolder } from '../../test/support/sequencer-fixture.ts';
import type { Sequence } from '../domain/identifiers.ts';

// Real processes on a real disk: killed in the middle, and with writes that the kernel fails.

const program = fileURLToPath(new URL('../../test/support/journal-process.ts', import.meta.url));
const node = [process.execPath, '--import', 'tsx', program];
const limits = { segmentBytesFirst: 1 << 20, segmentBytesMax: 1 << 20 };

interface Run {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Each acknowledged account number with its sequence. */
  readonly acknowledged: Map<number, number>;
  readonly errors: () => string;
  readonly ended: Promise<number | null>;
}

function start(directory: string, first: number, prefix: readonly string[] = []): Run {
  const [command = '', ...options] = [...prefix, ...node, directory, String(first)];
  const environment = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const acknowledged = new Map<number, number>();
  let rest = '';
  let errors = '';
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  child.stdout.on('data', (text: Buffer) => {
    const lines = (rest + text.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [sequence, number] = line.split(' ').map(Number);
      if (Number.isInteger(sequence)) acknowledged.set(number!, sequence!);
    }
  });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  return { child, acknowledged, errors: () => errors, ended };
}

async function untilAcknowledged(run: Run, count: number): Promise<void> {
  while (run.acknowledged.size < count && run.child.exitCode === null) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(run.acknowledged.size, run.errors()).toBeGreaterThanOrEqual(count);
}

/** Reads the whole history: every acknowledged account is there, at its sequence, and once. */
async function expectAllThere(directory: string, acknowledged: Map<number, number>) {
  const { sequencer } = createSequencer(directory, { limits });
  await sequencer.start();
  const { signal } = new AbortController();
  const places = new Map<string, number[]>();
  for (let after = 0; after < sequencer.durableSequence; ) {
    const batch = await sequencer.outcomeLog.read(after as Sequence, 1_000, signal);
    for (const { command, sequence } of batch) {
      if (command.type !== 'openAccount') continue;
      places.set(command.address, [...(places.get(command.address) ?? []), sequence]);
    }
    after += batch.length;
  }
  for (const [number, sequence] of acknowledged) {
    expect(places.get(addressOf(number))).toEqual([sequence]);
  }
  await sequencer.stop();
}

test('process: killed at random points under load, every acknowledged command is there, none twice', async () => {
  const directory = temporaryFolder();
  const random = new Random(Date.now() & 0xffff);
  const all = new Map<number, number>();
  for (let round = 0; round < 5; round += 1) {
    const run = start(directory, round * 1_000_000);
    await untilAcknowledged(run, 1 + (random.nextBits() % 4_000));
    run.child.kill('SIGKILL');
    await run.ended;
    for (const [number, sequence] of run.acknowledged) all.set(number, sequence);
  }
  await expectAllThere(directory, all);
});

test('process: while one owns the journal another ends with a clear error, and a kill releases it', async () => {
  const directory = temporaryFolder();
  const owner = start(directory, 0);
  await untilAcknowledged(owner, 1);
  const second = start(directory, 1_000_000);
  expect(await second.ended).toBe(1);
  expect(second.errors()).toContain(`the journal in ${directory} is in use by another process`);
  owner.child.kill('SIGKILL');
  await owner.ended;
  await expectAllThere(directory, owner.acknowledged);
});

function skipUnlessTraced(context: TestContext): void {
  try {
    execFileSync('strace', ['-e', 'trace=none', 'true'], { stdio: 'ignore' });
  } catch {
    context.skip('strace is not installed or may not trace here');
  }
}

for (const code of ['EIO', 'ENOSPC']) {
  test(`process: after a write that the kernel fails with ${code} nothing more is acknowledged`, async (context) => {
    skipUnlessTraced(context);
    const directory = temporaryFolder();
    const inject = `inject=pwrite64:error=${code}:when=150+`;
    const trace = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=pwrite64', '-e', inject];
    const run = start(directory, 0, trace);
    expect(await run.ended).toBe(1);
    expect(run.acknowledged.size).toBeGreaterThan(0);
    expect(run.errors()).toContain('the engine stopped: no command is acknowledged');
    await expectAllThere(directory, run.acknowledged);
  });
}
