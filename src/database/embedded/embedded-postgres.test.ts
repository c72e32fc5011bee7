import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../test/support/database-url.ts';
import {
  type EmbeddedPostgres,
  type PostgresAddress,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
import { isAlive, readPostmasterFile } from './running-postmaster.ts';

const isRoot = process.getuid?.() === 0;
// The account `daemon`, which every Debian has.
const otherUser = { uid: 1, gid: 1 };
const program = new URL('../../../test/support/run-embedded-postgres.ts', import.meta.url).pathname;

let root: string;
let folder: string;
let clusterFolder: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'openbourse-embedded-'));
  // Only the owner can enter it, as with the home of a user.
  await mkdir(join(root, 'home'), { mode: 0o700 });
  folder = join(root, 'home', 'data', 'postgres');
  clusterFolder = join(folder, 'cluster');
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

async function query(address: PostgresAddress, text: string): Promise<readonly unknown[][]> {
  const client = new pg.Client({ ...address, database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(cluster = clusterFolder): Promise<number> {
  const file = await readPostmasterFile(cluster);
  if (file === null) throw new Error('no server runs');
  return file.pid;
}

interface Runner {
  readonly child: ChildProcess;
  readonly answer: PostgresAddress | { readonly error: string };
}

async function run(at: string, account: object = {}): Promise<Runner> {
  const child = spawn(process.execPath, ['--import', 'tsx', program, at], {
    ...account,
    cwd: new URL('../../..', import.meta.url).pathname,
    env: { PATH: '/usr/bin:/bin', JWT_SECRET: 'canary' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)));
  });
  return { child, answer: JSON.parse(line) as Runner['answer'] };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}

function addressOf({ answer }: Runner): PostgresAddress {
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}

describe('startEmbeddedPostgres', () => {
  let postgres: EmbeddedPostgres;

  it('embedded: starts below a home of mode 700, durable, with no port and no environment', async () => {
    const runner = await run(folder);
    const address = addressOf(runner);
    const settings = await query(
      address,
      `SELECT name, setting FROM pg_settings
       WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses')`,
    );
    expect(Object.fromEntries(settings)).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      listen_addresses: '',
    });
    const pid = await serverPid();
    if (process.platform === 'linux') {
      expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain('canary');
    }
    await query(address, 'CREATE TABLE kept (number integer)');
    await query(address, 'INSERT INTO kept SELECT generate_series(1, 1000)');

    // The socket is for the server's account only, and a password is required as well.
    expect((await stat(address.host)).mode & 0o777).toBe(0o700);
    await expect(query({ ...address, password: 'wrong' }, 'SELECT 1')).rejects.toThrow('password');
    expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600);

    runner.child.stdin?.write('stop\n');
    await ended(runner.child);
    expect(runner.child.exitCode).toBe(0);
    expect(isAlive(pid)).toBe(false);
    await expect(stat(address.host)).rejects.toThrow('ENOENT');
  });

  it('embedded: a second living process is refused and disturbs nothing', async () => {
    const first = await run(folder);
    const second = await run(folder);
    expect(second.answer).toEqual({
      error: `Error: another process uses the database folder ${folder}`,
    });
    expect(await query(addressOf(first), 'SELECT count(*)::int FROM kept')).toEqual([[1000]]);
    first.child.kill('SIGKILL');
    await ended(first.child);
    expect(isAlive(await serverPid())).toBe(true);
  });

  it('embedded: the server that a killed process left running is stopped, and nothing is lost', async () => {
    const left = await serverPid();
    const leftSocket = (await readPostmasterFile(clusterFolder))?.socketFolder ?? '';
    postgres = await startEmbeddedPostgres({ folder, log: silentLog });
    expect(isAlive(left)).toBe(false);
    expect(await serverPid()).not.toBe(left);
    await expect(stat(leftSocket)).rejects.toThrow('ENOENT');
    expect(await query(postgres.address, 'SELECT count(*)::int FROM kept')).toEqual([[1000]]);
  });

  it('embedded: a server that ends on its own is started again at the same address', async () => {
    const before = await serverPid();
    process.kill(before, 'SIGQUIT');
    await vi.waitFor(
      async () => {
        const rows = await query(postgres.address, 'SELECT count(*)::int FROM kept');
        expect(rows).toEqual([[1000]]);
      },
      { interval: 50 },
    );
    expect(await serverPid()).not.toBe(before);
    await postgres.stop();
    await postgres.stop();
  });

  it('embedded: a process id reused by another program is left alone', async () => {
    const path = join(clusterFolder, 'postmaster.pid');
    const bystander = spawn('sleep', ['60']);
    await writeFile(path, `${bystander.pid}\n/elsewhere\n1\n5432\n/tmp/none\n\n\nready\n`);
    postgres = await startEmbeddedPostgres({ folder, log: silentLog });
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
    expect(await query(postgres.address, 'SELECT count(*)::int FROM kept')).toEqual([[1000]]);
    bystander.kill();
    await postgres.stop();
  });

  it('embedded: process.exit without a stop does not leave the server running', async () => {
    const runner = await run(folder);
    const { host } = addressOf(runner);
    const pid = await serverPid();
    runner.child.stdin?.write('exit\n');
    await ended(runner.child);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
    await expect(stat(host)).rejects.toThrow('ENOENT');
  });

  it('embedded: a cluster of another version, or a folder without one, is never overwritten', async () => {
    const version = join(clusterFolder, 'PG_VERSION');
    const original = await readFile(version, 'utf8');
    await writeFile(version, '15\n');
    const starting = startEmbeddedPostgres({ folder, log: silentLog });
    await expect(starting).rejects.toThrow('is of PostgreSQL 15, this is 18');
    await rm(version);
    const again = startEmbeddedPostgres({ folder, log: silentLog });
    await expect(again).rejects.toThrow('is not a PostgreSQL cluster');
    await writeFile(version, original);
    if (isRoot) await chown(version, 65_534, 65_534);
    postgres = await startEmbeddedPostgres({ folder, log: silentLog });
    expect(await query(postgres.address, 'SELECT count(*)::int FROM kept')).toEqual([[1000]]);
    await postgres.stop();
  });

  it.skipIf(!isRoot)(
    'embedded: an ordinary user runs it as that user (needs root to try)',
    async () => {
      const own = join(root, 'user');
      await mkdir(own, { mode: 0o700 });
      await chown(own, otherUser.uid, otherUser.gid);
      await chmod(root, 0o755);
      const runner = await run(join(own, 'postgres'), otherUser);
      const address = addressOf(runner);
      const cluster = join(own, 'postgres', 'cluster');
      expect((await stat(cluster)).uid).toBe(otherUser.uid);
      expect((await stat(`/proc/${await serverPid(cluster)}`)).uid).toBe(otherUser.uid);
      await query(address, 'CREATE TABLE kept (number integer)');
      runner.child.stdin?.write('stop\n');
      await ended(runner.child);

      // Root then runs the server as the owner of what is there.
      const byRoot = await startEmbeddedPostgres({
        folder: join(own, 'postgres'),
        log: silentLog,
      });
      expect(await query(byRoot.address, 'SELECT count(*)::int FROM kept')).toEqual([[0]]);
      expect((await stat(`/proc/${await serverPid(cluster)}`)).uid).toBe(otherUser.uid);
      await byRoot.stop();
    },
  );
});
