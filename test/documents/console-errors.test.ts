import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hasSentence } from '../../console/src/text/en/errors.ts';

// Codes that pages cannot meet: those of /fapi are for programs with API keys, and a reply without
// a body or with its own page has no code.
const isForPages = (code: string): boolean => !/^-\d+$|^\d+$|^\(/.test(code);

test('console: every error code of docs/api.md and docs/streams.md has a sentence', () => {
  const text = ['api', 'streams']
    .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'))
    .join('\n');
  const tables = text.split('<!-- errors: ').slice(1);
  const codes = tables.flatMap((table) => {
    const rows = table.split('\n\n')[1]?.split('\n').slice(2) ?? [];
    return rows.map((row) => /`([^`]+)`/.exec(row)?.[1] ?? '(');
  });
  expect(codes.length).toBeGreaterThan(100);
  const bare = codes.filter(isForPages).map((code) => code.replace(/<\w+>/, 'x'));
  expect([...new Set(bare)].filter((code) => !hasSentence(code))).toEqual([]);
});
