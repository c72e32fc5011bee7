import { expect, test } from 'vitest';
import { findByNumber, readByCursor, readByNumber, readByOffset, readByTotal } from './pages.ts';

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

test('pages: a list that states its length is read to its end, however few rows the service returns at once', async () => {
  const asked: number[] = [];
  const read = (total: number) =>
    readByTotal(({ limit, offset }) => {
      asked.push(offset);
      const to = offset + Math.min(limit, 50);
      return Promise.resolve({ entries: all.slice(offset, to), total });
    });
  expect(await read(all.length)).toEqual(all);
  expect(asked).toEqual(all.flatMap((_, index) => (index % 50 === 0 ? [index] : [])));
  // One that has become shorter ends with its rows.
  expect(await read(all.length + 1)).toEqual(all);
});

test('pages: a row is found on its page, no further page is read, and a missing one is null', async () => {
  const pages: number[] = [];
  const find = (wanted: number) =>
    findByNumber(
      ({ page, page_size: size }) => {
        pages.push(page);
        return Promise.resolve({ items: all.slice((page - 1) * size, page * size), total: 1203 });
      },
      (each) => each === wanted,
    );
  expect(await find(150)).toBe(150);
  expect(pages).toEqual([1, 2]);
  expect(await find(-1)).toBeNull();
  expect(pages.length).toBe(15);
});
