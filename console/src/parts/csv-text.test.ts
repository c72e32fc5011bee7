import { expect, test } from 'vitest';
import { csvText } from './csv-text.ts';

test('csv text: no cell of a name begins a formula, and numbers stay as they are', () => {
  const names = ['=1+1', '+1', '@SUM(A1)', '\t=1', "-2+3+cmd|' /C calc'!A0", '--1', '-'];
  for (const name of names) expect(csvText([[name]]), name).toMatch(/^'|^"'/);
  expect(csvText([['-0.5', -3, '12', null, 'plain']])).toBe('-0.5,-3,12,,plain\r\n');
});

test('csv text: commas, quotes and line ends stay inside their cell', () => {
  expect(csvText([['a'], ['x,y'], ['say "hi"'], ['two\rlines']])).toBe(
    'a\r\n"x,y"\r\n"say ""hi"""\r\n"two\rlines"\r\n',
  );
});
