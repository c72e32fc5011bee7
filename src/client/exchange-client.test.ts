import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, ConnectionError } from '@openbourse/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clientOver, withRetries } from './exchange-client.ts';
import { HttpConnection } from './http-connection.ts';

let server: Server;
let connection: HttpConnection;
let answers: { status: number; headers?: Record<string, string>; text: string }[];
let heard: (string | undefined)[];

beforeEach(async () => {
  answers = [];
  heard = [];
  server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${String(request.headers['x-api-key'] ?? '')}`);
    const answer = answers.shift() ?? { status: 200, text: '{"items":[]}' };
    response.writeHead(answer.status, answer.headers).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  connection = new HttpConnection(`http://127.0.0.1:${port}`, 1);
});

afterEach(async () => {
  connection.close();
  await new Promise((resolve) => server.close(resolve));
});

const list = () => clientOver(connection).call('GET /api/v1/spot/markets');

test('patiently: retries after 429 and a busy engine until it gets an answer', async () => {
  answers.push({ status: 429, headers: { 'retry-after': '0.01' }, text: '' });
  answers.push({ status: 503, text: '{"error":"ENGINE_BUSY"}' });
  expect(await withRetries(list)).toEqual({ items: [] });
  expect(heard).toHaveLength(3);
});

test('patiently: every other refusal is thrown at once', async () => {
  answers.push({ status: 503, text: '{"error":"spot trading disabled"}' });
  const sent = withRetries(list);
  await expect(sent).rejects.toThrow(ApiError);
  await expect(sent).rejects.toMatchObject({ code: 'spot trading disabled', status: 503 });
  expect(heard).toHaveLength(1);
});

test('clientOver: sends query and credentials over the connection, and reports its loss', async () => {
  const observed: number[] = [];
  connection.observeReply = (status) => observed.push(status);
  const client = clientOver(connection, { adminKey: () => 'secret' });
  await client.call('GET /api/v1/admin/users', { query: { page: 2 } });
  expect(heard).toEqual(['GET /api/v1/admin/users?page=2 secret']);
  expect(observed).toEqual([200]);
  const lost = clientOver(new HttpConnection('http://127.0.0.1:1', 1)).call('GET /api/v1/site');
  await expect(lost).rejects.toThrow(ConnectionError);
});
