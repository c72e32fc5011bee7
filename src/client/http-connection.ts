import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query as they are sent. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Keep-alive connections to one service. */
export class HttpConnection {
  /** Called with the status and duration of every reply. */
  observeReply: ((status: number, elapsedMs: number) => void) | null = null;
  readonly #base: URL;
  readonly #agent: Agent;

  constructor(baseUrl: string, socketsMax: number) {
    this.#base = new URL(baseUrl);
    const AgentClass = this.#base.protocol === 'https:' ? HttpsAgent : Agent;
    this.#agent = new AgentClass({ keepAlive: true, maxSockets: socketsMax });
  }

  /** Sends the request and reads the whole reply. Rejects if the connection is lost. */
  send({ method, target, headers, body }: HttpRequest): Promise<HttpReply> {
    const start = this.#base.protocol === 'https:' ? httpsRequest : httpRequest;
    const { hostname, port } = this.#base;
    const bodyHeaders =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = start(
        {
          hostname,
          port,
          method,
          path: target,
          agent: this.#agent,
          headers: { ...bodyHeaders, ...headers },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const { statusCode: status = 0, headers: replyHeaders } = incoming;
            this.observeReply?.(status, performance.now() - startedAt);
            resolve({ status, headers: replyHeaders, text });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Like the platform's `fetch`, over these connections, for clients that accept one. */
  readonly fetch: typeof fetch = async (input, init = {}) => {
    const { body } = init;
    const reply = await this.send({
      method: (init.method ?? 'GET') as HttpRequest['method'],
      target: input instanceof Request ? input.url : input.toString(),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof body === 'string' ? { body } : {}),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) headers.set(name, String(value));
    return new Response(reply.text === '' ? null : reply.text, { status: reply.status, headers });
  };

  close(): void {
    this.#agent.destroy();
  }
}
