import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CopyText } from './copy-text.ts';

function written(write: (text: CopyText) => void, bytesExpected = 64): string {
  const text = new CopyText(bytesExpected);
  write(text);
  return text.data.toString();
}

test('copy text: a whole number is written in its digits, however many', () => {
  for (const value of [0, 9, 10, 999_999_999, 1_000_000_000, 1_000_000_007, 2 ** 53 - 1]) {
    expect(written((text) => text.integer(value))).toBe(String(value));
  }
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      expect(written((text) => text.integer(value))).toBe(String(value));
    }),
  );
});

test('copy text: fields end with a tabulator and rows with a newline', () => {
  const rows = written((text) => {
    for (const word of ['buy', 'sell']) {
      text.word(word);
      text.endField();
      text.null();
      text.endField();
      text.time(1_795_292_817_967);
      text.endField();
      text.endRow();
    }
  });
  const time = '2026-11-21T20:26:57.967Z';
  expect(rows).toBe(`buy\t\\N\t${time}\nsell\t\\N\t${time}\n`);
});

test('copy text: the buffer grows for any text, with any characters', () => {
  const unescape = (text: string) =>
    text.replace(/\\(.)/g, (_, sign: string) =>
      sign === 'n' ? '\n' : sign === 'r' ? '\r' : sign === 't' ? '\t' : sign,
    );
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 })), (values) => {
      const rows = written((text) => {
        for (const value of values) {
          text.text(value);
          text.endField();
          text.endRow();
        }
      }, 1);
      expect(rows.split('\n').slice(0, -1).map(unescape)).toEqual(values);
    }),
  );
});
