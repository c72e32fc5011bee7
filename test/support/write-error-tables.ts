import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../architecture/source-files.ts';
import { errorCatalogs } from './error-catalogs.ts';
import { errorTablePattern, renderErrorTable } from './error-table.ts';

// Writes the error tables of docs/api.md anew from the catalogs: npm run docs:errors

const path = join(projectRoot, 'docs/api.md');
const text = readFileSync(path, 'utf8');
const renewed = text.replace(errorTablePattern, (_table, name: string) => {
  return `<!-- errors: ${name} -->\n\n${renderErrorTable(errorCatalogs[name] ?? {})}\n`;
});
writeFileSync(path, renewed);
