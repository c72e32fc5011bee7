import { describe, expect, test } from 'vitest';
import { KeptList } from './kept-list.ts';

interface Item {
  readonly id: number;
  readonly word: string;
}

function listWithCount() {
  let written = 0;
  const list = new KeptList<Item>(
    (kept, item) => kept.id === item.id && kept.word === item.word,
    ({ id, word }) => {
      written += 1;
      return { id, word };
    },
  );
  const write = (items: readonly Item[]): string => list.write(items).toString();
  return { write, written: () => written };
}

const one = { id: 1, word: 'a' };
const two = { id: 2, word: 'b' };

describe('a kept list', () => {
  test('is the JSON of its items, also of none', () => {
    const { write } = listWithCount();
    expect(write([])).toBe('[]');
    expect(write([one, two])).toBe(JSON.stringify([one, two]));
  });

  test('writes equal items once', () => {
    const { write, written } = listWithCount();
    write([one, two]);
    expect(write([{ ...one }, { ...two }])).toBe(JSON.stringify([one, two]));
    expect(written()).toBe(2);
  });

  test('writes a changed item and a new one, and no other', () => {
    const { write, written } = listWithCount();
    write([one, two]);
    const changed = [one, { id: 2, word: 'c' }, { id: 3, word: 'd' }];
    expect(write(changed)).toBe(JSON.stringify(changed));
    expect(written()).toBe(4);
  });

  test('follows items that change places and items that are gone', () => {
    const { write } = listWithCount();
    write([one, two]);
    expect(write([two, one])).toBe(JSON.stringify([two, one]));
    expect(write([two])).toBe(JSON.stringify([two]));
    expect(write([])).toBe('[]');
  });
});
