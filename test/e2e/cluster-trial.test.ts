import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';
import { findFreePort } from '../support/free-port.ts';
import { hasNatsServer } from '../support/nats-server.ts';

// npm run cluster, with processes on free ports.

function start(words: readonly string[], path = process.env['PATH'] ?? '') {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'src/cluster-trial/main.ts', ...words],
    { cwd: projectRoot, env: { PATH: path, HOME: process.env['HOME'] ?? '' } },
  );
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output.text += data.toString()));
  }
  return { child, output, ended: once(child, 'exit') };
}

test('npm run cluster says what is missing without nats-server', async () => {
  const { output, ended } = start([], '/nowhere');
  expect(await ended).toEqual([1, null]);
  expect(output.text).toMatch(/^cluster: nats-server is not on the PATH; .*\n$/);
});

test.skipIf(!hasNatsServer)(
  'npm run cluster runs processes of one exchange until it is ended (skipped without nats-server)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openbourse-trial-'));
    await chmod(folder, 0o755);
    const [port, natsPort] = [await findFreePort(), await findFreePort()];
    const { child, output, ended } = start([
      '--processes',
      '1',
      '--port',
      String(port),
      '--nats-port',
      String(natsPort),
      '--folder',
      folder,
    ]);
    await vi.waitUntil(
      () => output.text.includes(`Ready: http://127.0.0.1:${port}`) || child.exitCode !== null,
      { timeout: 120_000 },
    );
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(await reply.json()).toMatchObject({ status: 'ready', cluster: { state: 'owner' } });
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    await rm(folder, { recursive: true });
  },
);
