/** The number of items per page; the service's maximum. */
export const pageSizeMax = 500;

interface CursorPage<Row> {
  readonly items: readonly Row[];
  readonly next_cursor: string | null;
}

/** Reads every row of a list that is paged by a cursor, in order. */
export async function readByCursor<Row>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<CursorPage<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let page = await read({ limit: pageSizeMax });
  rows.push(...page.items);
  while (page.next_cursor !== null) {
    page = await read({ limit: pageSizeMax, cursor: page.next_cursor });
    rows.push(...page.items);
  }
  return rows;
}

interface OffsetPage<Row> {
  readonly items: readonly Row[];
  readonly next_offset: number | null;
}

/** Reads every row of a list that is paged by an offset; rows added meanwhile are left out. */
export async function readByOffset<Row>(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<OffsetPage<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: OffsetPage<Row> = await read({ limit: pageSizeMax, offset });
    rows.push(...page.items);
    offset = page.next_offset;
  }
  return rows;
}

interface CountedPage<Row> {
  readonly entries: readonly Row[];
  readonly total: number;
}

/** Reads every row of a list that tells its length; the service bounds the size of a page. */
export async function readByTotal<Row>(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<CountedPage<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { entries, total } = await read({ limit: pageSizeMax, offset: rows.length });
    rows.push(...entries);
    if (entries.length === 0 || rows.length >= total) return rows;
  }
}

interface NumberedPage<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

const numberedPageSize = 100;

/** Reads every row of a list whose pages are numbered from 1. */
export async function readByNumber<Row>(
  read: (page: { readonly page: number; readonly page_size: number }) => Promise<NumberedPage<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await read({ page, page_size: numberedPageSize });
    rows.push(...items);
    if (items.length === 0 || rows.length >= total) return rows;
  }
}

/** Finds the first row that fits in a list whose pages are numbered from 1; null: none does. */
export async function findByNumber<Row>(
  read: (page: { readonly page: number; readonly page_size: number }) => Promise<NumberedPage<Row>>,
  fits: (row: Row) => boolean,
): Promise<Row | null> {
  let count = 0;
  for (let page = 1; ; page += 1) {
    const { items, total } = await read({ page, page_size: numberedPageSize });
    const found = items.find(fits);
    if (found !== undefined) return found;
    count += items.length;
    if (items.length === 0 || count >= total) return null;
  }
}
