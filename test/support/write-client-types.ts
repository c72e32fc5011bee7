import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { channelTypes, clientTypes } from './client-types.ts';

// npm run client:types -- http://127.0.0.1:8080

const command = new Command('client:types')
  .description('Write the types of packages/client from the document of a running service.')
  .argument('[url]', 'where the service listens', 'http://127.0.0.1:8080')
  .allowExcessArguments(false)
  .parse();
const [url = ''] = command.processedArgs as string[];
const read = async <Document>(path: string): Promise<Document> => {
  const reply = await fetch(`${url}${path}`).catch(() =>
    command.error(`client:types: no service answers at ${url}; npm start runs one`),
  );
  return (await reply.json()) as Document;
};
const write = (name: string, text: string): void =>
  writeFileSync(new URL(`../../packages/client/src/${name}`, import.meta.url), text);

write('endpoints.ts', clientTypes(await read('/openapi.json')));
write('channels.ts', channelTypes(await read('/asyncapi.json')));
