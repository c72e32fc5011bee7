import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testAddress } from '../support/manual-exchange.ts';
import {
  createTestServer,
  type TestServer,
  testIssuer,
  testJwtSecret,
} from '../support/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const path = '/api/v1/account/api-keys';
const encode = (value: unknown): string => encodeText(JSON.stringify(value));
const encodeText = (text: string): string => Buffer.from(text).toString('base64url');

function sign(head: string, body: string, secret = testJwtSecret, hash = 'sha256'): string {
  const signature = createHmac(hash, secret).update(`${head}.${body}`).digest('base64url');
  return `${head}.${body}.${signature}`;
}

const nowSeconds = (): number => Math.floor(server.time / 1000);
const goodHead = { alg: 'HS256', typ: 'JWT' };
const goodClaims = (): Record<string, unknown> => ({
  iss: testIssuer,
  aud: testIssuer,
  sub: testAddress(1),
  iat: nowSeconds(),
  exp: nowSeconds() + 100,
});
const withClaims = (change: Record<string, unknown>): string =>
  sign(encode(goodHead), encode({ ...goodClaims(), ...change }));
const withHead = (head: Record<string, unknown>): string =>
  sign(encode(head), encode(goodClaims()));

async function statusFor(token: string): Promise<number> {
  const reply = await server.inject({ url: path, headers: { authorization: `Bearer ${token}` } });
  return reply.statusCode;
}

test('a token with iss, aud, sub, iat and exp under HS256: 200', async () => {
  expect(await statusFor(withClaims({}))).toBe(200);
  expect(await statusFor(withHead({ alg: 'HS256' }))).toBe(200);
});

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const forged: readonly (readonly [name: string, make: () => string])[] = [
  ['empty', () => ''],
  ['no issuer', () => withClaims({ iss: undefined })],
  ['another issuer', () => withClaims({ iss: 'https://other.example' })],
  ['no audience', () => withClaims({ aud: undefined })],
  ['another audience', () => withClaims({ aud: 'https://other.example' })],
  ['one part', () => 'abc'],
  ['four parts', () => `${withClaims({})}.abc`],
  ['a blank inside', () => withClaims({}).replace('.', ' .')],
  [
    'signed with another secret',
    () => sign(encode(goodHead), encode(goodClaims()), 'y'.repeat(40)),
  ],
  ['signed with the empty secret', () => sign(encode(goodHead), encode(goodClaims()), '')],
  ['no signature', () => `${withClaims({}).split('.').slice(0, 2).join('.')}.`],
  ['a signature cut short', () => withClaims({}).slice(0, -4)],
  ['alg none', () => `${encode({ alg: 'none' })}.${encode(goodClaims())}.`],
  ['alg None', () => `${encode({ alg: 'None' })}.${encode(goodClaims())}.`],
  ['alg NONE, signed', () => withHead({ alg: 'NONE' })],
  ['alg hs256', () => withHead({ alg: 'hs256' })],
  ['no alg', () => withHead({ typ: 'JWT' })],
  [
    'alg HS512 under its hash',
    () => sign(encode({ alg: 'HS512' }), encode(goodClaims()), testJwtSecret, 'sha512'),
  ],
  [
    'alg HS384 under its hash',
    () => sign(encode({ alg: 'HS384' }), encode(goodClaims()), testJwtSecret, 'sha384'),
  ],
  [
    'alg RS256 under a key of its own',
    () => {
      const text = `${encode({ alg: 'RS256' })}.${encode(goodClaims())}`;
      return `${text}.${createSign('sha256').update(text).sign(privateKey, 'base64url')}`;
    },
  ],
  [
    'a public key as the secret',
    () =>
      sign(
        encode(goodHead),
        encode(goodClaims()),
        String(publicKey.export({ type: 'spki', format: 'pem' })),
      ),
  ],
  [
    'a key of its own in the header',
    () => {
      const secret = 'z'.repeat(40);
      const jwk = { kty: 'oct', k: encodeText(secret) };
      return sign(encode({ ...goodHead, jwk }), encode(goodClaims()), secret);
    },
  ],
  ['a critical header that is unknown', () => withHead({ ...goodHead, crit: ['x'], x: 1 })],
  ['unencoded payload', () => withHead({ ...goodHead, b64: false, crit: ['b64'] })],
  ['run out', () => withClaims({ iat: nowSeconds() - 200, exp: nowSeconds() - 1 })],
  ['running out this second', () => withClaims({ exp: nowSeconds() })],
  ['issued in the future', () => withClaims({ iat: nowSeconds() + 60 })],
  ['not yet good', () => withClaims({ nbf: nowSeconds() + 60 })],
  ['exp before iat', () => withClaims({ iat: nowSeconds() + 4, exp: nowSeconds() + 3 })],
  ['no exp', () => withClaims({ exp: undefined })],
  ['no iat', () => withClaims({ iat: undefined })],
  ['no sub', () => withClaims({ sub: undefined })],
  ['exp as text', () => withClaims({ exp: String(nowSeconds() + 100) })],
  ['exp as a fraction', () => withClaims({ exp: nowSeconds() + 100.5 })],
  ['exp beyond all numbers', () => withClaims({ exp: 1e20 })],
  ['exp null', () => withClaims({ exp: null })],
  ['iat as text', () => withClaims({ iat: String(nowSeconds()) })],
  ['sub a number', () => withClaims({ sub: 1 })],
  ['sub in capitals', () => withClaims({ sub: `0x${'A'.repeat(40)}` })],
  ['sub with a line end', () => withClaims({ sub: `${testAddress(1)}\n` })],
  ['sub a list', () => withClaims({ sub: [testAddress(1)] })],
  ['sub of another form', () => withClaims({ sub: 'admin' })],
  ['a payload that is a list', () => sign(encode(goodHead), encode([goodClaims()]))],
  ['a payload that is no JSON', () => sign(encode(goodHead), encodeText('{'))],
  [
    'a name that stands twice',
    () => {
      const claims = JSON.stringify(goodClaims()).replace('{', `{"sub":"${testAddress(9)}",`);
      return sign(encode(goodHead), encodeText(claims));
    },
  ],
  ['longer than a token is', () => withClaims({ note: 'x'.repeat(2_000) })],
  [
    'changed after signing',
    () => {
      const [head = '', , signature = ''] = withClaims({}).split('.');
      return `${head}.${encode({ ...goodClaims(), sub: testAddress(2) })}.${signature}`;
    },
  ],
];

