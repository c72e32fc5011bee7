import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpConnection, type HttpRequest } from '../../src/client/http-connection.ts';
import { type ApiKeyPair, createApiKey, signIn } from '../../src/client/sign-in.ts';
import { signRequest } from '../../src/client/sign-request.ts';
import type { DocumentedOperation, OpenApiDocument } from '../support/documented-interface.ts';
import { resolveReferences } from '../support/resolve-references.ts';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';

// Every field of every endpoint, one at a time with values that nobody should send, the others as
// the document shows them: whatever comes back, it is no 500.

type Method = HttpRequest['method'];
type Fields = Readonly<Record<string, unknown>>;

interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly params: Fields;
  readonly query: Fields;
  readonly body: Fields | null;
  /** All fields that the body can have, whether its example has them or not. */
  readonly bodyNames: readonly string[];
  readonly credentials: 'token' | 'apiKey' | 'adminKey' | 'none';
}

const nastyTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '%',
  '%00',
  '\'"\\;--',
  '../..',
  '{}',
  '[',
  'null',
  '-1',
  '0',
  '0.5',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9223372036854775808',
  '253402300800000',
  '8640000000000001',
  '99999999999999',
  '999999999999999',
  '1e400',
  'NaN',
  '9'.repeat(40),
  `0.${'0'.repeat(17)}1`,
  '0x10',
  'true',
  'x'.repeat(3_000),
  '\u{1f600}',
  '+275760-09-13T00:00:00Z',
  '9999-12-31T23:59:59Z',
  'MTc2NzU3MTIwMDAwMDoxMDQy',
  'MDow',
];
const nastyValues: readonly unknown[] = [
  ...nastyTexts,
  null,
  true,
  -1,
  0.5,
  1e21,
  1e-7,
  Number.MAX_SAFE_INTEGER,
  2 ** 31,
  [],
  [null],
  {},
  ['\u0000'],
  { a: '\u0000' },
  Array.from({ length: 300 }, () => 'x'),
];

let service: TestService;
let connection: HttpConnection;
let token: string;
let keys: ApiKeyPair;
let operations: readonly Operation[];

beforeAll(async () => {
  service = await startTestService();
  connection = new HttpConnection(service.url, 4);
  const account = privateKeyToAccount(`0x${'1'.repeat(64)}`);
  token = await signIn(connection, account);
  keys = await createApiKey(connection, token, 'nasty');
  await send(
    { method: 'POST', target: '/api/v1/faucet', headers: bearer() },
    { token: 'USDT', amount: '100000' },
  );
  const { text } = await connection.send({ method: 'GET', target: '/openapi.json' });
  const { paths } = resolveReferences(JSON.parse(text) as OpenApiDocument);
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => read(method, path, operation)),
  );
});
afterAll(() => service.close());

function read(method: string, path: string, operation: DocumentedOperation): Operation {
  const { parameters = [], requestBody } = operation;
  const fieldsIn = (place: string): Fields =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place)
        .map(({ name, example, schema, ...rest }) => [
          name,
          example ?? rest['x-example'] ?? (schema['examples'] as readonly unknown[])?.[0] ?? 'x',
        ]),
    );
  const media = Object.values(requestBody?.content ?? {})[0];
  const body = (media?.example as Fields | undefined) ?? null;
  const { properties = {} } = Object(media?.schema) as { readonly properties?: object };
  const security = JSON.stringify((operation as { readonly security?: unknown }).security ?? []);
  const credentials = (['token', 'apiKey', 'adminKey'] as const).find((name) =>
    security.includes(name),
  );
  return {
    method: method.toUpperCase() as Method,
    path,
    params: fieldsIn('path'),
    query: withoutSignature(fieldsIn('query')),
    body,
    bodyNames: [...new Set([...Object.keys(properties), ...Object.keys(body ?? {})])],
    credentials: credentials ?? 'none',
  };
}

function withoutSignature(fields: Fields): Fields {
  const own = new Set(['timestamp', 'signature', 'recvWindow']);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !own.has(name)));
}

