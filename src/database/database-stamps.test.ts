import { afterEach, describe, expect, it } from 'vitest';
import {
  openEmptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../test/support/database.ts';
import { databaseStamps } from './database-stamps.ts';

let test: TestDatabase;
afterEach(() => test.close());

describe('databaseStamps', () => {
  it('only a process that knows the stamp can replace it, and each member has its own', async () => {
    test = await openTestDatabase();
    const stamps = databaseStamps(async () => test.database);
    const first = { count: 1, token: 'a' };
    expect(await stamps.load('m')).toBeNull();
    await stamps.replace('m', null, first);
    await stamps.replace('m', null, { count: 1, token: 'b' });
    expect(await stamps.load('m')).toEqual(first);
    await stamps.replace('m', { count: 1, token: 'b' }, { count: 2, token: 'b' });
    await stamps.replace('m', { count: 2, token: 'a' }, { count: 3, token: 'b' });
    await stamps.replace('n', first, { count: 2, token: 'b' });
    expect([await stamps.load('m'), await stamps.load('n')]).toEqual([first, null]);
    const second = { count: 2, token: 'c' };
    await stamps.replace('m', first, second);
    expect(await stamps.load('m')).toEqual(second);
  });

  it('a database without the table is distinguished from one that does not answer', async () => {
    test = await openEmptyTestDatabase();
    const stamps = databaseStamps(async () => test.database);
    expect(await stamps.load('m')).toBe('unavailable');
    await test.database.stop();
    await expect(stamps.load('m')).rejects.toThrow('the database did not respond');
  });
});
