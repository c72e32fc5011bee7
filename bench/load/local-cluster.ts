import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect as openSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded/embedded-postgres.ts';
import type { ChildServer } from './child-server.ts';
import { startExchange } from './exchange-service.ts';

const pollMs = 20;
const ticksPerSecond = 100;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** One exchange in several processes, with a NATS server of its own and one PostgreSQL. */
export class LocalCluster {
  readonly #folder: string;
  readonly #nats: ChildProcess;
  readonly #natsUrl: string;
  readonly #postgres: EmbeddedPostgres;
  readonly #count: number;

  private constructor(
    folder: string,
    nats: { readonly child: ChildProcess; readonly url: string },
    postgres: EmbeddedPostgres,
    count: number,
  ) {
    this.#folder = folder;
    this.#nats = nats.child;
    this.#natsUrl = nats.url;
    this.#postgres = postgres;
    this.#count = count;
  }

  /** @throws Error if nats-server is not in the PATH. */
  static async open(count: number): Promise<LocalCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'openbourse-cluster-'));
    const port = await freePort();
    const store = join(folder, 'nats');
    const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', store], {
      stdio: 'ignore',
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    await untilListening(port);
    const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log: silent });
    return new LocalCluster(folder, { child, url: `nats://127.0.0.1:${port}` }, postgres, count);
  }

  /** Starts the process with that number, on the folder that it had before. */
  start(
    number: number,
    nodeOptions: readonly string[],
    settings: Readonly<Record<string, string>> = {},
  ): Promise<ChildServer> {
    const { host, port, user, password } = this.#postgres.address;
    return startExchange(join(this.#folder, `process-${number}`), nodeOptions, {
      DATABASE_URL: `postgresql://${user}:${password}@localhost/postgres?host=${host}&port=${port}`,
      NATS_URL: this.#natsUrl,
      CLUSTER_MEMBERS: String(this.#count),
      JWT_SECRET: 'a secret that all processes of the benchmark share',
      SECRETS_KEY: '5'.repeat(64),
      ...settings,
    });
  }

  /** What the NATS server has used of the processor, in seconds. */
  get natsCpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.#nats.pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
    return (Number(fields?.[11]) + Number(fields?.[12])) / ticksPerSecond;
  }

  /** The messages that JetStream has stored so far, in streams and buckets together. */
  async countMessages(): Promise<number> {
    const connection = await connect({ servers: this.#natsUrl.slice('nats://'.length) });
    try {
      const manager = await jetstreamManager(connection);
      let count = 0;
      for await (const { state } of manager.streams.list()) count += state.last_seq;
      return count;
    } finally {
      await connection.close();
    }
  }

  async close(): Promise<void> {
    this.#nats.kill('SIGKILL');
    if (this.#nats.exitCode === null && this.#nats.signalCode === null) {
      await once(this.#nats, 'exit');
    }
    await this.#postgres.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The index of the process that owns the exchange, once one of them does. */
export async function findOwner(members: readonly ChildServer[]): Promise<number> {
  for (;;) {
    for (const [index, { port }] of members.entries()) {
      if ((await roleOf(port)) === 'owner') return index;
    }
    await pause(pollMs);
  }
}

async function roleOf(port: number): Promise<string | null> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`);
    const body = (await reply.json()) as { readonly cluster?: { readonly state: string } };
    return body.cluster?.state ?? null;
  } catch {
    return null;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = openSocket(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await pause(pollMs);
  }
}
