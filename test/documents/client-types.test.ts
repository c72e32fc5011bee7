import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelNames } from '../../src/gateway/ws/protocol/channel-names.ts';
import { channelTypes, clientTypes } from '../support/client-types.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function read<Document>(path: string): Promise<Document> {
  return (await (await fetch(`${service.url}${path}`)).json()) as Document;
}

function written(name: string): string {
  return readFileSync(new URL(`../../packages/client/src/${name}`, import.meta.url), 'utf8');
}

test('client: its types are those of the schemas; npm run client:types writes them', async () => {
  const document = await read<Parameters<typeof clientTypes>[0]>('/openapi.json');
  expect(written('endpoints.ts') === clientTypes(document)).toBe(true);
});

test('client: every endpoint of /api/v1 and /fapi is typed, with an answer', async () => {
  const { paths } = await read<{ paths: Record<string, object> }>('/openapi.json');
  const named = Object.entries(paths)
    .filter(([path]) => /^\/(api\/v1|fapi)\//.test(path))
    .flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
  const text = written('endpoints.ts');
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  const untyped = [...text.matchAll(/^ {2}'([^']+)': \{[^]*?^ {2}\};/gm)].filter(([whole]) =>
    /answer: unknown;/.test(whole),
  );
  expect(untyped.map(([, name]) => name)).toEqual([]);
});

test('client: every channel of the streams is typed from the schemas', async () => {
  const document = await read<Parameters<typeof channelTypes>[0]>('/asyncapi.json');
  const text = written('channels.ts');
  expect(text === channelTypes(document)).toBe(true);
  const typed = [...text.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
  expect(typed.toSorted()).toEqual([...channelNames].toSorted());
  expect(text).not.toMatch(/unknown|never/);
});
