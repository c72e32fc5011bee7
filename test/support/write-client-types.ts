import { writeFileSync } from 'node:fs';
import { clientTypes } from './client-types.ts';

// npm run client:types -- http://127.0.0.1:8080: from the document of a running service.

const [url = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const reply = await fetch(`${url}/openapi.json`);
const document = (await reply.json()) as Parameters<typeof clientTypes>[0];
writeFileSync(
  new URL('../../packages/client/src/endpoints.ts', import.meta.url),
  clientTypes(document),
);
