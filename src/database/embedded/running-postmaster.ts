import { readFileSync } from 'node:fs';
import { readFile, readlink, rm, rmdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseLog } from '../database-log.ts';

// A process that is killed leaves its PostgreSQL running. The next one stops that server before it
// starts its own on the same cluster: two servers on one cluster would destroy it.

const fastStopMs = 3_000;
const immediateStopMs = 1_000;
const pollMs = 20;

/** The server's postmaster.pid in its cluster folder, line by line. */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketFolder: string;
  readonly isReady: boolean;
}

export async function readPostmasterFile(clusterFolder: string): Promise<PostmasterFile | null> {
  const path = join(clusterFolder, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  return { pid, socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' };
}

/** Stops the server that a killed process left on the cluster, if there is one. */
export async function stopRunningPostmaster(
  clusterFolder: string,
  log: DatabaseLog,
): Promise<void> {
  const found = await readPostmasterFile(clusterFolder);
  if (found === null) return;
  if (!isAlive(found.pid)) return removeSocketFolder(found.socketFolder);
  if (!(await isServerOf(found.pid, clusterFolder))) {
    // The process id now belongs to another program, which the server would mistake for itself.
    log.warn({ pid: found.pid }, 'removing a stale postmaster.pid');
    await rm(join(clusterFolder, 'postmaster.pid'), { force: true });
    return;
  }
  log.warn({ pid: found.pid }, 'stopping the PostgreSQL that a killed process left running');
  await stopServer(found.pid);
  await removeSocketFolder(found.socketFolder);
}

/** Removes the socket folder of a killed process. */
async function removeSocketFolder(folder: string): Promise<void> {
  // The name comes from a file that the server's account can write, so it is checked.
  if (!/\/openbourse-[A-Za-z0-9]{6}$/.test(folder)) return;
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock', 'password']) {
    await rm(join(folder, name), { force: true });
  }
  await rmdir(folder).catch(() => undefined);
}

/** A fast shutdown, which ends sessions and writes everything; a kill if that takes too long. */
export async function stopServer(pid: number): Promise<void> {
  signal(pid, 'SIGINT');
  if (await hasEndedWithin(pid, fastStopMs)) return;
  signal(pid, 'SIGQUIT');
  if (await hasEndedWithin(pid, immediateStopMs)) return;
  // Its sessions hang too, and would keep its memory and so block the next start.
  const sessions = await listChildren(pid);
  for (const each of [pid, ...sessions]) signal(each, 'SIGKILL');
  for (const each of [pid, ...sessions]) {
    if (await hasEndedWithin(each, immediateStopMs)) continue;
    throw new Error(`PostgreSQL (process ${each}) does not end`);
  }
}

/** The server's child processes; none if /proc is unavailable. */
export async function listChildren(pid: number): Promise<readonly number[]> {
  const path = `/proc/${pid}/task/${pid}/children`;
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (isAlive(pid)) process.kill(pid, name);
}

async function hasEndedWithin(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await delay(pollMs);
  }
  return true;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !isZombie(pid);
}

// Ended, but kept in the process table until its parent waits for it, which a container's first
// process may not do.
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return status.slice(status.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return true;
  }
}

/** Whether it is a postgres whose working folder is this cluster, by whatever path. */
async function isServerOf(pid: number, clusterFolder: string): Promise<boolean> {
  // Without /proc the server's own file has to be trusted.
  if (process.platform !== 'linux') return true;
  try {
    const program = await readlink(`/proc/${pid}/exe`);
    const [actual, expected] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(clusterFolder)]);
    const isPostgres = basename(program).replace(/ \(deleted\)$/, '') === 'postgres';
    return isPostgres && actual.dev === expected.dev && actual.ino === expected.ino;
  } catch {
    return false;
  }
}