const bearer = () => ({ authorization: `Bearer ${token}` });

async function send(request: HttpRequest, body: unknown): Promise<number> {
  const text = body === null ? {} : { body: JSON.stringify(body) };
  return (await connection.send({ ...request, ...text })).status;
}

async function statusOf(operation: Operation, change: Partial<Operation>): Promise<number> {
  const { method, path, params, query, body, credentials } = { ...operation, ...change };
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(params[name]));
  const fields = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, wellFormed(value)]),
  );
  if (credentials === 'apiKey') {
    const signed = { method, path: target, query: fields };
    const own = body === null ? signed : { ...signed, body };
    return (await connection.send(signRequest(keys, own, Date.now()))).status;
  }
  const text = new URLSearchParams(fields).toString();
  const headers =
    credentials === 'token'
      ? bearer()
      : { ...(credentials === 'adminKey' ? { 'x-api-key': testServiceAdminKey } : {}) };
  return send({ method, target: text === '' ? target : `${target}?${text}`, headers }, body);
}

const encode = (value: unknown): string => encodeURIComponent(wellFormed(value)) || '%20';
// A URL cannot carry half a character.
const wellFormed = (value: unknown): string => Buffer.from(String(value)).toString();

/** Every change of one field of the operation, with a description for the report. */
function* changesOf(operation: Operation): Generator<readonly [string, Partial<Operation>]> {
  for (const part of ['params', 'query'] as const) {
    for (const name of Object.keys(operation[part])) {
      for (const value of nastyTexts) {
        yield [`${part}.${name}`, { [part]: { ...operation[part], [name]: value } }];
      }
    }
  }
  for (const [name, text] of Object.entries(operation.query)) {
    const list: unknown =
      typeof text === 'string' && text.startsWith('[') ? JSON.parse(text) : null;
    for (const [place, changed] of changesInside(list)) {
      const query = { ...operation.query, [name]: JSON.stringify(changed) };
      yield [`query.${name}${place}`, { query }];
    }
  }
  const { body } = operation;
  if (body === null) return;
  for (const name of operation.bodyNames) {
    for (const value of nastyValues) yield [`body.${name}`, { body: { ...body, [name]: value } }];
    for (const [place, changed] of changesInside(body[name])) {
      yield [`body.${name}${place}`, { body: { ...body, [name]: changed } }];
    }
  }
}

/** Every change of one value inside a list or an object, however deep. */
function* changesInside(value: unknown): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  const copy = (name: string, inner: unknown): unknown =>
    Array.isArray(value)
      ? value.map((each, at) => (String(at) === name ? inner : each) as unknown)
      : { ...value, [name]: inner };
  for (const [name, inner] of Object.entries(value)) {
    for (const nasty of nastyValues) yield [`.${name}`, copy(name, nasty)];
    for (const [place, changed] of changesInside(inner)) {
      yield [`.${name}${place}`, copy(name, changed)];
    }
  }
}

test('no field of any endpoint causes a 500, whatever its value', async () => {
  const failures = new Set<string>();
  const fields = new Set<string>();
  let count = 0;
  let waiting: Promise<void>[] = [];
  for (const operation of operations) {
    for (const [field, change] of changesOf(operation)) {
      count += 1;
      fields.add(field);
      const { method, path } = operation;
      const ask = statusOf(operation, change).then((status) => {
        // A missing chain or signer has its own 500.
        if (status === 500) failures.add(`${method} ${path} ${field} ${shown(change)}`);
      });
      waiting.push(ask);
      if (waiting.length < 8) continue;
      await Promise.all(waiting);
      waiting = [];
    }
  }
  await Promise.all(waiting);
  expect(count).toBeGreaterThan(5_000);
  expect([...fields]).toEqual(
    expect.arrayContaining(['query.batchOrders.0.price', 'body.levels.0.points_min']),
  );
  expect([...failures]).toEqual([]);
});

function shown(change: Partial<Operation>): string {
  return JSON.stringify(change).slice(0, 200);
}
