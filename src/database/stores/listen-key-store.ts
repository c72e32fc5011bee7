import { createHash, createHmac, randomBytes } from 'node:crypto';
import {
  type ListenKey,
  type ListenKeyStore,
  listenKeyLifetimeMs,
} from '../../application/futures/listen-keys.ts';
import { DatabaseError } from '../../application/ports/database.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';

// A listen key opens private streams, so the table does not contain it: it is derived from a random
// part, which is stored, and from a key that only the processes have.

export interface ListenKeyStoreOptions {
  readonly pool: DatabasePool;
  /** 32 bytes in hex. */
  readonly secretsKey: string;
  readonly now: () => Date;
  readonly log: DatabaseLog;
}

interface KnownKey {
  readonly address: Address;
  readonly expiresAt: number;
}

const seedBytes = 32;
const sweptAtOnceMax = 100;
const knownMax = 10_000;

export class DatabaseListenKeyStore implements ListenKeyStore {
  readonly #options: ListenKeyStoreOptions;
  readonly #secret: Buffer;
  /** Keys that this process found alive, for use while the database is unreachable. */
  readonly #known = new Map<string, KnownKey>();

  constructor(options: ListenKeyStoreOptions) {
    this.#options = options;
    this.#secret = createHmac('sha256', Buffer.from(options.secretsKey, 'hex'))
      .update('listen keys')
      .digest();
  }

  async issue(address: Address): Promise<ListenKey> {
    for (;;) {
      const renewed = await this.renew(address);
      if (renewed !== null) return renewed;
      const created = await this.#create(address);
      if (created !== null) return created;
      // Another request of the account was first, and its key counts.
    }
  }

  async renew(address: Address): Promise<ListenKey | null> {
    const { now, expiresAt } = this.#times();
    const rows = await this.#run<{ seed: Buffer }>(
      `UPDATE listen_keys SET expires_at = $2 WHERE address = $1 AND expires_at > $3
       RETURNING seed`,
      [address, expiresAt, now],
    );
    const [row] = rows;
    if (row === undefined) return null;
    return this.#shown(address, this.#keyOf(address, row.seed), expiresAt);
  }

  async revoke(address: Address): Promise<boolean> {
    const rows = await this.#run<{ expires_at: Date }>(
      'DELETE FROM listen_keys WHERE address = $1 RETURNING expires_at',
      [address],
    );
    for (const [listenKey, known] of this.#known) {
      if (known.address === address) this.#known.delete(listenKey);
    }
    return rows.some(({ expires_at: expiresAt }) => expiresAt > this.#options.now());
  }

  async find(listenKey: string): Promise<Address | null> {
    const { now, expiresAt } = this.#times();
    try {
      const [row] = await this.#run<{ address: Address }>(
        `UPDATE listen_keys SET expires_at = $2 WHERE key_hash = $1 AND expires_at > $3
         RETURNING address`,
        [hashOf(listenKey), expiresAt, now],
      );
      if (row === undefined) this.#known.delete(listenKey);
      else this.#shown(row.address, listenKey, expiresAt);
      return row?.address ?? null;
    } catch (error) {
      const known = this.#known.get(listenKey);
      if (!(error instanceof DatabaseError) || known === undefined) throw error;
      if (known.expiresAt <= now.getTime()) return null;
      this.#options.log.warn(
        { error: String(error) },
        'a listen key is used in its last known state',
      );
      this.#shown(known.address, listenKey, expiresAt);
      return known.address;
    }
  }

  // Null if the account already has a live key.
  async #create(address: Address): Promise<ListenKey | null> {
    const { now, expiresAt } = this.#times();
    const seed = randomBytes(seedBytes);
    const listenKey = this.#keyOf(address, seed);
    const rows = await this.#run(
      `INSERT INTO listen_keys (address, key_hash, seed, expires_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (address) DO UPDATE
       SET key_hash = excluded.key_hash, seed = excluded.seed, expires_at = excluded.expires_at
       WHERE listen_keys.expires_at <= $5
       RETURNING address`,
      [address, hashOf(listenKey), seed, expiresAt, now],
    );
    await this.#run(
      `DELETE FROM listen_keys WHERE address IN (
         SELECT address FROM listen_keys WHERE expires_at <= $1
         ORDER BY expires_at LIMIT ${sweptAtOnceMax} FOR UPDATE SKIP LOCKED)`,
      [now],
    );
    return rows.length === 0 ? null : this.#shown(address, listenKey, expiresAt);
  }

  #shown(address: Address, listenKey: string, expiresAt: Date): ListenKey {
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(listenKey, { address, expiresAt: expiresAt.getTime() });
    return { listenKey, expiresAt: expiresAt.getTime() };
  }

  #keyOf(address: Address, seed: Buffer): string {
    return createHmac('sha256', this.#secret).update(address).update(seed).digest('hex');
  }

  #times(): { readonly now: Date; readonly expiresAt: Date } {
    const now = this.#options.now();
    return { now, expiresAt: new Date(now.getTime() + listenKeyLifetimeMs) };
  }

  async #run<Row extends object>(text: string, values: unknown[]): Promise<readonly Row[]> {
    return this.#options.pool.withClient(async (client) => {
      const { rows } = await client.query<Row>(text, values);
      return rows;
    });
  }
}

function hashOf(listenKey: string): Buffer {
  return createHash('sha256').update(listenKey).digest();
}
