import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorRow } from '../../src/gateway/errors/error-row.ts';
import { fapiReference } from '../../src/gateway/http/fapi/reference/fapi-reference.ts';
import { parameterSchemas } from '../../src/gateway/http/fapi/reference/parameter-schemas.ts';
import {
  bareFields,
  type DocumentedOperation,
  type OpenApiDocument,
  problemsOf,
} from '../support/documented-interface.ts';
import { errorCatalogs } from '../support/error-catalogs.ts';
import { resolveReferences } from '../support/resolve-references.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

// The document that a running service serves at /openapi.json, whole.

type Json = Readonly<Record<string, unknown>>;

const ofFutures = / \/(fapi|futures\/data)\//;

let service: TestService;
let served: OpenApiDocument;
let operations: readonly (readonly [string, DocumentedOperation])[];

beforeAll(async () => {
  service = await startTestService();
  const reply = await fetch(`${service.url}/openapi.json`);
  served = (await reply.json()) as OpenApiDocument;
  const { paths } = resolveReferences(served);
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
});
afterAll(() => service.close());

/** The problems of all operations, each with the name of its operation. */
function collect(find: (operation: DocumentedOperation) => readonly string[]): readonly string[] {
  return operations.flatMap(([name, operation]) =>
    find(operation).map((problem) => `${name}: ${problem}`),
  );
}

