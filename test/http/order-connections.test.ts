import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestKey, type TestServer } from '../support/test-server.ts';

// Connections of trading programs: orders one after another, then whatever else they may send.

const path = '/api/v1/spot/orders';
const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1', quantity: '1' };

let server: TestServer;
let key: TestKey;
let client: Client;

/** One connection, and what it receives. */
class Client {
  readonly socket: Socket;
  #heard = '';
  #onHeard = (): void => undefined;
  isEnded = false;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.setEncoding('utf8');
    this.socket.on('data', (text: string) => {
      this.#heard += text;
      this.#onHeard();
    });
    this.socket.on('end', () => {
      this.isEnded = true;
      this.#onHeard();
    });
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** The statuses of the next answers, each with its body. */
  async hear(count: number): Promise<string[]> {
    const answers = (): string[] =>
      this.#heard.match(/HTTP\/1\.1 \d{3} [\s\S]*?\r\n\r\n\{[^\r]*\}/g) ?? [];
    await this.#until(() => answers().length >= count);
    const found = answers();
    this.#heard = '';
    return found;
  }

  async ended(): Promise<string> {
    await this.#until(() => this.isEnded);
    return this.#heard;
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.#onHeard = resolve;
      });
    }
  }
}

beforeEach(async () => {
  server = await createTestServer({});
  server.exchange.addMarket('BTCUSDT');
  server.exchange.addTrader(1);
  key = await server.addKey();
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  client = new Client(Number(new URL(url).port));
});

afterEach(async () => {
  client.socket.destroy();
  await server.close();
});

/** A signed order's bytes; no two are alike. */
function orderText(more: readonly string[] = []): string {
  server.time += 1;
  const { url, headers, payload } = key.postJson(path, order, server.time) as unknown as {
    url: string;
    headers: Record<string, string>;
    payload: string;
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${payload.length}`;
  return [`POST ${url} HTTP/1.1`, 'host: x', ...lines, length, ...more, '', payload].join('\r\n');
}

const health = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

function statusOf(answer: string | undefined): string {
  return (answer ?? '').slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
}

test('order connection: orders one after another, each answered and kept alive', async () => {
  for (let number = 0; number < 5; number += 1) {
    client.send(orderText());
    const [answer] = await client.hear(1);
    expect(statusOf(answer)).toBe('200');
    expect(answer).toContain('connection: keep-alive\r\n');
    expect(answer).toMatch(
      /\r\ndate: [A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\r\n/,
    );
  }
});

test('order connection: other requests between orders are answered too', async () => {
  const statuses: string[] = [];
  for (const text of [orderText(), health, orderText(), health, orderText()]) {
    client.send(text);
    statuses.push(statusOf((await client.hear(1))[0]));
  }
  expect(statuses).toEqual(['200', '200', '200', '200', '200']);
});

test('order connection: pipelined requests are answered in order', async () => {
  client.send(orderText());
  await client.hear(1);
  client.send(orderText() + orderText() + health);
  const answers = await client.hear(3);
  expect(answers.map(statusOf)).toEqual(['200', '200', '200']);
  expect(answers.map((answer) => answer.includes('order_id'))).toEqual([true, true, false]);
});

test('order connection: requests that arrive while an order is in flight are answered after it', async () => {
  client.send(orderText());
  await client.hear(1);
  const submit = server.exchange.submit.bind(server.exchange);
  let release = (): void => undefined;
  const isUnderWay = new Promise<void>((resolve) => {
    server.exchange.submit = async (command) => {
      resolve();
      await new Promise<void>((go) => {
        release = go;
      });
      return submit(command);
    };
  });
  client.send(orderText());
  await isUnderWay;
  await new Promise<void>((resolve) => client.socket.write(health, () => resolve()));
  release();
  const answers = await client.hear(2);
  expect(answers.map((answer) => answer.includes('order_id'))).toEqual([true, false]);
});

test('order connection: an order in two segments is one order', async () => {
  client.send(orderText());
  await client.hear(1);
  const text = orderText();
  client.send(text.slice(0, 100));
  await new Promise<void>((resolve) => client.socket.write(text.slice(100), () => resolve()));
  expect((await client.hear(1)).map(statusOf)).toEqual(['200']);
});

test('order connection: a length and chunks together are refused, and the connection ends', async () => {
  client.send(orderText());
  await client.hear(1);
  client.send(orderText(['transfer-encoding: chunked']));
  expect(await client.ended()).toMatch(/^HTTP\/1\.1 400 /);
});

test('order connection: Connection: close is honoured', async () => {
  client.send(orderText(['connection: close']));
  expect(await client.ended()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
});

test('order connection: a client that ends its side still gets its answer', async () => {
  client.send(orderText());
  await client.hear(1);
  client.socket.end(orderText());
  expect(await client.ended()).toMatch(/^HTTP\/1\.1 200 /);
});

test('order connection: idle connections end when the server closes', async () => {
  client.send(orderText());
  await client.hear(1);
  await server.app.close();
  expect(await client.ended()).toBe('');
});
