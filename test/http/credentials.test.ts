import { SignJWT } from 'jose';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldOf, requestJson, textOf } from '../../src/client/api-client.ts';
import {
  HttpConnection,
  type HttpReply,
  type HttpRequest,
} from '../../src/client/http-connection.ts';
import { type ApiKeyPair, signIn } from '../../src/client/sign-in.ts';
import { signRequest } from '../../src/client/sign-request.ts';
import type { OpenApiDocument } from '../support/documented-interface.ts';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';

// Every route of the whole service with every kind of credential, from the document that it serves.
// Who may not call is refused before anything else is judged, so an empty request is enough; what
// is let through fails for other reasons, or not at all.

type Need = 'open' | 'optional' | 'account' | 'token' | 'key' | 'admin' | 'operator';
type Credential = (typeof credentials)[number];

interface Route {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly need: Need;
}

const credentials = [
  'none',
  'token',
  'expired token',
  'forged token',
  'unsigned token',
  'trading key',
  'reading key',
  'disabled key',
  'key of another address',
  'unknown key',
  'unsigned key',
  'wrong signature',
  'late signature',
  'signature of another account',
  'admin key',
  'wrong admin key',
] as const;

const needs = ['open', 'optional', 'account', 'token', 'key', 'admin', 'operator'] as const;

/** The status of a refusal, or 0 if the caller is let through; one column per requirement. */
const refusedAll = [0, 401, 401, 401, 401, 401, 0] as const;
const table: Readonly<Record<Credential, readonly number[]>> = {
  none: [0, 0, 401, 401, 401, 401, 0],
  token: [0, 0, 0, 0, 401, 401, 0],
  'expired token': refusedAll,
  'forged token': refusedAll,
  'unsigned token': refusedAll,
  'trading key': [0, 0, 0, 403, 0, 401, 0],
  // The operations that accept a key and change nothing.
  'reading key': [0, 0, 0, 403, 0, 401, 0],
  'disabled key': refusedAll,
  'key of another address': [0, 403, 403, 403, 403, 401, 0],
  'unknown key': refusedAll,
  'unsigned key': refusedAll,
  'wrong signature': refusedAll,
  'late signature': refusedAll,
  'signature of another account': refusedAll,
  'admin key': [0, 0, 401, 401, 401, 0, 0],
  'wrong admin key': [0, 0, 401, 401, 401, 401, 0],
};

const secret = 'a secret of the credential tests, long enough';
const wallet = privateKeyToAccount(generatePrivateKey());
let service: TestService;
let connection: HttpConnection;
let routes: readonly Route[];
let address: string;
let token: string;
let keys: Readonly<Record<'trade' | 'read' | 'disabled' | 'bound' | 'other', ApiKeyPair>>;

beforeAll(async () => {
  service = await startTestService({ JWT_SECRET: secret });
  connection = new HttpConnection(service.url, 1);
  address = wallet.address.toLowerCase();
  token = await signIn(connection, wallet);
  const other = await signIn(connection, privateKeyToAccount(generatePrivateKey()));
  keys = {
    trade: await addKey(token, {}),
    read: await addKey(token, { permissions: ['read'] }),
    disabled: await addKey(token, {}),
    bound: await addKey(token, { ip_whitelist: ['10.9.8.7'] }),
    other: await addKey(other, {}),
  };
  await ask('PATCH', `/api/v1/account/api-keys/${keys.disabled.apiKey}`, token, { enabled: false });
  const { text } = await connection.send({ method: 'GET', target: '/openapi.json' });
  routes = Object.entries((JSON.parse(text) as OpenApiDocument).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as Route['method'],
      path: path.replaceAll(/\{\w+\}/g, '1'),
      need: needOf((operation as { readonly security?: readonly object[] }).security ?? []),
    })),
  );
});
afterAll(() => service.close());

function ask(method: HttpRequest['method'], target: string, bearer: string, body: object) {
  const headers = { authorization: `Bearer ${bearer}` };
  return requestJson(connection, () => ({ method, target, headers, body: JSON.stringify(body) }));
}

async function addKey(bearer: string, terms: object): Promise<ApiKeyPair> {
  const path = '/api/v1/account/api-keys';
  const created = fieldOf(await ask('POST', path, bearer, { label: 'table', ...terms }), 'data');
  return { apiKey: textOf(created, 'api_key'), apiSecret: textOf(created, 'api_secret') };
}

function needOf(security: readonly object[]): Need {
  const schemes = new Set(security.flatMap((each) => Object.keys(each)));
  if (schemes.has('metricsToken')) return 'operator';
  if (schemes.has('adminKey')) return 'admin';
  const isOpen = security.some((each) => Object.keys(each).length === 0);
  if (schemes.size === 0) return 'open';
  if (isOpen) return 'optional';
  if (!schemes.has('apiKey')) return 'token';
  return schemes.has('token') ? 'account' : 'key';
}

