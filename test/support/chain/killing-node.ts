import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, keccak256, parseTransaction } from 'viem';
import { projectRoot } from '../../architecture/source-files.ts';

/** A node that kills the sender of a new transaction: before or after passing it on, by turns. */
export class KillingNode {
  /** By transaction. */
  readonly kills = new Map<string, 'before' | 'after'>();
  /** Under two names, as programs do not trust a single node of a main network. */
  readonly urls: string;
  readonly #server: Server;
  readonly #blocks: ReadonlyMap<string, string>;
  #victim: ChildProcess | null = null;

  private constructor(server: Server, blocks: ReadonlyMap<string, string>) {
    this.#blocks = blocks;
    this.#server = server;
    this.urls = twoNames(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  static async start(target: string, blocks: ReadonlyMap<string, string>): Promise<KillingNode> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const node = new KillingNode(server, blocks);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        node
          .#answer(target, Buffer.concat(parts).toString('utf8'))
          .then((text) => {
            response.setHeader('content-type', 'application/json').end(text);
          })
          .catch(() => response.destroy());
      });
    });
    return node;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(target: string, body: string): Promise<string> {
    const { method, params } = JSON.parse(body) as { method: string; params: [Hex] };
    if (method !== 'eth_sendRawTransaction') return forward(target, body);
    if (this.#victim === null) throw new Error('who asked is dead');
    const { to, nonce, data } = parseTransaction(params[0]);
    const key = `${to ?? ''} ${nonce ?? 0} ${keccak256(data ?? '0x')}`;
    const isFirst = !this.kills.has(key);
    if (isFirst && this.kills.size % 2 === 0) {
      this.kills.set(key, 'before');
      return this.#kill();
    }
    const answer = await forward(target, body);
    if (!isFirst) return answer;
    this.kills.set(key, 'after');
    return this.#kill();
  }

  #kill(): never {
    const { pid } = this.#victim ?? {};
    this.#victim = null;
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    throw new Error('who asked is dead');
  }

  /** Runs a block of the document; its status is null if it was killed. */
  run(block: string, variables: Readonly<Record<string, string>>) {
    const text = this.#blocks.get(block) ?? 'exit 1';
    const env = { ...process.env, ...variables };
    const child = spawn('bash', ['-c', text], { cwd: projectRoot, env, detached: true });
    this.#victim = child;
    let output = '';
    const hear = (data: Buffer) => {
      output += data.toString('utf8');
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    return new Promise<{ readonly status: number | null; readonly output: string }>((done) => {
      child.on('close', (status) => done({ status, output }));
    });
  }
}

/** One node as a list of two. */
export function twoNames(url: string): string {
  return `${url},${url.replace('127.0.0.1', 'localhost')}`;
}

async function forward(target: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(target, { method: 'POST', headers, body })).text();
}
