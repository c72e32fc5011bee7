import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type WebSocket, WebSocketServer } from 'ws';
import { pageHeaders } from '../../src/gateway/http/console/page-headers.ts';
import { buildConsole } from './browser.ts';
import { restFixtures } from './console-fixtures.ts';
import { streamFixtures } from './console-stream-fixtures.ts';

// The built console before a service of fixed data, so that each state of a page can be had at
// will, and pictures of it are the same each time.

const dist = fileURLToPath(new URL('../../console/dist', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakeService {
  readonly url: string;
  /** What a path answers instead of its fixture; null leaves the request without an answer. */
  readonly answers: Map<string, Answer | null>;
  /** What the sockets were sent, in order. */
  readonly heard: Readonly<Record<string, unknown>>[];
  /** Tells every socket. */
  tell(message: object): void;
  /** Drops every socket; while `isDown` no new one opens. */
  cut(): void;
  isDown: boolean;
  close(): Promise<void>;
}

/** @param now Milliseconds since 1970, as the fake reports them. */
export async function startFake(now: () => number = Date.now): Promise<FakeService> {
  buildConsole();
  const sockets = new WebSocketServer({ noServer: true });
  const heard: Readonly<Record<string, unknown>>[] = [];
  const answers = new Map<string, Answer | null>();
  const server = serveFiles(answers);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    heard,
    isDown: false,
    tell: (message) => sockets.clients.forEach((socket) => socket.send(JSON.stringify(message))),
    cut: () => sockets.clients.forEach((socket) => socket.terminate()),
    close: async () => {
      sockets.clients.forEach((socket) => socket.terminate());
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  server.on('upgrade', (request, socket, head) => {
    if (fake.isDown) socket.destroy();
    else sockets.handleUpgrade(request, socket, head, (client) => speak(client, { heard, now }));
  });
  return fake;
}

function serveFiles(answers: FakeService['answers']): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const key = `${request.method ?? 'GET'} ${path}`;
    const answer = answers.has(key) ? answers.get(key) : restFixtures[key];
    if (answer === null) return void response.destroy();
    if (answer !== undefined) {
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'x-request-id': 'fixed-request-id',
        ...answer.headers,
      });
      return void response.end(JSON.stringify(answer.body));
    }
    const file = join(dist, path);
    const isFile = extname(path) !== '' && existsSync(file);
    if (!isFile && path.startsWith('/api')) return void response.writeHead(404).end('{}');
    const type = isFile ? (types[extname(path)] ?? 'text/plain') : 'text/html';
    response.writeHead(200, { ...pageHeaders, 'content-type': type });
    response.end(readFileSync(isFile ? file : join(dist, 'index.html')));
  });
}

interface Listening {
  readonly heard: Readonly<Record<string, unknown>>[];
  readonly now: () => number;
}

function speak(client: WebSocket, { heard, now }: Listening): void {
  const send = (message: object): void => client.send(JSON.stringify(message));
  client.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Readonly<Record<string, string>>;
    heard.push(message);
    const { type, ...target } = message;
    if (type === 'ping') return send({ type: 'pong', ts: now() });
    if (type === 'auth') return send({ type: 'authenticated', address: '', expires_at: null });
    if (type !== 'subscribe') return;
    send({ type: 'subscribed', ...target });
    const key = [target['channel'], target['market']].filter((each) => each !== undefined);
    const data_ = streamFixtures[key.join(' ')] ?? streamFixtures[target['channel'] ?? ''];
    if (data_ === undefined) return;
    send({ type: 'snapshot', ...target, seq: 1, ts: now(), data: data_ });
  });
}
