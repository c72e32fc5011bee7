import { createServer, type Server, type ServerResponse } from 'node:http';
import { replyWithReason } from '../../errors/surface.ts';
import { jsonType } from '../send-error.ts';
import { surfaceOfPath } from '../surface-of-path.ts';

const livePaths: ReadonlySet<string> = new Set(['/healthz', '/livez']);
const readyPaths: ReadonlySet<string> = new Set(['/readyz', '/readyz/read']);
/** How long a client can take to send a request, which is checked every second. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
};

export interface StartingOptions {
  readonly host: string;
  readonly port: number;
  /** Connections at a time; more are dropped, as the start needs descriptors for its files. */
  readonly connectionsMax: number;
  /** What the start is waiting for, for the operator. */
  readonly waitsFor: () => readonly string[];
}

/**
 * Answers from the first moment of a start until the gateway can: /healthz and /livez report that
 * the process is running, /readyz and /readyz/read what it is waiting for, anything else that the
 * engine is restarting.
 */
export class StartingListener {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Rejects like `listen` if the address is not available. */
  static open(options: StartingOptions): Promise<StartingListener> {
    const { host, port, connectionsMax, waitsFor } = options;
    const since = new Date().toISOString();
    const server = createServer(timeouts, (request, response) => {
      // A target need not be a URL, and nothing that a client sends may throw here.
      const [pathname = ''] = (request.url ?? '').split('?', 1);
      if (livePaths.has(pathname)) return send(response, 200, { status: 'ok' });
      if (readyPaths.has(pathname)) {
        const detail = `waits for ${waitsFor().join(' and ')}`;
        const start = { state: 'starting', since, detail };
        return send(response, 503, { status: 'not_ready', start });
      }
      const failure = { reason: 'engine_restarting' } as const;
      const { status, body } = replyWithReason(surfaceOfPath(pathname), failure, Date.now());
      return send(response, status, body);
    });
    server.maxConnections = connectionsMax;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => resolve(new StartingListener(server)));
    });
  }

  /** Frees the address. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  // The connection is closed after the answer: the next request is for the gateway.
  response.writeHead(status, { 'content-type': jsonType, connection: 'close' });
  response.end(JSON.stringify(body));
}
