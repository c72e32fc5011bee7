import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { collectGarbage } from '../../../test/support/collect-garbage.ts';
import { createJsonRpc, type JsonRpc } from './json-rpc.ts';

// A node that stops in the middle of a call. What the deadline consists of must survive garbage
// collections while the call waits, and optimized code refers to less than code that ran once.

const callsUntilOptimized = 3_000;

let server: Server;
/** How much of its next answers the node sends. */
let portion: 'all' | 'half' | 'nothing' = 'all';
let stop = new AbortController();

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      const { id } = JSON.parse(body) as { id: number };
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' });
      if (portion === 'all') outgoing.end(answer);
      if (portion === 'half') {
        outgoing.writeHead(200, { 'content-length': answer.length });
        outgoing.write(answer.slice(0, answer.length / 2));
      }
      if (portion !== 'all') server.emit('stalled');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const rpc = connect(10_000);
  for (let count = 0; count < callsUntilOptimized; count += 1) await rpc.call('eth_chainId', []);
});

beforeEach(() => {
  stop = new AbortController();
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function connect(timeoutMs: number): JsonRpc {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return createJsonRpc({ url, timeoutMs, failuresMax: 10, pauseMs: 0, signal: stop.signal });
}

/** How the call ends while garbage is collected again and again. */
async function endOf(call: Promise<unknown>): Promise<string> {
  let end = '';
  call.then(
    () => {
      end = 'an answer';
    },
    (error: unknown) => {
      end = String(error);
    },
  );
  const collected = (): string => {
    collectGarbage();
    return end;
  };
  await expect.poll(collected, { interval: 10, timeout: 10_000 }).not.toBe('');
  return end;
}

const portions = ['half', 'nothing'] as const;

test.each(portions)('node: a call with %s of its answer ends at its deadline', async (sent) => {
  const rpc = connect(500);
  portion = sent;
  const end = await endOf(rpc.call('eth_chainId', []));
  expect(end).toBe('ChainUnavailableError: eth_chainId: no answer within 500 ms');
});

test.each(portions)(
  'node: a call with %s of its answer ends as the service stops',
  async (sent) => {
    const rpc = connect(300_000);
    portion = sent;
    const stalled = once(server, 'stalled');
    const end = endOf(rpc.call('eth_chainId', []));
    await stalled;
    stop.abort();
    expect(await end).toMatch(/^ChainUnavailableError: eth_chainId: /);
  },
);