describe('openapi: the document', () => {
  test('every operation has a tag, a summary, a description, and what it weighs', () => {
    expect(operations.length).toBeGreaterThan(150);
    const bare = collect(({ tags = [], summary = '', description = '' }) => {
      const isWhole =
        tags.length === 1 &&
        summary !== '' &&
        /Weight (\d+|at most \d+, depending on the parameters)\.$/.test(description);
      return isWhole ? [] : ['lacks something'];
    });
    expect(bare).toEqual([]);
  });

  test('every operation has a unique id', () => {
    const ids = operations.map(([, { operationId = '' }]) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const named = new Map(operations.map(([name, { operationId }]) => [name, operationId]));
    expect(named.get('GET /api/v1/spot/orders/{id}')).toBe('getSpotOrdersById');
    expect(named.get('DELETE /fapi/v1/order')).toBe('deleteFapiV1Order');
  });

  test('a schema with a title is declared below components only, and operations share it', () => {
    const text = JSON.stringify(served.paths);
    expect(text).not.toMatch(/"title":"[A-Za-z]+","?/);
    const used = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    const counts = (name: string): number => used.filter((each) => each === name).length;
    expect(counts('SpotOrder')).toBeGreaterThanOrEqual(3);
    expect(counts('PlainError')).toBeGreaterThan(100);
    for (const name of ['PerpetualOrder', 'EnvelopeError', 'BinanceError']) {
      expect(counts(name), name).toBeGreaterThan(1);
    }
  });

  test('public operations have a weight, except those that monitor the process', async () => {
    const isOpen = ({ security = [] }: DocumentedOperation): boolean =>
      security.length === 0 || security.some((each) => Object.keys(each).length === 0);
    const weightless = operations.flatMap(([name, operation]) =>
      isOpen(operation) && /Weight 0\.$/.test(operation.description ?? '') ? [name] : [],
    );
    expect(weightless).toEqual(['GET /healthz', 'GET /livez', 'GET /readyz', 'GET /readyz/read']);
  });

  test('every parameter has a description, and an example in its own form', () => {
    const problems = collect(({ parameters = [] }) =>
      parameters.flatMap((parameter) => {
        const { name, description = '', schema, example } = parameter;
        const given = example ?? parameter['x-example'] ?? exampleIn(schema);
        const isDescribed = description !== '' || typeof schema['description'] === 'string';
        return [
          ...(isDescribed ? [] : [`${name} has no description`]),
          ...problemsOf(schema, given).map((problem) => `${name}${problem}`),
        ];
      }),
    );
    expect(problems).toEqual([]);
  });

  test('every field says what it is', () => {
    expect(
      collect((operation) => mediaOf(operation).flatMap(({ schema }) => bareFields(schema, ''))),
    ).toEqual([]);
  });

  test('every body and every answer has an example that matches its schema', () => {
    const problems = collect((operation) =>
      mediaOf(operation).flatMap(({ schema, example }) =>
        example === undefined ? ['no example'] : problemsOf(schema, example),
      ),
    );
    expect(problems).toEqual([]);
  });

  test('every error that an operation names is in a catalog with this status', () => {
    const rows = Object.values(errorCatalogs).flatMap((catalog) => Object.values(catalog));
    const known = new Set(rows.map((row) => lineOf(row)));
    const unknown = collect(({ responses }) =>
      Object.entries(responses)
        .filter(([status]) => status !== '200')
        .flatMap(([status, { description }]) =>
          description.split('\n\n').map((line) => `${status} ${line}`),
        )
        .filter((line) => !known.has(line)),
    );
    expect(unknown).toEqual([]);
  });

  test('every row of a catalog is named by an operation, or occurs outside of all', () => {
    const named = new Set(
      operations.flatMap(([, { responses }]) =>
        Object.entries(responses).flatMap(([status, { description }]) =>
          description.split('\n\n').map((line) => `${status} ${line}`),
        ),
      ),
    );
    const missing = Object.entries(errorCatalogs).flatMap(([name, catalog]) =>
      Object.entries(catalog)
        .filter(([, row]) => !named.has(lineOf(row)))
        .map(([key]) => `${name}.${key}`),
    );
    expect(missing.sort()).toEqual(outsideOfOperations);
  });

  test('every path of /fapi is described, and no other', () => {
    const served = operations.map(([name]) => name).filter((name) => ofFutures.test(name));
    expect(served.sort()).toEqual(Object.keys(fapiReference).sort());
    const used = new Set(
      operations
        .filter(([name]) => ofFutures.test(name))
        .flatMap(([, { parameters = [] }]) => parameters.map(({ name }) => name)),
    );
    expect(Object.keys(parameterSchemas).filter((name) => !used.has(name))).toEqual([]);
  });

  test('public operations without parameters are answered as described', async () => {
    const open = operations.filter(
      ([name, { parameters = [] }]) =>
        name.startsWith('GET ') && !name.includes('{') && !parameters.some(isRequired),
    );
    let asked = 0;
    for (const [name, { responses }] of open) {
      const schema = responses['200']?.content?.['application/json']?.schema;
      const reply = await fetch(service.url + name.replace('GET ', ''));
      if (reply.status !== 200 || name === 'GET /metrics') continue;
      expect(problemsOf(schema, await reply.json()), name).toEqual([]);
      asked += 1;
    }
    expect(asked).toBeGreaterThan(15);
  });

  test('parameters that /fapi requires are marked so', () => {
    const order = operations.find(([name]) => name === 'POST /fapi/v1/order')?.[1];
    const required = order?.parameters?.filter((each) => each.required === true);
    expect(required?.map(({ name }) => name)).toEqual(['symbol', 'side', 'type']);
    const klines = operations.find(([name]) => name === 'GET /fapi/v1/klines')?.[1];
    const limit = klines?.parameters?.find(({ name }) => name === 'limit');
    expect(limit?.schema).toMatchObject({ type: 'integer', default: 500, maximum: 1500 });
  });
});

function isRequired({ required }: { readonly required?: boolean }): boolean {
  return required === true;
}

/** Rows of requests that reach no operation, and of rules that no operation can meet today. */
const outsideOfOperations: readonly string[] = [
  // Perpetuals know no spot switch and no status that is unknown.
  'exchange.methodNotAllowed',
  'exchange.newOrderRejected',
  'exchange.notFound',
  'exchange.slippageExceeded',
  'futures.sideMismatch',
  // Requests over a WebSocket; the AsyncAPI document has them.
  'order_entry.malformedRequest',
  'order_entry.tooManySubscriptions',
  'order_entry.unknownMethod',
  'order_entry.unknownSubscription',
  'plain.methodNotAllowed',
];

function lineOf({ status, code, text }: ErrorRow): string {
  return code === '' ? `${status} ${text}` : `${status} \`${code}\`: ${text}`;
}

function mediaOf({ requestBody, responses }: DocumentedOperation) {
  return [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses['200']?.content ?? {}),
  ];
}

function exampleIn(schema: Json): unknown {
  const { examples, enum: words } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (schema['default'] !== undefined) return schema['default'];
  return Array.isArray(words) ? words[0] : undefined;
}
