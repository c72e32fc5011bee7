import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import type { ChainBooks } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import { closeBooks } from './close-books.ts';

const token = `0x${'a3'.repeat(20)}` as Address;
const block = { number: 7, hash: `0x${'ab'.repeat(32)}` } as const;
const held = 100n;

/**
 * Books that report one amount of the token at first, and another once all rows are summed again.
 */
async function close(kept: bigint, whole: bigint): Promise<readonly string[]> {
  const connection = {
    node: { call: () => Promise.resolve(numberToHex(held, { size: 32 })) },
    contracts: { spotVault: token },
    tokens: [{ address: token }],
    version: 1,
  };
  const books = {
    router: { load: () => Promise.resolve(null) },
    load: (_block: unknown, _accounts: unknown, mustRecount = false) =>
      Promise.resolve({
        tokens: [{ token, rawAmount: mustRecount ? whole : kept }],
        accounts: [],
        needOpening: false,
      }),
  };
  const differences = await closeBooks(
    connection as unknown as Parameters<typeof closeBooks>[0],
    books as unknown as ChainBooks,
    { block, accounts: [] },
  );
  return differences.map(({ text }) => text);
}

test('books: a difference from the running sums counts only if summing all rows confirms it', async () => {
  expect(await close(100n, 100n)).toEqual([]);
  expect(await close(101n, 100n)).toEqual([]);
  expect(await close(101n, 101n)).toEqual([`the vault holds 100 of ${token}, counted are 101`]);
});
