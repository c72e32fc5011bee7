import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { vi } from 'vitest';
import { findFreePort } from './free-port.ts';

const soon = { timeout: 60_000, interval: 100 };
const count = 3;
const damagedBytes = 2_000;

interface Server {
  readonly name: string;
  readonly port: number;
  readonly clusterPort: number;
  process: ChildProcess | null;
}

/** Three NATS servers that are one cluster. */
export class NatsReplicas {
  readonly #folder: string;
  readonly #servers: readonly Server[];

  private constructor(folder: string, servers: readonly Server[]) {
    this.#folder = folder;
    this.#servers = servers;
  }

  static async start(): Promise<NatsReplicas> {
    const folder = await mkdtemp(join(tmpdir(), 'openbourse-replicas-'));
    const ports = await Promise.all(Array.from({ length: 2 * count }, findFreePort));
    const servers = Array.from({ length: count }, (_, index) => ({
      name: `n${index}`,
      port: ports[index]!,
      clusterPort: ports[count + index]!,
      process: null,
    }));
    const replicas = new NatsReplicas(folder, servers);
    for (const { name } of servers) await replicas.startAgain(name);
    await replicas.#settled((manager) => manager.getAccountInfo());
    return replicas;
  }

  get url(): string {
    return this.#servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(',');
  }

  get names(): readonly string[] {
    return this.#servers.map(({ name }) => name);
  }

  async startAgain(name: string): Promise<void> {
    const server = this.#find(name);
    if (server.process !== null) return;
    const routes = this.#servers.map(({ clusterPort }) => `nats://127.0.0.1:${clusterPort}`);
    const file = join(this.#folder, `${name}.conf`);
    const lines = [
      `server_name: ${name}`,
      `listen: 127.0.0.1:${server.port}`,
      `jetstream { store_dir: ${JSON.stringify(join(this.#folder, name))} }`,
      'cluster {',
      `  name: replicas, listen: 127.0.0.1:${server.clusterPort}, no_advertise: true`,
      `  routes: [${routes.join(', ')}]`,
      '}',
    ];
    await writeFile(file, lines.join('\n'));
    server.process = spawn('nats-server', ['-c', file], { stdio: 'ignore' });
  }

  async kill(name: string): Promise<void> {
    const server = this.#find(name);
    const { process } = server;
    server.process = null;
    if (process === null) return;
    process.kill('SIGKILL');
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  }

  /** A server that keeps the shared log and does not lead it. */
  async follower(): Promise<string> {
    const leader = await this.leader();
    return this.names.find((name) => name !== leader)!;
  }

  /** Waits until every server holds all of every stream. */
  async level(): Promise<void> {
    await this.#settled(async (manager) => {
      for await (const { cluster } of manager.streams.list()) {
        const replicas = cluster?.replicas ?? [];
        if (replicas.length < count - 1 || replicas.some(({ current }) => !current)) {
          throw new Error('a replica is not up to date');
        }
      }
    });
  }

  /** The server that leads the stream of the shared log. */
  async leader(): Promise<string> {
    let leader = '';
    await this.#settled(async ({ streams }) => {
      for await (const { config, cluster } of streams.list()) {
        if (config.name.startsWith('openbourse-')) leader = cluster?.leader ?? '';
      }
      if (leader === '') throw new Error('there is no leader now');
    });
    return leader;
  }

  /** Damages the newest entries that the server, which is ended, has stored of the shared log. */
  async damage(name: string): Promise<void> {
    const folder = join(this.#folder, name);
    const files = await readdir(folder, { recursive: true });
    const isBlock = (file: string): boolean => /streams\/openbourse-.*\/msgs\/\d+\.blk$/.test(file);
    const newest = files.filter(isBlock).sort(byNumber).at(-1);
    if (newest === undefined) throw new Error(`${name} has stored no entry`);
    const path = join(folder, newest);
    const bytes = await readFile(path);
    bytes.fill(0xff, Math.max(0, bytes.length - damagedBytes));
    await writeFile(path, bytes);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ name }) => this.kill(name)));
    await rm(this.#folder, { recursive: true, force: true });
  }

  #find(name: string): Server {
    const server = this.#servers.find((each) => each.name === name);
    if (server === undefined) throw new Error(`there is no server ${name}`);
    return server;
  }

  // Until the servers have elected their leaders, they refuse or do not answer.
  async #settled(work: (manager: JetStreamManager) => Promise<unknown>): Promise<void> {
    const servers = this.#servers.map(({ port }) => `127.0.0.1:${port}`);
    await vi.waitUntil(async () => {
      try {
        const connection = await connect({ servers, reconnect: false, timeout: 2_000 });
        try {
          await work(await jetstreamManager(connection, { timeout: 2_000 }));
          return true;
        } finally {
          await connection.close();
        }
      } catch {
        return false;
      }
    }, soon);
  }
}

function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
