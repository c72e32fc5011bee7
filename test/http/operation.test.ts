import type { AddressInfo } from 'node:net';
import { Gauge } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exchangeRaw } from '../support/raw-request.ts';
import { resolveReferences } from '../support/resolve-references.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;

beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.close());

test('/healthz: 200 as long as the process answers', async () => {
  server.readiness.add('engine', () => ({ state: 'restarting', isReady: false }));
  const reply = await server.inject({ url: '/healthz' });
  expect([reply.statusCode, reply.json<unknown>()]).toEqual([200, { status: 'ok' }]);
});

test('/livez: 200 as long as the event loop turns', async () => {
  server.readiness.add('engine', () => ({ state: 'restarting', isReady: false }));
  const reply = await server.inject({ url: '/livez' });
  expect([reply.statusCode, reply.json<unknown>()]).toEqual([200, { status: 'ok' }]);
});

/** The server's time, as answers have it. */
const nowText = (): string => new Date(server.time).toISOString();

describe('/readyz', () => {
  test('every part ready: 200, each with its state', async () => {
    for (const part of ['journal', 'database', 'chain', 'engine']) {
      server.readiness.add(part, () => ({ state: 'ready', isReady: true }));
    }
    const reply = await server.inject({ url: '/readyz' });
    expect([reply.statusCode, reply.json<unknown>()]).toEqual([
      200,
      {
        status: 'ready',
        journal: { state: 'ready', since: nowText() },
        database: { state: 'ready', since: nowText() },
        chain: { state: 'ready', since: nowText() },
        engine: { state: 'ready', since: nowText() },
      },
    ]);
  });

  test('one part not ready: 503 and why', async () => {
    server.readiness.add('engine', () => ({ state: 'ready', isReady: true }));
    server.readiness.add('chain', async () => ({
      state: 'unreachable',
      isReady: false,
      detail: 'no answer',
    }));
    const reply = await server.inject({ url: '/readyz' });
    expect([reply.statusCode, reply.json<unknown>()]).toEqual([
      503,
      {
        status: 'not_ready',
        engine: { state: 'ready', since: nowText() },
        chain: { state: 'unreachable', since: nowText(), detail: 'no answer' },
      },
    ]);
  });

  test('since: when a part was first seen in its state', async () => {
    let state = 'ready';
    server.readiness.add('chain', () => ({ state, isReady: true }));
    const since = async (): Promise<string> => {
      const reply = await server.inject({ url: '/readyz' });
      return reply.json<{ chain: { since: string } }>().chain.since;
    };
    const first = nowText();
    expect(await since()).toBe(first);
    server.time += 60_000;
    expect(await since()).toBe(first);
    state = 'degraded';
    server.time += 60_000;
    expect(await since()).toBe(nowText());
    state = 'ready';
    server.time += 60_000;
    expect(await since()).toBe(nowText());
  });

  test('frequent requests query the parts once a second', async () => {
    let asked = 0;
    server.readiness.add('database', () => {
      asked += 1;
      return { state: `asked ${asked}`, isReady: true };
    });
    const ask = async (): Promise<string> => (await server.inject({ url: '/readyz' })).body;
    const texts = new Set([...(await Promise.all([ask(), ask(), ask()])), await ask()]);
    expect([asked, [...texts].length]).toEqual([1, 1]);
    server.time += 1_000;
    expect(await ask()).toContain('asked 2');
    server.time -= 10_000;
    expect(await ask()).toContain('asked 3');
  });

  test('/readyz/read: 200 where reads succeed, while /readyz is 503 because writes fail', async () => {
    let canRead = true;
    server.readiness.addInstant('cluster', () => ({ state: 'standby', isReady: false, canRead }));
    const statuses = async (): Promise<readonly number[]> => {
      const replies = ['/readyz', '/readyz/read'].map((url) => server.inject({ url }));
      return (await Promise.all(replies)).map(({ statusCode }) => statusCode);
    };
    expect(await statuses()).toEqual([503, 200]);
    canRead = false;
    expect(await statuses()).toEqual([503, 503]);
  });

  test('a part that answers from memory is as it is now, with what it shows', async () => {
    let state = 'standby';
    const facts = { epoch: 7, agreement_age_ms: null };
    server.readiness.addInstant('cluster', () => ({
      state,
      isReady: state === 'standby',
      detail: 'why',
      facts,
    }));
    const ask = async (): Promise<unknown> =>
      (await server.inject({ url: '/readyz' })).json<{ cluster: unknown }>().cluster;
    const shown = { since: nowText(), detail: 'why', ...facts };
    expect(await ask()).toEqual({ state: 'standby', ...shown });
    state = 'leaving';
    expect(await ask()).toEqual({ state: 'leaving', ...shown });
    expect((await server.inject({ url: '/readyz' })).statusCode).toBe(503);
  });

  test('a part that cannot be queried: 503, without its message', async () => {
    server.readiness.add('database', () => {
      throw new TypeError('password=canary');
    });
    const reply = await server.inject({ url: '/readyz' });
    expect([reply.statusCode, reply.json<unknown>()]).toEqual([
      503,
      {
        status: 'not_ready',
        database: { state: 'failed', since: nowText(), detail: 'TypeError' },
      },
    ]);
  });
});

