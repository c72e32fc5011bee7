import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectRoot } from '../architecture/source-files.ts';
import { documentedTables, errorTablePattern } from './error-table.ts';

// Writes the error tables of docs/api.md and docs/streams.md again from the catalogs: npm run
// docs:errors

new Command('docs:errors')
  .description('Write the error tables of docs/api.md and docs/streams.md from the catalogs.')
  .parse();

for (const [document, tables] of Object.entries(documentedTables)) {
  const path = join(projectRoot, document);
  const text = readFileSync(path, 'utf8');
  const renewed = text.replace(errorTablePattern, (_table, name: string) => {
    return `<!-- errors: ${name} -->\n\n${tables[name] ?? ''}\n`;
  });
  writeFileSync(path, renewed);
}
