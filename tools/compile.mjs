import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm run prepare: dist/, the JavaScript of src/ and of packages/client/src/, so that production
// compiles nothing. Each file is translated by itself and keeps its place; `npm run check` is what
// looks at types. Without the compiler, as in an install without development dependencies, nothing
// is written, and the start reads TypeScript.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// Of the service, and of the client that its tools and its console use.
const folders = [root, join(root, 'packages/client')];

const typescript = await import('typescript').then(
  (module) => module.default,
  () => null,
);
if (typescript !== null) {
  for (const folder of folders) await compile(typescript, folder);
}

async function compile(ts, folder) {
  const from = join(folder, 'src');
  const to = join(folder, 'dist');
  if (!existsSync(from)) return;
  const options = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  const next = `${to}.next`;
  await rm(next, { recursive: true, force: true });
  const names = (await readdir(from, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  for (const name of names) {
    const text = await readFile(join(from, name), 'utf8');
    const fileName = join(from, name);
    const { outputText } = ts.transpileModule(text, { compilerOptions: options, fileName });
    const target = join(next, name.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, outputText);
  }
  if (folder === root) await copyReferencePage(join(next, 'docs'));
  await rm(to, { recursive: true, force: true });
  await rename(next, to);
}

// The two files of swagger-ui that the page at /docs needs, without the rest of the package.
async function copyReferencePage(folder) {
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
  await mkdir(folder, { recursive: true });
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
    await copyFile(join(dirname(manifest), name), join(folder, name));
  }
}