function makeToken(key: string, secondsAgo: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000) - secondsAgo;
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('openbourse')
    .setAudience('openbourse')
    .setSubject(address)
    .setIssuedAt(now)
    .setExpirationTime(now + 60)
    .sign(new TextEncoder().encode(key));
}

async function requestWith(credential: Credential, route: Route): Promise<HttpRequest> {
  const { method, path } = route;
  const bearer = (text: string) => ({
    method,
    target: path,
    headers: { authorization: `Bearer ${text}` },
  });
  const signed = (by: ApiKeyPair, time = Date.now()) => signRequest(by, { method, path }, time);
  switch (credential) {
    case 'none':
      return { method, target: path };
    case 'token':
      // One of the routes ends the session of its token.
      return bearer(path.endsWith('/auth/logout') ? await signIn(connection, wallet) : token);
    case 'expired token':
      return bearer(await makeToken(secret, 3_600));
    case 'forged token':
      return bearer(await makeToken('another secret that is long enough too', 0));
    case 'unsigned token':
      return bearer(`${token.split('.').slice(0, 2).join('.')}.`);
    case 'trading key':
      return signed(keys.trade);
    case 'reading key':
      return signed(keys.read);
    case 'disabled key':
      return signed(keys.disabled);
    case 'key of another address':
      return signed(keys.bound);
    case 'unknown key':
      return signed({ ...keys.trade, apiKey: 'u'.repeat(64) });
    case 'unsigned key':
      return { method, target: path, headers: { 'x-mbx-apikey': keys.trade.apiKey } };
    case 'wrong signature':
      return signed({ ...keys.trade, apiSecret: 'w'.repeat(64) });
    case 'late signature':
      return signed(keys.trade, Date.now() - 61_000);
    case 'signature of another account':
      return signed({ ...keys.trade, apiSecret: keys.other.apiSecret });
    case 'admin key':
      return { method, target: path, headers: { 'x-api-key': testServiceAdminKey } };
    case 'wrong admin key':
      return { method, target: path, headers: { 'x-api-key': `${testServiceAdminKey}x` } };
  }
}

const isSpotOfBinance = ({ path }: Route): boolean => path.startsWith('/api/v3/');
/** Timestamp, signature, key's form, and key, address or permission. */
const refusalCodes: ReadonlySet<unknown> = new Set([-1021, -1022, -2014, -2015]);

/** The status of a refusal, else 0; /api/v3 refuses by codes, as Binance's spot does. */
function refusalOf(route: Route, { status, text }: HttpReply): number {
  if (!isSpotOfBinance(route)) return status === 401 || status === 403 ? status : 0;
  const { code, msg } = JSON.parse(text) as { readonly code?: number; readonly msg?: string };
  const isUnsigned = code === -1102 && /signature|timestamp/.test(msg ?? '');
  return refusalCodes.has(code) || isUnsigned ? status : 0;
}

test('the document has routes of each kind of authentication', () => {
  expect(new Set(routes.map(({ need }) => need))).toEqual(new Set(needs));
  expect(routes.length).toBeGreaterThan(150);
});

test.each(credentials)('every route with this credential: %s', async (credential) => {
  const wrong: string[] = [];
  for (const route of routes) {
    const told = refusalOf(route, await connection.send(await requestWith(credential, route)));
    const expected = table[credential][needs.indexOf(route.need)] ?? 0;
    // A key that may only read is refused if something is written.
    const isWrite = credential === 'reading key' && told !== 0 && route.method !== 'GET';
    // Moving money out takes a separate permission, which neither key has.
    if (credential === 'trading key' && told === 403 && route.path.includes('/withdraw')) continue;
    const isAsExpected = isSpotOfBinance(route) ? told > 0 === expected > 0 : told === expected;
    if (!isAsExpected && !isWrite) {
      wrong.push(`${route.method} ${route.path} (${route.need}): ${told}, not ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a read-only key writes nothing', async () => {
  const written: string[] = [];
  for (const route of routes) {
    const takesKey = route.need === 'account' || route.need === 'key';
    if (!takesKey || route.method === 'GET') continue;
    const reply = await connection.send(await requestWith('reading key', route));
    if (refusalOf(route, reply) === 0) written.push(`${route.method} ${route.path}`);
  }
  expect(written.sort()).toEqual(harmless);
});

/** The keys of private streams, which only read, and a preview, which places nothing. */
const harmless: readonly string[] = [
  'POST /api/v1/spot/orders/preview',
  ...['/api/v3/userDataStream', '/fapi/v1/listenKey'].flatMap((path) =>
    ['DELETE', 'POST', 'PUT'].map((method) => `${method} ${path}`),
  ),
].sort();
