import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { findFreePort } from './free-port.ts';

const startOptions = { interval: 20 };

/** Whether tests can start a NATS server of their own. */
export const hasNatsServer = spawnSync('nats-server', ['--version']).status === 0;

/** A NATS server with JetStream, on its own port that stays the same when it is restarted. */
export class NatsServer {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  #process: ChildProcess | null = null;

  private constructor(port: number, folder: string) {
    this.url = `nats://127.0.0.1:${port}`;
    this.#port = port;
    this.#folder = folder;
  }

  static async start(): Promise<NatsServer> {
    const folder = await mkdtemp(join(tmpdir(), 'openbourse-nats-'));
    const server = new NatsServer(await findFreePort(), folder);
    await server.startAgain();
    return server;
  }

  /** With everything that it had stored. */
  async startAgain(): Promise<void> {
    const place = ['-a', '127.0.0.1', '-p', String(this.#port)];
    await vi.waitUntil(() => {
      // Another program's connection may have the port for a moment, which ends the server.
      if (this.#process === null || this.#process.exitCode !== null) {
        this.#process = spawn('nats-server', [...place, '-js', '-sd', this.#folder], {
          stdio: 'ignore',
        });
      }
      return isListening(this.#port);
    }, startOptions);
  }

  async kill(): Promise<void> {
    const process = this.#process;
    if (process === null) return;
    this.#process = null;
    process.kill('SIGKILL');
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  }

  /** Keeps what is stored now, with the server ended; `loseNewer` goes back to it. */
  async copyStore(): Promise<void> {
    await rm(this.#copiedFolder, { recursive: true, force: true });
    await cp(this.#folder, this.#copiedFolder, { recursive: true });
  }

  async loseNewer(): Promise<void> {
    await rm(this.#folder, { recursive: true });
    await cp(this.#copiedFolder, this.#folder, { recursive: true });
  }

  get #copiedFolder(): string {
    return `${this.#folder}-copy`;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#copiedFolder, { recursive: true, force: true });
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
