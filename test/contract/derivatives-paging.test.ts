import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { type DerivativesService, startDerivatives } from '../support/derivatives-service.ts';

// Paging of GET /account/orders and /account/trades: by an opaque cursor, or by the old offset.

let service: DerivativesService;
let symbol: string;
let trader: Address;

/** Copies of the order and the trade below, so that a page begins far behind the newest row. */
const copies = 5_010;

beforeAll(async () => {
  service = await startDerivatives();
  symbol = await service.nextMarket();
  await service.setIndex(symbol, '100');
  const maker = await service.nextTrader();
  trader = await service.nextTrader();
  for (let count = 0; count < 5; count += 1) {
    service.place(maker, { symbol, side: 'sell', price: 100, quantity: 1 });
    service.place(trader, { symbol, side: 'buy', quantity: 1 });
  }
  await service.spot.services.barrier.waitFor(service.spot.exchange.durableSequence);
});
afterAll(() => service.close());

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly next_cursor: string | null;
}

describe.each([
  ['orders', 'order_id'],
  ['trades', 'trade_id'],
] as const)('GET /api/v1/account/%s', (list, id) => {
  const read = (query: Record<string, string>) =>
    service.read<Page>(`/api/v1/account/${list}`, trader, query);
  const ids = ({ items }: Page) => items.map((item) => item[id]);

  test(`${list}: cursor gives next_cursor and a total of -1, offset the total`, async () => {
    const all = ids(await read({ limit: '10' }));
    expect(all).toHaveLength(5);
    const first = await read({ limit: '2', cursor: '' });
    expect([ids(first), first.total]).toEqual([all.slice(0, 2), -1]);
    const second = await read({ limit: '2', cursor: first.next_cursor ?? '' });
    expect([ids(second), second.total]).toEqual([all.slice(2, 4), -1]);
    const last = await read({ limit: '2', cursor: second.next_cursor ?? '' });
    expect([ids(last), last.next_cursor]).toEqual([all.slice(4), null]);
    const offset = await read({ limit: '2', offset: '3' });
    expect([ids(offset), offset.total]).toEqual([all.slice(3), 5]);
  });
});

describe('far pages', () => {
  beforeAll(async () => {
    await service.spot.query(async (db) => {
      await copyRows('futures_orders', ['order_number']);
      await copyRows('futures_trades', ['trade_number', 'trade_id']);

      async function copyRows(table: string, keys: readonly [string, ...string[]]): Promise<void> {
        const { rows } = await sql<{ name: string }>`SELECT column_name AS name
          FROM information_schema.columns WHERE table_name = ${table}
          AND is_generated = 'NEVER'`.execute(db);
        const others = rows.map(({ name }) => name).filter((name) => !keys.includes(name));
        const columns = sql.join([...keys, ...others].map((name) => sql.ref(name)));
        const values = sql.join([
          ...keys.map(() => sql`1000000 + n`),
          ...others.map((name) => sql.ref(name)),
        ]);
        const [key] = keys;
        await sql`INSERT INTO ${sql.ref(table)} (${columns})
          SELECT ${values} FROM ${sql.ref(table)}, generate_series(1, ${copies}) AS n
          WHERE ${sql.ref(key)} = (SELECT max(${sql.ref(key)}) FROM ${sql.ref(table)})`.execute(db);
      }
    });
  });

  test.each([
    ['orders', 'order_id'],
    ['trades', 'trade_id'],
  ])(
    '%s: offset beyond 5000 is still accepted, and the cursor gets there too',
    async (list, id) => {
      const path = `/api/v1/account/${list}`;
      const read = (query: Record<string, string>) => service.read<Page>(path, trader, query);
      const far = await read({ limit: '3', offset: '5005' });
      const expected = [1_000_005, 1_000_004, 1_000_003];
      expect([far.items.map((item) => item[id]), far.total]).toEqual([expected, copies + 5]);
      let page = await read({ limit: '500', cursor: '' });
      for (let count = 1; count <= 10; count += 1) {
        page = await read({ limit: '500', cursor: page.next_cursor ?? '' });
      }
      expect(page.items.map((item) => item[id]).slice(5, 8)).toEqual(expected);
      expect([page.items.length, page.next_cursor]).toEqual([15, null]);
    },
  );
});
