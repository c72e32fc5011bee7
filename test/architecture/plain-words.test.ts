import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSourceFiles, projectRoot, type SourceFile } from './source-files.ts';

// Comments and documents are written in standard terms. Each of these has a plainer one: a process
// reports rather than has the later word, an operator runs the exchange and not a house.
const avoided = [
  'anew',
  'as it then stands',
  'at the most',
  'below zero for',
  'comes of',
  'everybody',
  'fees not counted',
  'for ever',
  'for want of',
  'from which on',
  'further up',
  'gone on',
  'hears',
  'his',
  'keeps an eye',
  'later word',
  'less the first',
  'levels a side',
  'one entry a market',
  'shelf',
  'somebody',
  'stands still',
  'value price',
  'watch price',
  'whoever',
  'would else',
];
const avoidedInProduct = ['is told', 'the house'];
const patternOf = (words: readonly string[]): RegExp =>
  new RegExp(`\\b(${words.join('|')})\\b`, 'i');
const pattern = patternOf([...avoided, ...avoidedInProduct]);

const isHandWritten = ({ path }: SourceFile): boolean =>
  !/\/migrations\/|\/endpoints\.ts$|\/version1\/|plain-words\.test\.ts$/.test(path);
const isProduct = ({ path }: SourceFile): boolean =>
  !/\.test\.tsx?$|^(bench|contracts|test)\//.test(path);

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
// Text for people has spaces: descriptions, errors, log lines, names of tests.
const sentences = /'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"|`[^`]* [^`]*`/g;

test('words: comments and texts use standard terms', () => {
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
    const code = file.text.replaceAll(comments, '');
    return [...file.text.matchAll(comments), ...code.matchAll(sentences)]
      .map(([text]) => words.exec(text)?.[0])
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
