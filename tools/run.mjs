import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './engine-inlining.mjs';

// node tools/run.mjs <module> [arguments]: runs a program of src/, compiled where dist/ holds it as
// src/ stands now, else from TypeScript.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [module = ''] = process.argv.slice(2);
const compiled = join(root, 'dist', `${module}.js`);
const source = join(root, 'src', `${module}.ts`);
const program = isCompiledCurrent() ? compiled : source;

// The program's own arguments follow its path, as if it had been started itself.
process.argv.splice(1, 2, program);
if (program === source) {
  // Its paths say where the source of the client is, from whichever folder this is run.
  process.env['TSX_TSCONFIG_PATH'] ??= join(root, 'tsconfig.json');
  (await import('tsx/esm/api')).register();
}
await import(program);

function isCompiledCurrent() {
  if (!existsSync(compiled)) return false;
  if (!existsSync(source)) return true;
  return ['.', 'packages/client'].every((folder) => {
    const [from, to] = ['src', 'dist'].map((name) => join(root, folder, name));
    if (!existsSync(to)) return false;
    const compiledAt = statSync(to).mtimeMs;
    const names = readdirSync(from, { recursive: true });
    return names.every((name) => statSync(join(from, name)).mtimeMs <= compiledAt);
  });
}
