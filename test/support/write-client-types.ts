import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { clientTypes } from './client-types.ts';

// npm run client:types -- http://127.0.0.1:8080

const command = new Command('client:types')
  .description('Write the types of packages/client from the document of a running service.')
  .argument('[url]', 'where the service listens', 'http://127.0.0.1:8080')
  .allowExcessArguments(false)
  .parse();
const [url = ''] = command.processedArgs as string[];
const reply = await fetch(`${url}/openapi.json`).catch(() =>
  command.error(`client:types: no service answers at ${url}; npm start runs one`),
);
const document = (await reply.json()) as Parameters<typeof clientTypes>[0];
writeFileSync(
  new URL('../../packages/client/src/endpoints.ts', import.meta.url),
  clientTypes(document),
);
