import { expect, test } from 'vitest';
import { importsOf, listSourceFiles } from './source-files.ts';

// Which folder of the console may import which; docs/console.md has the same table.
const mayImport: Readonly<Record<string, readonly string[]>> = {
  number: [],
  text: [],
  api: ['number', 'text'],
  forms: ['number', 'text'],
  feed: ['api', 'forms', 'number', 'text'],
  wallet: ['api', 'feed', 'text'],
  parts: ['api', 'feed', 'forms', 'number', 'text', 'wallet'],
  pages: ['api', 'feed', 'forms', 'number', 'parts', 'text', 'wallet'],
};
/** Folders that know nothing of markup. */
const plain = ['number', 'text', 'api', 'forms', 'feed', 'wallet'];

const files = ['.ts', '.tsx']
  .flatMap((ending) => listSourceFiles('console/src', ending))
  .filter(({ path }) => path.split('/').length > 3);
const folderOf = (path: string): string => path.split('/')[2] ?? '';

test('console imports: every folder has a rule', () => {
  const folders = new Set(files.map(({ path }) => folderOf(path)));
  expect([...folders].filter((each) => !(each in mayImport) && each !== 'style')).toEqual([]);
});

test('console imports: each folder imports only what its rule allows', () => {
  const broken = files.flatMap((file) => {
    const from = folderOf(file.path);
    return importsOf(file)
      .filter((target) => target.startsWith('console/src/'))
      .filter((target) => folderOf(target) !== from)
      .filter((target) => !(mayImport[from] ?? []).includes(folderOf(target)))
      .map((target) => `${file.path} imports ${target}`);
  });
  expect(broken).toEqual([]);
});

test('console imports: nothing from the service, and markup only in components', () => {
  const ofService = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('src/'))
      .map((target) => `${file.path} imports ${target}`),
  );
  expect(ofService).toEqual([]);
  const marked = files.filter(
    ({ path }) => path.endsWith('.tsx') && plain.includes(folderOf(path)),
  );
  expect(marked.map(({ path }) => path)).toEqual([]);
});
