import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSourceFiles, projectRoot, type SourceFile } from './source-files.ts';

// Comments and documents are written in standard terms. Each of these has a plainer one: a process
// reports rather than has the later word, an operator runs the exchange and not a house.
const avoided = [
  'anew',
  'at the most',
  'everybody',
  'for ever',
  'further up',
  'gone on',
  'later word',
  'somebody',
  'would else',
];
const avoidedInProduct = ['comes of', 'hears', 'the house', 'whoever'];
const patternOf = (words: readonly string[]): RegExp =>
  new RegExp(`\\b(${words.join('|')})\\b`, 'i');
const pattern = patternOf([...avoided, ...avoidedInProduct]);

const isHandWritten = ({ path }: SourceFile): boolean =>
  !/\/migrations\/|\/endpoints\.ts$|\/version1\/|plain-words\.test\.ts$/.test(path);
const isProduct = ({ path }: SourceFile): boolean =>
  !/\.test\.tsx?$|^(bench|contracts|test)\//.test(path);

test('words: comments use standard terms', () => {
  const sources = [
    ...listSourceFiles('src'),
    ...listSourceFiles('console/src'),
    ...listSourceFiles('console/src', '.tsx'),
    ...listSourceFiles('packages/client/src'),
    ...listSourceFiles('bench'),
    ...listSourceFiles('contracts'),
    ...listSourceFiles('contracts', '.sol'),
    ...listSourceFiles('test'),
  ].filter(isHandWritten);
  const found = sources.flatMap((file) => {
    const words = isProduct(file) ? pattern : patternOf(avoided);
    return [...file.text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)]
      .map(([comment]) => words.exec(comment)?.[0])
      .filter((word) => word !== undefined)
      .map((word) => `${file.path}: ${word}`);
  });
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
