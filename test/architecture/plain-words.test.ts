import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSourceFiles, projectRoot, type SourceFile } from './source-files.ts';

// Comments and documents are written in standard terms. Each of these has a plainer one: a process
// reports rather than has the later word, an operator runs the exchange and not a house.
const avoided = [
  'at the most',
  'comes of',
  'further up',
  'hears',
  'later word',
  'somebody',
  'the house',
  'whoever',
  'would else',
];
const pattern = new RegExp(`\\b(${avoided.join('|')})\\b`, 'i');

const isHandWritten = ({ path }: SourceFile): boolean =>
  !/\.test\.tsx?$|\/migrations\/|\/endpoints\.ts$/.test(path);

test('words: comments use standard terms', () => {
  const sources = [
    ...listSourceFiles('src'),
    ...listSourceFiles('console/src'),
    ...listSourceFiles('console/src', '.tsx'),
    ...listSourceFiles('packages/client/src'),
  ].filter(isHandWritten);
  const found = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)]
      .map(([comment]) => pattern.exec(comment)?.[0])
      .filter((word) => word !== undefined)
      .map((word) => `${path}: ${word}`),
  );
  expect(found).toEqual([]);
});

test('words: documents use standard terms', () => {
  const folders = ['.', 'docs', 'bench/results'];
  const pages = folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder))
      .filter((name) => name.endsWith('.md') && !name.startsWith('conformance'))
      .map((name) => join(folder, name)),
  );
  const found = pages.flatMap((path) => {
    const prose = readFileSync(join(projectRoot, path), 'utf8')
      .replaceAll(/```[\s\S]*?```/g, '')
      .replaceAll(/`[^`]*`/g, '');
    const word = pattern.exec(prose)?.[0];
    return word === undefined ? [] : [`${path}: ${word}`];
  });
  expect(found).toEqual([]);
});
