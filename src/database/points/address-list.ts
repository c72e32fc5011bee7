import type pg from 'pg';
import { assert } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Rest } from './ranking.ts';

const addressBytes = 20;
// This many rows occupy the thread that serves requests for a few milliseconds.
const chunkRows = 2_000;
const growth = 1.5;

/** The addresses of all accounts by number, which never change; 20 bytes each. */
export class AddressList {
  #bytes = Buffer.alloc(0);
  /** The highest account number in the list. */
  last = 0;

  /** Adds the accounts opened since the last call. */
  async catchUp(client: pg.ClientBase, rest: Rest): Promise<void> {
    for (;;) {
      const { rows } = await client.query<{ account_id: string; address: string }>(
        `SELECT account_id, address FROM accounts WHERE account_id > $1
         ORDER BY account_id LIMIT ${chunkRows}`,
        [this.last],
      );
      for (const row of rows) this.#add(Number(row.account_id), row.address);
      if (rows.length < chunkRows) return;
      await rest();
    }
  }

  /** Adds those of the accounts that are not in the list, whatever their numbers. */
  async complete(client: pg.ClientBase, accountIds: Int32Array): Promise<void> {
    const missing = accountIds.filter((accountId) => !this.#has(accountId));
    if (missing.length === 0) return;
    const { rows } = await client.query<{ account_id: string; address: string }>(
      'SELECT account_id, address FROM accounts WHERE account_id = ANY ($1::bigint[])',
      [[...missing]],
    );
    for (const row of rows) this.#add(Number(row.account_id), row.address);
  }

  get(accountId: number): Address {
    assert(this.#has(accountId), 'a ranked address has an account');
    const start = accountId * addressBytes;
    return `0x${this.#bytes.toString('hex', start, start + addressBytes)}` as Address;
  }

  // Nobody has the key of the zero address.
  #has(accountId: number): boolean {
    const start = accountId * addressBytes;
    for (let at = start; at < start + addressBytes; at += 1) {
      if ((this.#bytes[at] ?? 0) !== 0) return true;
    }
    return false;
  }

  #add(accountId: number, address: string): void {
    const end = (accountId + 1) * addressBytes;
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.ceil(end * growth));
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    const written = this.#bytes.write(address.slice(2), accountId * addressBytes, 'hex');
    assert(written === addressBytes, 'an address is 20 bytes in hex');
    this.last = Math.max(this.last, accountId);
  }
}
