import { timingSafeEqual } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { RefusedError, type SigningService } from './signing-service.ts';

const bodyBytesMax = 100_000;

/**
 * Serves JSON-RPC over HTTP on host:port or on a Unix socket that only its owner and group may
 * open.
 */
export async function startSignerServer(
  service: SigningService,
  { listen, token }: { readonly listen: string; readonly token: string | null },
): Promise<Server> {
  const server = createServer((request, response) => {
    void handle(service, request, token).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (listen.startsWith('unix:')) {
      const path = listen.slice('unix:'.length);
      rmSync(path, { force: true });
      server.listen(path, () => {
        chmodSync(path, 0o660);
        resolve();
      });
    } else {
      const [host, port] = listen.split(':');
      server.listen(Number(port), host, () => resolve());
    }
  });
  return server;
}

async function handle(
  service: SigningService,
  request: IncomingMessage,
  token: string | null,
): Promise<{ readonly status: number; readonly body: unknown }> {
  if (!isAllowed(request, token)) return { status: 401, body: {} };
  if (request.method === 'GET' && request.url === '/health') {
    return { status: 200, body: service.health };
  }
  let id: unknown = null;
  try {
    const call = JSON.parse(await readBody(request)) as Record<string, unknown>;
    id = call['id'] ?? null;
    const result = await service.answer(call['method'], call['params']);
    return { status: 200, body: { jsonrpc: '2.0', id, result, log: service.logHead } };
  } catch (error) {
    // Other errors may contain secrets, so their text is not returned.
    const message = error instanceof RefusedError ? error.message : 'the request failed';
    return { status: 200, body: { jsonrpc: '2.0', id, error: { code: -32_000, message } } };
  }
}

function isAllowed(request: IncomingMessage, token: string | null): boolean {
  if (token === null) return true;
  const given = Buffer.from(request.headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new RefusedError('the request is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
