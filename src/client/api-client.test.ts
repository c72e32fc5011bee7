import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiError, codeOf, requestJson } from './api-client.ts';
import { HttpConnection } from './http-connection.ts';

let server: Server;
let connection: HttpConnection;
let answers: { status: number; headers?: Record<string, string>; text: string }[];
let targets: (string | undefined)[];

beforeEach(async () => {
  answers = [];
  targets = [];
  server = createServer((request, response) => {
    targets.push(request.url);
    const answer = answers.shift() ?? { status: 200, text: '{"ok":true}' };
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

test('requestJson: retries after 429 and a busy engine, and signs the request again', async () => {
  answers.push({ status: 429, headers: { 'retry-after': '0.01' }, text: '' });
  answers.push({ status: 503, text: '{"error":"ENGINE_BUSY"}' });
  let count = 0;
  const make = () => ({ method: 'GET', target: `/t${(count += 1)}` }) as const;
  expect(await requestJson(connection, make)).toEqual({ ok: true });
  expect(targets).toEqual(['/t1', '/t2', '/t3']);
});

test('requestJson: every other answer is an error with its code', async () => {
  answers.push({ status: 503, text: '{"error":"spot trading disabled"}' });
  const sent = requestJson(connection, () => ({
    method: 'POST',
    target: '/o?secret=1',
    body: '{}',
  }));
  await expect(sent).rejects.toThrow(ApiError);
  await expect(sent).rejects.toThrow('POST /o answered 503 spot trading disabled');
});

test('codeOf: reads the code of every body form', () => {
  const reply = (text: string) => ({ status: 400, headers: {}, text });
  expect(codeOf(reply('{"error":"INVALID_TICK"}'))).toBe('INVALID_TICK');
  expect(codeOf(reply('{"success":false,"error":{"code":"NOT_FOUND"}}'))).toBe('NOT_FOUND');
  expect(codeOf(reply(''))).toBe('HTTP_400');
  expect(codeOf(reply('<html>'))).toBe('HTTP_400');
});
