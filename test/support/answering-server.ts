import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpConnection } from '../../src/client/http-connection.ts';

interface PlannedAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly text: string;
}

/** A server that gives the planned answers one after the other, then the usual one. */
export class AnsweringServer {
  readonly answers: PlannedAnswer[] = [];
  readonly connection: HttpConnection;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>, port: number) {
    this.#server = server;
    this.connection = new HttpConnection(`http://127.0.0.1:${port}`, 1);
  }

  static async start(
    usualText: string,
    onRequest: (request: IncomingMessage) => void,
  ): Promise<AnsweringServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const started = new AnsweringServer(server, (server.address() as AddressInfo).port);
    server.on('request', (request, response) => {
      onRequest(request);
      const answer = started.answers.shift() ?? { status: 200, text: usualText };
      response.writeHead(answer.status, answer.headers).end(answer.text);
    });
    return started;
  }

  async close(): Promise<void> {
    this.connection.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