test.each(forged)('a token that is %s: 401 UNAUTHORIZED', async (_name, make) => {
  const headers = { authorization: `Bearer ${make()}` };
  const wrapped = await server.inject({ url: path, headers });
  expect(wrapped.statusCode).toBe(401);
  expect(wrapped.json()).toMatchObject({ success: false, error: { code: 'UNAUTHORIZED' } });
  const spot = await server.inject({ url: '/api/v1/spot/balances', headers });
  expect([spot.statusCode, spot.body]).toEqual([401, '']);
});

test.each(['Basic abc', 'bearer', 'Token abc', 'Bearer', ''])(
  'Authorization: %j is not a token: 401',
  async (authorization) => {
    const reply = await server.inject({ url: path, headers: { authorization } });
    expect(reply.statusCode).toBe(401);
  },
);

test('a used token: refused from the second of its expiry', async () => {
  const token = withClaims({ exp: nowSeconds() + 10 });
  expect(await statusFor(token)).toBe(200);
  const before = server.time;
  server.time = (nowSeconds() + 10) * 1000 - 1;
  expect(await statusFor(token)).toBe(200);
  server.time += 1;
  expect(await statusFor(token)).toBe(401);
  server.time = before;
});

test('a token in the query string: ignored', async () => {
  const reply = await server.inject({ url: `${path}?token=${withClaims({})}` });
  expect(reply.statusCode).toBe(401);
});
