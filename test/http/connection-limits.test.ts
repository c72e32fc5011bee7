import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connectionsWithin } from '../../src/gateway/http/connection-guard.ts';
import { RawConnection } from '../support/raw-request.ts';
import {
  createTestServer,
  type TestServer,
  type TestServerOptions,
} from '../support/test-server.ts';

let server: TestServer;
let port: number;

async function start(options: TestServerOptions): Promise<void> {
  server = await createTestServer(options);
  const { port: bound } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  port = Number(bound);
}

afterEach(() => server.close());

const health = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
const lastHealth = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
const answersIn = (text: string): number => text.match(/HTTP\/1\.1 200 /g)?.length ?? 0;

/** Resolves once the connection is admitted and answered. */
async function opened(): Promise<RawConnection> {
  const connection = new RawConnection(port);
  connection.send(health);
  await expect.poll(() => answersIn(connection.received)).toBe(1);
  return connection;
}

test("connections beyond an address's limit are dropped, and each one that ends frees its place", async () => {
  await start({ connections: { perAddressMax: 2 } });
  const [first, second] = [await opened(), await opened()];
  const third = new RawConnection(port);
  third.send(health);
  expect(await third.ended()).toBe('');
  first.close();
  await expect
    .poll(async () => {
      const next = new RawConnection(port);
      next.send(lastHealth);
      return answersIn(await next.ended());
    })
    .toBe(1);
  second.close();
});

test('connections of a trusted proxy are not limited by its address', async () => {
  await start({ connections: { perAddressMax: 1 }, trustedProxies: ['127.0.0.1'] });
  const connections = [await opened(), await opened(), await opened()];
  for (const connection of connections) connection.close();
});

test('connections beyond the total are dropped, with one line in the log', async () => {
  await start({ connections: { connectionsMax: 1 } });
  const first = await opened();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const next = new RawConnection(port);
    next.send(health);
    expect(await next.ended()).toBe('');
  }
  const lines = server.log.text.match(/too many connections are open, new ones are dropped/g);
  expect(lines).toHaveLength(1);
  first.close();
});

test('pipelined requests are answered up to the limit; beyond it the connection ends', async () => {
  await start({ connections: { requestsAheadMax: 10 } });
  const patient = new RawConnection(port);
  for (let round = 1; round <= 3; round += 1) {
    patient.send(health.repeat(10));
    await expect.poll(() => answersIn(patient.received)).toBe(10 * round);
  }
  patient.close();
  const flood = new RawConnection(port);
  flood.send(health.repeat(1_000));
  expect(answersIn(await flood.ended())).toBeLessThanOrEqual(10);
});

test('a client that never reads its answers loses its connection', async () => {
  await start({ connections: { unreadMs: 1_000, requestsAheadMax: 1_000 } });
  const isClosed = new Promise<void>((resolve) => {
    server.app.server.once('connection', (socket: Socket) => socket.once('close', resolve));
  });
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  client.pause();
  // More than the kernel takes for a client that does not read.
  for (let sent = 0; sent < 100; sent += 1) {
    client.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n');
  }
  await isClosed;
  expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
  client.destroy();
});

test.each([
  [null, 25_000],
  [1_048_576, 25_000],
  [4_096, 3_096],
  [1_024, 512],
])('with a limit of %s open files, %i connections are accepted', (openFilesMax, expected) => {
  expect(connectionsWithin(openFilesMax)).toBe(expected);
});
