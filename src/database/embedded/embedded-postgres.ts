import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseLog } from '../database-log.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import {
  defaultCopyFolders,
  locatePostgresPackage,
  type PostgresBinaries,
  preparePostgresBinaries,
} from './postgres-binaries.ts';
import { readPostmasterFile, stopRunningPostmaster, stopServer } from './running-postmaster.ts';
import { chooseServerAccount, type ServerAccount, spawnOptionsFor } from './server-account.ts';

// The database of a single machine: a private PostgreSQL below the data folder, reached through a
// socket in a folder that only its account can enter, and protected by a password as well. No port
// is open.

const majorVersion = '18';
const serverUser = 'openbourse';
const startTimeoutMs = 60_000;
const startAttempts = 3;
const pollMs = 10;
const logBytesMax = 8_000_000;
const restartDelayMaxMs = 10_000;
// A socket's path can have 107 bytes on Linux and 103 on macOS; its file name takes 16 of them.
const socketFolderBytesMax = 87;

// Small in memory but fully durable: fsync, full page writes and synchronous commits stay on.
// Changed pages are written out early, so that readers never have to do it to get a free one: they
// would wait for the disk.
const serverSettings = {
  listen_addresses: '',
  max_connections: '64',
  shared_buffers: '256MB',
  bgwriter_delay: '20ms',
  bgwriter_lru_maxpages: '1000',
  bgwriter_lru_multiplier: '4',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  wal_compression: 'on',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  password_encryption: 'scram-sha-256',
  cluster_name: 'openbourse',
};

export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export interface EmbeddedPostgres {
  readonly address: PostgresAddress;
  /** Stops the server cleanly; everything committed is on disk. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Contains the cluster, its password and the server's log. */
  readonly folder: string;
  readonly log: DatabaseLog;
  /** Where the programs are copied if they cannot be run in place. */
  readonly copyFolders?: readonly string[];
}

interface Installation {
  readonly folder: string;
  readonly clusterFolder: string;
  readonly socketFolder: string;
  readonly account: ServerAccount;
  readonly binaries: PostgresBinaries;
  readonly log: DatabaseLog;
}

/**
 * Starts the folder's cluster, which is created on the first start; a server left running is
 * stopped.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder);
  try {
    return await startServer(folder, options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startServer(
  folder: string,
  options: EmbeddedPostgresOptions,
  lock: FolderLock,
): Promise<EmbeddedPostgres> {
  const { log } = options;
  const clusterFolder = join(folder, 'cluster');
  await stopRunningPostmaster(clusterFolder, log);
  const isFirstStart = !(await hasCluster(clusterFolder));
  const account = await chooseServerAccount(clusterFolder);
  const copyFolders = options.copyFolders ?? defaultCopyFolders(folder);
  const source = await locatePostgresPackage();
  const binaries = await preparePostgresBinaries(account, copyFolders, source);
  const socketFolder = await createSocketFolder(account);
  try {
    const installation = { folder, clusterFolder, socketFolder, account, binaries, log };
    if (isFirstStart) await createCluster(installation);
    return await ServerSupervisor.start(installation, lock);
  } catch (error) {
    await rm(socketFolder, { recursive: true, force: true });
    throw error;
  }
}

async function hasCluster(clusterFolder: string): Promise<boolean> {
  const version = await readFile(join(clusterFolder, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
  if (version === null) {
    // Never overwritten: a damaged cluster may still be worth saving.
    if (await isAbsent(clusterFolder)) return false;
    throw new Error(`${clusterFolder} is not a PostgreSQL cluster; move it away to start afresh`);
  }
  if (version.trim() !== majorVersion) {
    throw new Error(
      `${clusterFolder} is of PostgreSQL ${version.trim()}, this is ${majorVersion}: ` +
        'dump it with its own version and load it into a new one',
    );
  }
  return true;
}

async function isAbsent(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return true;
      throw error;
    },
  );
}

/**
 * A new folder for the socket with an unguessable name, accessible to the server's account only.
 */
async function createSocketFolder(account: ServerAccount): Promise<string> {
  const parent = Buffer.byteLength(tmpdir()) > socketFolderBytesMax ? '/tmp' : tmpdir();
  const folder = await mkdtemp(join(parent, 'openbourse-'));
  await chmod(folder, 0o700);
  await giveTo(folder, account);
  return folder;
}

async function giveTo(path: string, account: ServerAccount): Promise<void> {
  if (account !== null) await chown(path, account.uid, account.gid);
}

async function createCluster(installation: Installation): Promise<void> {
  const { folder, clusterFolder, socketFolder, account } = installation;
  installation.log.info({ folder }, 'creating the embedded database');
  // Renamed once it is complete, so that an interrupted start leaves nothing incomplete behind.
  const unfinished = `${clusterFolder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await giveTo(unfinished, account);
  const password = randomBytes(32).toString('hex');
  await writePrivateFile(join(folder, 'password'), password);
  const passwordFile = join(socketFolder, 'password');
  await writePrivateFile(passwordFile, password);
  await giveTo(passwordFile, account);
  await runInitdb(installation, unfinished, passwordFile);
  await rm(passwordFile);
  await rename(unfinished, clusterFolder);
  await syncFolder(folder);
}

async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flush: true });
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}

async function runInitdb(
  installation: Installation,
  clusterFolder: string,
  passwordFile: string,
): Promise<void> {
  const options = [
    '-D',
    folderArgument(installation.account, clusterFolder),
    '-U',
    serverUser,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
  const child = spawn(installation.binaries.initdb, options, {
    ...spawnOptionsFor(installation.account),
    cwd: clusterFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((settle, reject) => {
    child.on('error', reject);
    child.on('close', settle);
  });
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${output.trim()}`);
}

