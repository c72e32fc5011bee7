import { ApiError, ConnectionError } from '@openbourse/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AnsweringServer } from '../../test/support/answering-server.ts';
import { clientOver, withRetries } from './exchange-client.ts';
import { HttpConnection } from './http-connection.ts';

let server: AnsweringServer;
let heard: string[];

beforeEach(async () => {
  heard = [];
  server = await AnsweringServer.start('{"items":[]}', ({ method, url, headers }) =>
    heard.push(`${method} ${url} ${String(headers['x-api-key'] ?? '')}`),
  );
});

afterEach(() => server.close());

const list = () => clientOver(server.connection).call('GET /api/v1/spot/markets');

test('withRetries: retries after 429 and a busy engine until it gets an answer', async () => {
  server.answers.push({ status: 429, headers: { 'retry-after': '0.01' }, text: '' });
  server.answers.push({ status: 503, text: '{"error":"ENGINE_BUSY"}' });
  expect(await withRetries(list)).toEqual({ items: [] });
  expect(heard).toHaveLength(3);
});

test('withRetries: every other refusal is thrown at once', async () => {
  server.answers.push({ status: 503, text: '{"error":"spot trading disabled"}' });
  const sent = withRetries(list);
  await expect(sent).rejects.toThrow(ApiError);
  await expect(sent).rejects.toMatchObject({ code: 'spot trading disabled', status: 503 });
  expect(heard).toHaveLength(1);
});

test('clientOver: sends query and credentials over the connection, and reports its loss', async () => {
  const observed: number[] = [];
  server.connection.observeReply = (status) => observed.push(status);
  const client = clientOver(server.connection, { adminKey: () => 'secret' });
  await client.call('GET /api/v1/admin/users', { query: { page: 2 } });
  expect(heard).toEqual(['GET /api/v1/admin/users?page=2 secret']);
  expect(observed).toEqual([200]);
  const lost = clientOver(new HttpConnection('http://127.0.0.1:1', 1)).call('GET /api/v1/site');
  await expect(lost).rejects.toThrow(ConnectionError);
});
