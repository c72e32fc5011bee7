import { expect, test } from 'vitest';
import { listSourceFiles } from './source-files.ts';

// Rules of the console that no type can hold: lists are saved as files, and what sends a request
// waits when the service says so.

const files = listSourceFiles('console/src', '.tsx');
const count = (text: string, part: string): number => text.split(part).length - 1;

test('console controls: every table has a button that saves it as CSV', () => {
  const tables = files.filter(({ text }) => text.includes('<Table'));
  expect(tables.length).toBeGreaterThan(15);
  const lacking = tables.filter(({ text }) => count(text, '<Table') > count(text, '<CsvButton'));
  expect(lacking.map(({ path }) => path)).toEqual([]);
});

// They send nothing to the service, or must work while it refuses: signing out.
const isLocal =
  /void (navigator\.clipboard|switchChain|leave\(|ask\(|sign\(|run\(\(\) => copyLink)|location\.reload/;

test('console controls: only what sends no request is a plain button', () => {
  const tags = files
    .filter(({ path }) => !path.endsWith('/send-button.tsx'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/<button\b(?:=>|[^>])*>/g)].map(([tag]) => ({ path, tag })),
    );
  expect(tags.length).toBeGreaterThan(30);
  const starts = /\bvoid |\brun\(|\bapi\.|refetch|type="submit"|onMore|onAgain/;
  const wrong = tags.filter(({ tag }) => starts.test(tag) && !isLocal.test(tag));
  expect(wrong).toEqual([]);
});
