import { sql } from 'kysely';
import type { LoginNonce, LoginNonceStore } from '../../application/ports/accounts.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';

// Anyone can request a nonce for any address, so the oldest are removed when there are many; enough
// are kept that nobody can displace one that is about to be used.
const noncesPerAddressMax = 100;
const sweptAtOnceMax = 500;

export class DatabaseLoginNonceStore implements LoginNonceStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async issue({ nonce, address, expiresAt }: LoginNonce): Promise<void> {
    await this.#pool.query(async (db) => {
      await db
        .insertInto('login_nonces')
        .values({ nonce, address, expires_at: expiresAt })
        .execute();
      // Rows that another transaction is removing are skipped, so that two never wait for each
      // other.
      await sql`
        DELETE FROM login_nonces WHERE nonce IN (
          SELECT nonce FROM login_nonces WHERE expires_at < ${this.#now()}
          ORDER BY expires_at LIMIT ${sweptAtOnceMax} FOR UPDATE SKIP LOCKED)`.execute(db);
      await sql`
        DELETE FROM login_nonces WHERE nonce IN (
          SELECT nonce FROM login_nonces WHERE address = ${address}
          ORDER BY expires_at DESC OFFSET ${noncesPerAddressMax} FOR UPDATE SKIP LOCKED)`.execute(
        db,
      );
    });
  }

  async consume(nonce: string): Promise<LoginNonce | null> {
    const row = await this.#pool.query((db) =>
      db.deleteFrom('login_nonces').where('nonce', '=', nonce).returningAll().executeTakeFirst(),
    );
    if (row === undefined) return null;
    return { nonce: row.nonce, address: row.address as Address, expiresAt: row.expires_at };
  }
}
