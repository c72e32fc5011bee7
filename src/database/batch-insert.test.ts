import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import {
  BatchInsert,
  flagColumn,
  integerColumn,
  numberColumn,
  optionalTimeColumn,
  textColumn,
  wordColumn,
} from './batch-insert.ts';
import { StatementQueue } from './projector/statement-queue.ts';

interface Row {
  readonly number: number;
  readonly text: string | null;
  readonly amount: string | null;
  readonly time: number | null;
  readonly origin: string;
  readonly flag: boolean;
}

const insert = new BatchInsert<Row>({
  table: 'copied',
  columns: [
    integerColumn('number', ({ number }) => number),
    textColumn('text', ({ text }) => text),
    numberColumn('amount', ({ amount }) => amount, null),
    optionalTimeColumn('time', ({ time }) => time),
    wordColumn('origin', ({ origin }) => origin, 'user'),
    flagColumn('flag', ({ flag }) => flag, true),
  ],
});

const texts = ['plain', '', 'NULL', '\\N', '\\', 'a\tb\\t', 'line\nline\r', '\\.', '"{,}"', 'é €'];

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('batch insert: COPY and INSERT store the same rows, whatever text they contain', async () => {
  const rows: Row[] = texts.map((text, number) => ({
    number,
    text,
    amount: `${number}.5`,
    time: number,
    origin: number % 2 === 0 ? 'user' : 'other',
    flag: number % 3 === 0,
  }));
  const usual = { amount: null, time: null, origin: 'user', flag: true };
  rows.push({ ...usual, number: 100, text: null }, { ...usual, number: 101, text: 'é' });
  rows.push({ ...usual, number: 102, text: 'a', flag: false });
  await test.database.projector.withClient(async (client) => {
    const queue = new StatementQueue(client);
    await client.query(`CREATE TABLE copied (number int, text text, amount numeric,
      time timestamptz, origin text DEFAULT 'user', flag boolean DEFAULT true)`);
    const readAll = async () => {
      const read = await client.query<Row>(`SELECT number, text, amount,
        (extract(epoch FROM time) * 1000)::int AS time, origin, flag FROM copied ORDER BY number`);
      await client.query('TRUNCATE copied');
      return read.rows;
    };
    const copies = insert.copies(rows);
    expect(copies.map(({ text }) => text)).toEqual([
      'COPY copied (number, text) FROM STDIN',
      'COPY copied (number, text, amount, time, origin, flag) FROM STDIN',
    ]);
    for (const copy of copies) await queue.copy(copy);
    expect(await readAll()).toEqual(rows);
    await queue.run(insert.statement(rows));
    expect(await readAll()).toEqual(rows);
  });
});
