import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { BatchInsert, numberColumn, optionalTimeColumn, textColumn } from './batch-insert.ts';
import { StatementQueue } from './projector/statement-queue.ts';

interface Row {
  readonly text: string | null;
  readonly amount: string | null;
  readonly time: number | null;
}

const insert = new BatchInsert<Row>({
  table: 'copied',
  columns: [
    textColumn('text', ({ text }) => text),
    numberColumn('amount', ({ amount }) => amount),
    optionalTimeColumn('time', ({ time }) => time),
  ],
});

const texts = ['plain', '', 'NULL', '\\N', '\\', 'a\tb\\t', 'line\nline\r', '\\.', '"{,}"', 'é €'];

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('batch insert: rows are the same by COPY and by statement, whatever text they hold', async () => {
  const rows: Row[] = texts.map((text, index) => ({ text, amount: `${index}.5`, time: index }));
  rows.push({ text: null, amount: null, time: null });
  await test.database.projector.withClient(async (client) => {
    const queue = new StatementQueue(client);
    const columns = 'id serial, text text, amount numeric, time timestamptz';
    await client.query(`CREATE TABLE copied (${columns})`);
    await queue.copy(insert.copy(rows));
    await queue.run(insert.statement(rows));
    const read = `SELECT text, amount, (extract(epoch FROM time) * 1000)::int AS time
      FROM copied ORDER BY id`;
    const stored = (await client.query<Row>(read)).rows;
    expect(stored).toEqual([...rows, ...rows]);
  });
});
