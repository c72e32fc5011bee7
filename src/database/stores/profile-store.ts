import pg from 'pg';
import type { Profile, ProfileStore } from '../../application/ports/accounts.ts';
import { DatabaseError } from '../../application/ports/database.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';

const uniqueViolation = '23505';

export class DatabaseProfileStore implements ProfileStore {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async find(address: Address): Promise<Profile | null> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('accounts')
        .select(['username', 'created_at'])
        .where('address', '=', address)
        .executeTakeFirst(),
    );
    return row === undefined
      ? null
      : { address, username: row.username, createdAt: row.created_at };
  }

  async setUsername(address: Address, username: string): Promise<'changed' | 'taken'> {
    const result = await this.#pool.query((db) =>
      db
        .updateTable('accounts')
        .set({ username })
        .where('address', '=', address)
        .executeTakeFirst()
        .catch((error: unknown) => {
          if (error instanceof pg.DatabaseError && error.code === uniqueViolation) return 'taken';
          throw error;
        }),
    );
    if (result === 'taken') return 'taken';
    if (typeof result === 'string' || result.numUpdatedRows === 0n) {
      throw new DatabaseError('the account is not in the database yet');
    }
    return 'changed';
  }
}