describe('/metrics', () => {
  test('request durations by method, route and status, and the other registered metrics', async () => {
    new Gauge({ name: 'engine_queue_length', help: 'x', registers: [server.metrics] }).set(3);
    await server.inject({ url: '/healthz' });
    await server.inject({ url: '/api/v1/spot/markets/NONE' });
    await server.inject({ url: '/api/v1/spot/markets/NONE2' });
    const reply = await server.inject({ url: '/metrics' });
    expect(reply.headers['content-type']).toContain('text/plain');
    expect(reply.body).toContain('engine_queue_length 3');
    expect(reply.body).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/v1/spot/markets/:id",status="404"} 2',
    );
    expect(reply.body).not.toContain('NONE');
  });

  test('unknown paths are one route, so that callers cannot fill the memory', async () => {
    for (let index = 0; index < 5; index += 1) await server.inject({ url: `/x${index}` });
    const { body } = await server.inject({ url: '/metrics' });
    expect(body).toContain('_count{method="GET",route="none",status="404"} 5');
  });
});

describe('reference', () => {
  interface OpenApi {
    readonly openapi: string;
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  }
  interface Operation {
    readonly summary?: string;
    readonly description?: string;
    readonly tags?: readonly string[];
    readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
    readonly responses: Readonly<Record<string, { readonly description?: string }>>;
  }

  async function load(): Promise<OpenApi> {
    const document = (await server.inject({ url: '/openapi.json' })).json<OpenApi>();
    return resolveReferences(document);
  }

  test('/openapi.json: OpenAPI 3.1 with every route described', async () => {
    const { openapi, paths } = await load();
    expect(openapi).toBe('3.1.0');
    expect(Object.keys(paths)).toContain('/api/v1/spot/orders/{id}');
    const undescribed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const { summary, description, tags, parameters = [], responses } = operation;
        const isWhole = summary && description && tags?.length && responses['200'];
        const bare = parameters.filter((parameter) => !parameter.description);
        return isWhole && bare.length === 0 ? [] : [`${method} ${path}`];
      }),
    );
    expect(undescribed).toEqual([]);
  });

  test('/openapi.json: every field of every body and answer has a description', async () => {
    const missing: string[] = [];
    const visit = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [name, value] of Object.entries(node)) {
        if (name === 'properties') {
          for (const [field, schema] of Object.entries(value as Record<string, object>)) {
            const isDescribed = 'description' in schema || 'properties' in schema;
            if (!isDescribed) missing.push(`${place}.${field}`);
          }
        }
        if (name !== 'examples') visit(value, `${place}/${name}`);
      }
    };
    const { paths } = await load();
    for (const [path, methods] of Object.entries(paths)) visit(methods, path);
    expect(missing).toEqual([]);
  });

  test('/openapi.json: errors are documented in the form of their surface', async () => {
    const { paths } = await load();
    const order = paths['/api/v1/spot/orders']?.['post']?.responses;
    expect(order?.['401']?.description).toContain('Empty body');
    expect(order?.['401']?.description).toContain('`API_KEY_DISABLED`');
    const login = paths['/api/v1/auth/login']?.['post']?.responses;
    expect(login?.['401']?.description).toContain('`NONCE_EXPIRED`');
  });

  test('/docs: the page and its script are served here, and it may fetch from nowhere else', async () => {
    const page = await server.inject({ url: '/docs/' });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.headers['content-security-policy']).not.toMatch(/http|unsafe/);
    // The policy allows no inline script or style, so the page must have none.
    expect(page.body).not.toMatch(/<style|<script>|style=/);
    const fetched = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(fetched.length).toBeGreaterThan(0);
    for (const url of fetched) {
      expect(url).not.toMatch(/^(https?:)?\/\//);
      const target = new URL(url, 'http://127.0.0.1/docs/').pathname;
      expect((await server.inject({ url: target })).statusCode).toBe(200);
    }
  });
});

