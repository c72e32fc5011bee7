import { expect, test } from 'vitest';
import { readByCursor, readByNumber, readByOffset } from './pages.ts';

const all = Array.from({ length: 1203 }, (_, index) => index);

test('pages: a list by cursor is read to its end, in order', async () => {
  const rows = await readByCursor(({ limit, cursor }) => {
    const from = cursor === undefined ? 0 : Number(cursor);
    const to = from + limit;
    return Promise.resolve({
      items: all.slice(from, to),
      next_cursor: to < all.length ? String(to) : null,
    });
  });
  expect(rows).toEqual(all);
});

test('pages: a list by offset is read to its end, in order', async () => {
  const rows = await readByOffset(({ limit, offset }) => {
    const to = offset + limit;
    return Promise.resolve({
      items: all.slice(offset, to),
      next_offset: to < all.length ? to : null,
    });
  });
  expect(rows).toEqual(all);
});

test('pages: a list by page number ends at its total, or at the first empty page', async () => {
  const read = (total: number) =>
    readByNumber(({ page, page_size: size }) =>
      Promise.resolve({ items: all.slice((page - 1) * size, page * size), total }),
    );
  expect(await read(all.length)).toEqual(all);
  expect(await read(2000)).toEqual(all);
});
