import { connect, createServer, type Server, type Socket } from 'node:net';
import type { ConnectionTarget } from '../../src/database/database-pool.ts';

/** What the proxy does with a message on its way to the server. */
export type ProxyVerdict = 'forward' | 'cut' | 'forwardAndCut' | 'hold';

/** Sits between client and server, and breaks the connection when a test wants it. */
export class DatabaseProxy {
  /** Called for every piece that a client sends; simple queries arrive whole and in the clear. */
  judge: (text: string) => ProxyVerdict = () => 'forward';
  /** Swallows whatever the server answers: it seems to hang. */
  isMute = false;
  readonly target: ConnectionTarget;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];

  private constructor(server: Server, target: ConnectionTarget) {
    this.#server = server;
    this.target = target;
  }

  static async open(url: string): Promise<DatabaseProxy> {
    const parsed = new URL(url);
    const folder = parsed.searchParams.get('host');
    const port = parsed.searchParams.get('port') ?? (parsed.port || '5432');
    const upstream =
      folder === null
        ? { host: parsed.hostname, port: Number(port) }
        : { path: `${folder}/.s.PGSQL.${port}` };
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
    const proxy = new DatabaseProxy(server, {
      host: '127.0.0.1',
      port: address.port,
      user: decodeURIComponent(parsed.username),
      password: decodeURIComponent(parsed.password),
      database: parsed.pathname.slice(1),
    });
    server.on('connection', (client) => proxy.#serve(client, connect(upstream)));
    return proxy;
  }

  /** Breaks every connection; new ones work. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Sends on what was held, to sessions whose clients are gone by now. */
  releaseHeld(): void {
    for (const release of this.#held.splice(0)) release();
  }

  get heldCount(): number {
    return this.#held.length;
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket, server: Socket): void {
    let isHolding = false;
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.#sockets.delete(socket));
    }
    client.on('close', () => {
      if (!isHolding) server.destroy();
    });
    server.on('close', () => client.destroy());
    server.on('data', (chunk: Buffer) => {
      if (!this.isMute) client.write(chunk);
    });
    client.on('data', (chunk: Buffer) => {
      const verdict = this.judge(chunk.toString('latin1'));
      if (verdict === 'hold') {
        isHolding = true;
        this.#held.push(() => server.end(chunk));
      } else if (verdict !== 'cut') {
        server.write(chunk);
      }
      if (verdict === 'forwardAndCut') server.once('data', () => client.destroy());
      else if (verdict !== 'forward') client.destroy();
    });
  }
}
