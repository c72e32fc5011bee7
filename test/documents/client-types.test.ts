import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientTypes } from '../support/client-types.ts';
import { startTestService } from '../support/test-service.ts';

test('client: its types are those of the schemas; npm run client:types writes them', async () => {
  const service = await startTestService();
  try {
    const reply = await fetch(`${service.url}/openapi.json`);
    const document = (await reply.json()) as Parameters<typeof clientTypes>[0];
    const path = new URL('../../packages/client/src/endpoints.ts', import.meta.url);
    expect(readFileSync(path, 'utf8') === clientTypes(document)).toBe(true);
  } finally {
    await service.close();
  }
});
