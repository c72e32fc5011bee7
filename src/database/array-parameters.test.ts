import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmptyTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { integerArray, plainArray, quotedArray } from './array-parameters.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openEmptyTestDatabase();
});
afterAll(async () => {
  await test.close();
});

async function unnest(type: string, parameter: string | Buffer): Promise<unknown[]> {
  return test.database.reads.withClient(async (client) => {
    const { rows } = await client.query<{ value: unknown }>(
      `SELECT value FROM unnest($1::${type}[]) AS value`,
      [parameter],
    );
    return rows.map((row) => row.value);
  });
}

describe('array parameters', () => {
  it('integerArray: the server reads exactly these numbers, up to 2^53', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.maxSafeNat()), async (values) => {
        expect(await unnest('bigint', integerArray(values))).toEqual(values.map(String));
      }),
      { numRuns: 50 },
    );
    const edges = [0, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER];
    expect(await unnest('bigint', integerArray(edges))).toEqual(edges.map(String));
  });

  it('quotedArray: the server reads exactly these texts, whatever they contain', async () => {
    const texts = fc.array(
      fc.option(fc.string({ unit: 'binary' }).filter((text) => !/[\0\ud800-\udfff]/.test(text))),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (values) => {
        expect(await unnest('text', quotedArray(values))).toEqual(values);
      }),
      { numRuns: 100 },
    );
    const awkward = ['NULL', 'null', '', ' ', '{', '}', ',', '"', '\\', 'a"b\\c', "'; --", null];
    expect(await unnest('text', quotedArray(awkward))).toEqual(awkward);
  });

  it('plainArray: decimals and nulls arrive as they are', async () => {
    const decimals = ['0', '0.00000001', '92233720368.54775807', null];
    expect(await unnest('numeric', plainArray(decimals))).toEqual(decimals);
    expect(await unnest('numeric', plainArray([]))).toEqual([]);
  });
});
