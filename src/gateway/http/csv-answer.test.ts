import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { csvShapeOf, csvText } from './csv-answer.ts';
import { strictObject } from './schema.ts';

test.each([
  ['plain', 'a', 'a'],
  ['a number', -1.5, '-1.5'],
  ['a decimal text', '-0.25', '-0.25'],
  ['nothing', null, ''],
  ['a comma', 'a,b', '"a,b"'],
  ['a quote', 'a"b', '"a""b"'],
  ['a line end', 'a\nb', '"a\nb"'],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula with a sign', '-1+1', "'-1+1"],
  ['a formula with a comma', '@a(1,2)', `"'@a(1,2)"`],
  ['a list', ['a', 'b'], '"[""a"",""b""]"'],
])('csv: %s', (_name, value, cell) => {
  expect(csvText(['x'], [{ x: value }])).toBe(`x\r\n${cell}\r\n`);
});

test('csv: columns are the fields of the documented row, in its order', () => {
  const row = strictObject({ b: Type.String(), a: Type.String() });
  const shape = (answer: Parameters<typeof csvShapeOf>[0]['answer']) =>
    csvShapeOf({ method: 'GET', path: '/api/v1/x', answer });
  expect(shape(strictObject({ items: Type.Array(row) }))).toEqual({
    field: 'items',
    columns: ['b', 'a'],
  });
  expect(shape(Type.Array(row))).toEqual({ field: null, columns: ['b', 'a'] });
  expect(shape(row)).toBeNull();
  expect(shape(Type.Array(Type.String()))).toBeNull();
  expect(csvText(['b', 'a'], [{ a: 1, b: 2, c: 3 }])).toBe('b,a\r\n2,1\r\n');
});

test('csv: writes, and the Binance-compatible paths, have none', () => {
  const answer = Type.Array(strictObject({ a: Type.String() }));
  expect(csvShapeOf({ method: 'POST', path: '/api/v1/x', answer })).toBeNull();
  expect(csvShapeOf({ method: 'GET', path: '/fapi/v1/x', answer })).toBeNull();
});
