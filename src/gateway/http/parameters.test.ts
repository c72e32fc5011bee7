import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defect, parseParameters, rawText } from './parameters.ts';

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const value = fc.string({ unit: 'grapheme', maxLength: 12 });

test('parseParameters: reads what URLSearchParams writes', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key }), (pairs) => {
      const text = new URLSearchParams(pairs).toString();
      const parsed = parseParameters(text);
      expect(parsed[defect]).toBeNull();
      expect(parsed[rawText]).toBe(text);
      expect(new Map(Object.entries(parsed))).toEqual(new Map(pairs));
    }),
  );
});

test('parseParameters: every text is read or has a defect, never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const parsed = parseParameters(text);
      expect(parsed[rawText]).toBe(text);
      if (parsed[defect] !== null) expect(Object.keys(parsed)).toEqual([]);
    }),
  );
});

test.each([
  ['', {}],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=a', { '': 'a' }],
  ['a=b=c', { a: 'b=c' }],
  ['&&a=1&', { a: '1' }],
  ['a=1;b=2', { a: '1;b=2' }],
  ['a+b=c+d', { 'a b': 'c d' }],
  ['a%3Db=%26', { 'a=b': '&' }],
])('parseParameters: %j', (text, expected) => {
  expect({ ...parseParameters(text) }).toMatchObject(expected);
  expect(Object.keys(parseParameters(text))).toEqual(Object.keys(expected));
});

test.each(['a=1&a=1', 'a=1&%61=2', 'a=%', 'a=%zz', 'a=%C3', '%=1', 'a=1&b=2&a='])(
  'parseParameters: %j has a defect',
  (text) => {
    expect(parseParameters(text)[defect]).toMatch(/^query: /);
  },
);

test('parseParameters: more than 64 parameters are a defect', () => {
  const pairs = (count: number): string =>
    Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
  expect(parseParameters(pairs(64))[defect]).toBeNull();
  expect(parseParameters(pairs(65))[defect]).toBe('query: more than 64 parameters');
});

test('parseParameters: names of the object prototype are only names', () => {
  const parsed = parseParameters('__proto__=1&constructor=2&toString=3');
  expect(Object.entries(parsed)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
    ['toString', '3'],
  ]);
  expect('valueOf' in parsed).toBe(false);
});
