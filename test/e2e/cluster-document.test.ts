import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';
import { openEmptyTestDatabase } from '../support/database.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';
import { findFreePort } from '../support/free-port.ts';
import { hasNatsServer } from '../support/nats-server.ts';

// docs/cluster.md as it is pasted: servers and two processes of one exchange, with this machine's
// nats-server of whatever version. Only names, ports and paths are those of the test.

const canRun = hasNatsServer && spawnSync('psql', ['--version']).status === 0;
if (!canRun) console.log('skipped: no nats-server or psql on PATH for test/e2e/cluster-document');

test.skipIf(!canRun)(
  'docs/cluster.md: the block of servers starts two processes that are ready (skipped without nats-server and psql)',
  async () => {
    const database = await openEmptyTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'openbourse-pasted-'));
    const name = `pasted_${process.pid}`;
    const [nats, first, second] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ];
    const { href, host } = ownUrl(database.url, name);
    const loader = join(projectRoot, 'node_modules/tsx/dist/loader.mjs');
    const start = `${process.execPath} --import ${loader} ${join(projectRoot, 'src/main.ts')}`;
    const replaced = readNamedBlocks('docs/cluster.md')
      .get('servers')!
      .replaceAll('sudo -u postgres psql', `psql '${database.url}'`)
      .replaceAll(/\b(ROLE|DATABASE|OWNER) exchange\b/g, `$1 ${name}`)
      .replaceAll(/postgres:\/\/exchange:[^ ]*/g, `'${href}'`)
      .replaceAll('4222', String(nats))
      .replaceAll('8081', String(first))
      .replaceAll('8082', String(second))
      .replaceAll('npm start', start);
    expect(replaced).toContain(host);
    const shell = spawn('bash', ['-c', replaced], {
      cwd: folder,
      detached: true,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
      },
    });
    let text = '';
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on('data', (data: Buffer) => (text += data.toString()));
    }
    try {
      expect(await once(shell, 'exit'), text).toEqual([0, null]);
      const states = await Promise.all(
        [first, second].map(async (port) => {
          const reply = await fetch(`http://127.0.0.1:${port}/readyz`);
          return ((await reply.json()) as { cluster: { state: string } }).cluster.state;
        }),
      );
      expect(states.sort()).toEqual(['owner', 'standby']);
    } finally {
      process.kill(-shell.pid!, 'SIGKILL');
      await dropped(database.url, name);
      await database.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** The URL of the role and database that the block makes, on the server of the tests. */
function ownUrl(server: string, name: string): URL {
  const url = new URL(server);
  url.username = name;
  url.password = 'for-trying';
  url.pathname = `/${name}`;
  return url;
}

async function dropped(server: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.query(`DROP ROLE IF EXISTS ${name}`);
  await client.end();
}