describe('graceful stop', () => {
  test('requests in flight are answered, then the server is stopped', async () => {
    server.exchange.addMarket('BTCUSDT');
    server.exchange.addTrader(1);
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as AddressInfo;
    let release = (): void => undefined;
    const submit = server.exchange.submit.bind(server.exchange);
    const arrived = new Promise<void>((resolve) => {
      server.exchange.submit = async (command) => {
        resolve();
        await new Promise<void>((go) => (release = go));
        return submit(command);
      };
    });
    const headers = { ...(await server.bearer()), 'content-type': 'application/json' };
    const body = '{"symbol":"BTCUSDT","side":"buy","type":"limit","price":"1","quantity":"1"}';
    const url = `http://127.0.0.1:${port}/api/v1/spot/orders`;
    const inFlight = fetch(url, { method: 'POST', headers, body });
    await arrived;
    const closing = server.app.close();
    await expect(fetch(url, { method: 'POST', headers, body })).rejects.toThrow('fetch failed');
    release();
    expect((await inFlight).status).toBe(200);
    await closing;
  });
});

test('/metrics: with METRICS_TOKEN only by that token, weighed like any other request', async () => {
  const metricsToken = 'a-token-of-the-operator';
  const closed = await createTestServer({ metricsToken });
  const statusOf = async (authorization?: string): Promise<number> => {
    const headers = authorization === undefined ? {} : { authorization };
    return (await closed.inject({ url: '/metrics', headers })).statusCode;
  };
  for (const wrong of [undefined, 'Bearer ', `Bearer ${metricsToken}x`, metricsToken]) {
    expect(await statusOf(wrong)).toBe(401);
  }
  expect(await statusOf(`Bearer ${metricsToken}`)).toBe(200);
  await closed.close();
});

test('a request that names two hosts is 400, on a path of orders too', async () => {
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  for (const line of ['GET /healthz', 'POST /api/v1/spot/orders', 'POST /fapi/v1/order']) {
    const head = `${line} HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close`;
    const reply = await exchangeRaw(port, `${head}\r\nX-MBX-APIKEY: k\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test('the documents are the same bytes each time, and count for their callers', async () => {
  const narrow = await createTestServer({ limits: { requestWeightPerMinute: 250 } });
  const [first, second, third] = await Promise.all(
    Array.from({ length: 3 }, async () => narrow.inject({ url: '/openapi.json' })),
  );
  expect([first?.statusCode, second?.statusCode, third?.statusCode]).toEqual([200, 200, 429]);
  expect(first?.rawPayload.equals(second?.rawPayload ?? Buffer.of())).toBe(true);
  expect((await narrow.inject({ url: '/docs' })).statusCode).toBe(429);
  await narrow.close();
});
