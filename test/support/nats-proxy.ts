import { connect, createServer, type Server, type Socket } from 'node:net';

interface Line {
  readonly client: Socket;
  readonly upstream: Socket;
}

/** Sits between one process and a NATS server, and holds messages in one direction or the other. */
export class NatsProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #lines = new Set<Line>();
  #holdsUp = false;
  #holdsDown = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `nats://127.0.0.1:${port}`;
  }

  static async open(target: string): Promise<NatsProxy> {
    const { hostname: host, port } = new URL(target);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
    const proxy = new NatsProxy(server, address.port);
    server.on('connection', (client) => {
      proxy.#serve({ client, upstream: connect({ host, port: Number(port) }) });
    });
    return proxy;
  }

  /** Nothing arrives in that direction until the proxy is healed. */
  hold(direction: 'up' | 'down'): void {
    if (direction === 'up') this.#holdsUp = true;
    else this.#holdsDown = true;
    for (const line of this.#lines) this.#apply(line);
  }

  /** What was held arrives, and what follows. */
  heal(): void {
    this.#holdsUp = false;
    this.#holdsDown = false;
    for (const line of this.#lines) this.#apply(line);
  }

  async close(): Promise<void> {
    for (const { client, upstream } of this.#lines) {
      client.destroy();
      upstream.destroy();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(line: Line): void {
    const { client, upstream } = line;
    this.#lines.add(line);
    const end = (): void => {
      this.#lines.delete(line);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.on('data', (data) => void upstream.write(data));
    upstream.on('data', (data) => void client.write(data));
    this.#apply(line);
  }

  #apply({ client, upstream }: Line): void {
    if (this.#holdsUp) client.pause();
    else client.resume();
    if (this.#holdsDown) upstream.pause();
    else upstream.resume();
  }
}