/**
 * How the server is given its cluster. Under root the server's account may not be able to traverse
 * the path to the folder, but the server starts in it, and its working folder is accessible to it.
 */
function folderArgument(account: ServerAccount, clusterFolder: string): string {
  return account !== null && process.platform === 'linux' ? '/proc/self/cwd' : clusterFolder;
}

/** Keeps one server running: restarts it when it ends on its own. */
class ServerSupervisor implements EmbeddedPostgres {
  readonly address: PostgresAddress;
  readonly #installation: Installation;
  readonly #lock: FolderLock;
  #child: ChildProcess | null = null;
  #isStopping = false;
  #restart: Promise<void> = Promise.resolve();
  readonly #stopSignal = new AbortController();
  readonly #killOnExit = (): void => {
    this.#child?.kill('SIGINT');
    rmSync(this.#installation.socketFolder, { recursive: true, force: true });
  };

  private constructor(installation: Installation, lock: FolderLock, password: string) {
    this.#installation = installation;
    this.#lock = lock;
    const host = installation.socketFolder;
    this.address = { host, port: 5432, user: serverUser, password };
  }

  static async start(installation: Installation, lock: FolderLock): Promise<ServerSupervisor> {
    const password = await readFile(join(installation.folder, 'password'), 'utf8');
    const supervisor = new ServerSupervisor(installation, lock, password.trim());
    process.on('exit', supervisor.#killOnExit);
    try {
      await supervisor.#launch();
    } catch (error) {
      await supervisor.stop();
      throw error;
    }
    return supervisor;
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#stopSignal.abort();
    await this.#restart;
    const pid = this.#child?.pid;
    if (pid !== undefined) await stopServer(pid);
    process.off('exit', this.#killOnExit);
    await rm(this.#installation.socketFolder, { recursive: true, force: true });
    await this.#lock.release();
  }

  async #launch(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const child = await spawnServer(this.#installation);
      this.#child = child;
      const failure = await untilReady(child, this.#installation);
      if (failure === null) {
        child.once('exit', (code, signal) => this.#onEnd({ code, signal }));
        if (child.exitCode !== null || child.signalCode !== null) continue;
        return;
      }
      this.#child = null;
      // Sessions of a killed server keep its memory for a moment and block the next one.
      if (attempt === startAttempts) throw new Error(failure);
      await delay(500);
    }
  }

  #onEnd(end: object): void {
    this.#child = null;
    if (this.#isStopping) return;
    this.#installation.log.error(end, 'the embedded PostgreSQL ended on its own');
    this.#restart = this.#relaunch();
  }

  async #relaunch(): Promise<void> {
    for (let wait = 100; !this.#isStopping; wait = Math.min(2 * wait, restartDelayMaxMs)) {
      try {
        await delay(wait, undefined, { signal: this.#stopSignal.signal });
        await this.#launch();
        this.#installation.log.warn({}, 'the embedded PostgreSQL is running again');
        return;
      } catch (error) {
        if (!this.#isStopping) {
          this.#installation.log.error({ error }, 'the embedded PostgreSQL does not start');
        }
      }
    }
  }
}

async function spawnServer(installation: Installation): Promise<ChildProcess> {
  const { account, binaries, clusterFolder, socketFolder } = installation;
  const settings = { ...serverSettings, unix_socket_directories: socketFolder };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openServerLog(installation.folder);
  try {
    return spawn(
      binaries.postgres,
      ['-D', folderArgument(account, clusterFolder), ...options],
      // A separate session: a Ctrl-C in the terminal is for this process, which then stops the
      // server.
      {
        ...spawnOptionsFor(account),
        cwd: clusterFolder,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      },
    );
  } finally {
    await log.close();
  }
}

async function openServerLog(folder: string) {
  const path = join(folder, 'server.log');
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > logBytesMax) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}

/** Null once the server accepts connections, otherwise why it does not. */
async function untilReady(child: ChildProcess, installation: Installation): Promise<string | null> {
  let spawnError: Error | null = null;
  child.once('error', (error) => (spawnError = error));
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    if (spawnError !== null) return `PostgreSQL cannot be started: ${String(spawnError)}`;
    if (child.exitCode !== null || child.signalCode !== null) {
      return `PostgreSQL ended at once: ${await lastLinesOfLog(installation.folder)}`;
    }
    const file = await readPostmasterFile(installation.clusterFolder);
    if (file?.pid === child.pid && file?.isReady) return null;
    await delay(pollMs);
  }
  child.kill('SIGQUIT');
  return `PostgreSQL is not ready after ${startTimeoutMs} ms, see ${installation.folder}/server.log`;
}

async function lastLinesOfLog(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'server.log'), 'utf8');
  return text.trim().split('\n').slice(-5).join(' | ');
}
