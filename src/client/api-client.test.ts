import { afterEach, beforeEach, expect, test } from 'vitest';
import { AnsweringServer } from '../../test/support/answering-server.ts';
import { ApiError, codeOf, requestJson } from './api-client.ts';

let server: AnsweringServer;
let targets: (string | undefined)[];

beforeEach(async () => {
  targets = [];
  server = await AnsweringServer.start('{"ok":true}', ({ url }) => targets.push(url));
});

afterEach(() => server.close());

test('requestJson: retries after 429 and a busy engine, and signs the request again', async () => {
  server.answers.push({ status: 429, headers: { 'retry-after': '0.01' }, text: '' });
  server.answers.push({ status: 503, text: '{"error":"ENGINE_BUSY"}' });
  let count = 0;
  const make = () => ({ method: 'GET', target: `/t${(count += 1)}` }) as const;
  expect(await requestJson(server.connection, make)).toEqual({ ok: true });
  expect(targets).toEqual(['/t1', '/t2', '/t3']);
});

test('requestJson: every other answer is an error with its code', async () => {
  server.answers.push({ status: 503, text: '{"error":"spot trading disabled"}' });
  const sent = requestJson(server.connection, () => ({
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
