import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { exchangeRaw, RawConnection } from '../../../../test/support/raw-request.ts';
import { StartingListener } from './starting-listener.ts';

const local = { host: '127.0.0.1', connectionsMax: 2 };

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('while the process starts: alive, not ready with the reason, and everything else is restarting', async () => {
  const port = await findFreePort();
  const waitsFor = () => ['the journal', 'the database'];
  const listener = await StartingListener.open({ ...local, port, waitsFor });
  onTestFinished(() => listener.close());
  const ask = async (path: string): Promise<unknown> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`);
    return [reply.status, await reply.json()];
  };
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await ask('/readyz')).toEqual([
    503,
    {
      status: 'not_ready',
      start: {
        state: 'starting',
        since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        detail: 'waits for the journal and the database',
      },
    },
  ]);
  expect(await ask('/api/v1/spot/orders')).toEqual([503, { error: 'ENGINE_RESTARTING' }]);
  expect(await ask('/fapi/v1/time')).toMatchObject([500, { code: -1001 }]);
});

test('while the process starts: a target that is not a URL is answered like any other', async () => {
  const port = await findFreePort();
  const listener = await StartingListener.open({ ...local, port, waitsFor: () => [] });
  onTestFinished(() => listener.close());
  for (const target of ['//', '/\\\\', 'http://x:99999/', '/healthz?a=//[', '*']) {
    const answer = await exchangeRaw(port, `GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(answer).toMatch(target.startsWith('/healthz') ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 503 /);
  }
});

test('while the process starts: connections beyond the maximum are dropped', async () => {
  const port = await findFreePort();
  const listener = await StartingListener.open({ ...local, port, waitsFor: () => [] });
  onTestFinished(() => listener.close());
  const idle = [new RawConnection(port), new RawConnection(port)];
  onTestFinished(() => idle.forEach((connection) => connection.close()));
  expect(await exchangeRaw(port, 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')).toBe('');
  expect(idle.map(({ isEnded }) => isEnded)).toEqual([false, false]);
});
