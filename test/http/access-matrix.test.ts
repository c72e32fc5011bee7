import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestServer,
  type TestKey,
  type TestServer,
  testAdminKey,
} from '../support/test-server.ts';

// Every route against every kind of caller. What a caller may not do is refused before anything
// else is judged, so an empty request is enough; what is let through fails for other reasons.

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
}

let server: TestServer;
let reader: TestKey;
let trader: TestKey;
let routes: readonly Route[] = [];

beforeAll(async () => {
  server = await createTestServer();
  reader = await server.addKey({ permissions: ['read'] });
  trader = await server.addKey();
  const { paths } = (await server.inject({ url: '/openapi.json' })).json<{
    paths: Record<string, Record<string, { security?: Route['security'] }>>;
  }>();
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      method: method.toUpperCase() as Route['method'],
      path: path.replaceAll(/\{\w+\}/g, '00000000-0000-7000-8000-000000000001'),
      security: security ?? [],
    })),
  );
});
afterAll(() => server.close());

const needs = (route: Route, scheme: string): boolean =>
  route.security.some((requirement) => scheme in requirement);
const isOpen = (route: Route): boolean =>
  route.security.length === 0 || route.security.some((each) => Object.keys(each).length === 0);

async function statusOf(route: Route, change: InjectOptions): Promise<number> {
  const reply = await server.inject({ url: route.path, ...change, method: route.method });
  return reply.statusCode;
}

async function refusedRoutes(
  requestOf: (route: Route) => InjectOptions | Promise<InjectOptions>,
): Promise<Set<Route>> {
  const refused = new Set<Route>();
  for (const route of routes) {
    const status = await statusOf(route, await requestOf(route));
    if (status === 401 || status === 403) refused.add(route);
  }
  return refused;
}

const listed = (chosen: Iterable<Route>): readonly string[] =>
  [...chosen].map(({ method, path }) => `${method} ${path}`).sort();

test('there are routes of each kind', () => {
  for (const scheme of ['token', 'apiKey', 'adminKey']) {
    expect(routes.some((route) => needs(route, scheme))).toBe(true);
  }
  expect(routes.some(isOpen)).toBe(true);
});

test('without credentials: only public routes', async () => {
  const refused = await refusedRoutes(() => ({}));
  expect(listed(refused)).toEqual(listed(routes.filter((route) => !isOpen(route))));
});

test('with a token: everything except the administration', async () => {
  // One of the routes ends the token's session.
  const refused = await refusedRoutes(async () => ({ headers: await server.bearer() }));
  expect(listed(refused)).toEqual(listed(routes.filter((route) => needs(route, 'adminKey'))));
});

test('with a trading key: routes that accept keys, and public ones', async () => {
  const refused = await refusedRoutes((route) => trader.get(route.path));
  const closed = routes.filter((route) => !isOpen(route) && !needs(route, 'apiKey'));
  expect(listed(refused)).toEqual(listed(closed));
});

test('with a read-only key: no writes', async () => {
  const refused = await refusedRoutes((route) => reader.get(route.path));
  // A preview places nothing.
  const isRead = ({ method, path }: Route): boolean =>
    method === 'GET' || path === '/api/v1/spot/orders/preview';
  const closed = routes.filter(
    (route) => !isOpen(route) && (!needs(route, 'apiKey') || !isRead(route)),
  );
  expect(listed(refused)).toEqual(listed(closed));
});

test('with the admin key: the administration, and public routes', async () => {
  const headers = { 'x-api-key': testAdminKey };
  const refused = await refusedRoutes(() => ({ headers }));
  const closed = routes.filter((route) => !isOpen(route) && !needs(route, 'adminKey'));
  expect(listed(refused)).toEqual(listed(closed));
});

test.each([
  { 'x-api-key': '' },
  { 'x-api-key': testAdminKey.slice(0, -1) },
  { 'x-api-key': `${testAdminKey} x` },
  { 'x-api-key': testAdminKey.toUpperCase() },
  { authorization: `Bearer ${testAdminKey}` },
  { 'x-mbx-apikey': testAdminKey },
  {},
])('administration with %j: 401 {error: UNAUTHORIZED}', async (headers) => {
  const reply = await server.inject({ method: 'POST', url: '/api/v1/admin/spot/markets', headers });
  expect([reply.statusCode, reply.json<unknown>()]).toEqual([401, { error: 'UNAUTHORIZED' }]);
});

test.each([null, ''])('ADMIN_API_KEY %j: 503 ADMIN_NOT_CONFIGURED for every key', async (key) => {
  const bare = await createTestServer({ adminApiKey: key });
  for (const given of ['', 'undefined', 'null', testAdminKey]) {
    const reply = await bare.inject({
      method: 'POST',
      url: '/api/v1/admin/spot/markets',
      headers: { 'x-api-key': given },
    });
    expect([reply.statusCode, reply.json<unknown>()]).toEqual([
      503,
      { error: 'ADMIN_NOT_CONFIGURED' },
    ]);
  }
  await bare.close();
});
