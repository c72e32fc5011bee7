import { afterEach, beforeEach, expect, test } from 'vitest';
import { RequestLimiter } from '../../src/gateway/http/request-limiter.ts';
import { MemoryListenKeys } from '../support/memory-listen-keys.ts';
import { RawStream } from '../support/raw-stream.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';
import { wideLimits } from '../support/test-server.ts';

// What all connections of one address may cost together: ten messages or named streams a minute for
// each unit of its request weight.

let running: StreamServer;
let lookups: number;

beforeEach(() => {
  lookups = 0;
});
afterEach(() => running.stop());

async function start(requestWeightPerMinute: number): Promise<void> {
  const now = () => 0;
  const listenKeys = new MemoryListenKeys({ makeKey: () => 'k'.repeat(64), now });
  const find = (listenKey: string) => {
    lookups += 1;
    return listenKeys.find(listenKey);
  };
  running = await startStreamServer({
    limiter: new RequestLimiter({ ...wideLimits, requestWeightPerMinute }, now),
    listenKeys: { find },
  });
}

async function connect(): Promise<RawStream> {
  const stream = new RawStream(running.url);
  await stream.opened;
  return stream;
}

const refused = {
  error: { code: 2, msg: 'Too many requests: too many streams from this address' },
};

test('streams named on several connections count together', async () => {
  await start(10);
  const names = Array.from({ length: 40 }, (_, index) => `nosuch${index}@depth`);
  const first = await connect();
  const second = await connect();
  const subscribe = { method: 'SUBSCRIBE', params: names };
  expect(await first.ask({ id: 1, ...subscribe })).toEqual({ result: null, id: 1 });
  expect(await second.ask({ id: 2, ...subscribe })).toEqual({ result: null, id: 2 });
  expect(await second.ask({ id: 3, method: 'LIST_SUBSCRIPTIONS' })).toEqual({ ...refused, id: 3 });
  first.close();
  second.close();
});

test('messages on several connections count together, and a client that continues is closed', async () => {
  await start(2);
  const first = await running.connect();
  const second = await running.connect();
  for (let sent = 0; sent < 10; sent += 1) {
    expect((await first.ask({ type: 'ping' })).type).toBe('pong');
  }
  for (let sent = 0; sent < 10; sent += 1) {
    expect((await second.ask({ type: 'ping' })).type).toBe('pong');
  }
  second.send({ type: 'ping' });
  expect(await second.next()).toEqual({
    type: 'error',
    code: 'RATE_LIMITED',
    message: 'too many messages from this address',
  });
  for (let sent = 0; sent < 120; sent += 1) second.send({ type: 'ping' });
  expect((await second.closed).code).toBe(1008);
});

test('a lookup of a listen key counts as 20 messages', async () => {
  await start(5);
  const client = await running.connect();
  const codes: unknown[] = [];
  for (const letter of ['a', 'b', 'c']) {
    codes.push((await client.ask({ type: 'auth', listenKey: letter.repeat(64) }))['code']);
  }
  expect(codes).toEqual(['INVALID_LISTEN_KEY', 'INVALID_LISTEN_KEY', 'RATE_LIMITED']);
  expect(lookups).toBe(2);
});

test('refused handshakes count like others', async () => {
  await start(3);
  const status = async (path: string): Promise<string> => {
    const stream = new RawStream(running.url.replace('/ws', path));
    return stream.opened.then(
      () => '101',
      (error: Error) => /\d{3}/.exec(error.message)?.[0] ?? '',
    );
  };
  expect(await status('/nothing')).toBe('404');
  expect(await status('/nothing')).toBe('404');
  expect(await status('/nothing')).toBe('404');
  expect(await status('/nothing')).toBe('429');
  expect(await status('/ws')).toBe('429');
});
