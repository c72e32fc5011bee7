import { type Selectable, sql, type Transaction } from 'kysely';
import { apiKeysMax } from '../../application/account/create-api-key.ts';
import type {
  ApiKey,
  ApiKeyChange,
  ApiKeyCredential,
  ApiKeyPermission,
  ApiKeyStore,
  ListedApiKey,
} from '../../application/ports/accounts.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { NotificationHandler } from '../notifications/notification-listener.ts';
import type { ApiKeysTable, Tables } from '../tables.ts';
import { KeyUses } from './key-uses.ts';
import type { SecretBox } from './secret-box.ts';

type Row = Selectable<ApiKeysTable>;

interface KnownKey {
  readonly row: Row;
  /** Decrypted when the key is first used. */
  credential: ApiKeyCredential | null;
}

/** Waits until the other processes have read a changed key again. */
export interface KeyChanges {
  use(apply: (apiKey: string) => Promise<void>): void;
  confirm(apiKey: string): Promise<void>;
}

const changedChannel = 'openbourse_api_keys';

/**
 * API keys, all of them also in memory: signed trading continues while the database is unreachable.
 * Changes by other processes arrive as notifications; while those are interrupted, a key that is
 * unknown here is queried from the database, and a cached one is used unchanged.
 */
export class DatabaseApiKeyStore implements ApiKeyStore, NotificationHandler {
  readonly channel = changedChannel;
  readonly #pool: DatabasePool;
  readonly #box: SecretBox;
  readonly #log: DatabaseLog;
  readonly #changes: KeyChanges | null;
  readonly #uses: KeyUses;
  #known = new Map<string, KnownKey>();
  #isComplete = false;
  #connection = 0;
  /** The newest read of each key that is in progress; older ones no longer count. */
  readonly #reading = new Map<string, Promise<void>>();
  /** Read individually since the list of all keys was requested; null: none is being read. */
  #readSince: Set<string> | null = null;

  constructor(
    pool: DatabasePool,
    box: SecretBox,
    log: DatabaseLog,
    changes: KeyChanges | null = null,
  ) {
    this.#pool = pool;
    this.#box = box;
    this.#log = log;
    this.#changes = changes;
    this.#uses = new KeyUses(pool, log);
    // A process that cannot read the key forgets it, so it is applied in either case.
    changes?.use((apiKey) => this.#readAgain(apiKey));
  }

  async create(credential: ApiKeyCredential): Promise<boolean> {
    const { apiSecret, ...key } = credential;
    const sealed = this.#box.seal(apiSecret, key);
    const row: Row = {
      api_key: key.apiKey,
      address: key.address,
      label: key.label,
      ip_whitelist: [...key.ipWhitelist],
      permissions: [...key.permissions],
      is_enabled: key.isEnabled,
      secret_version: sealed.version,
      secret_iv: sealed.iv,
      secret_ciphertext: sealed.ciphertext,
      secret_tag: sealed.tag,
      created_at: key.createdAt,
      last_used_at: null,
    };
    const isCreated = await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        if ((await countKeys(transaction, key.address)) >= apiKeysMax) return false;
        await transaction.insertInto('api_keys').values(row).execute();
        await sql`SELECT pg_notify(${changedChannel}, ${key.apiKey})`.execute(transaction);
        return true;
      }),
    );
    if (isCreated) await this.#readAgain(key.apiKey);
    return isCreated;
  }

  async list(address: Address): Promise<readonly ListedApiKey[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('address', '=', address)
        .orderBy('created_at', 'desc')
        .orderBy('api_key')
        .execute(),
    );
    return rows.map(listedKeyFromRow);
  }

  async change(
    address: Address,
    apiKey: string,
    change: ApiKeyChange,
  ): Promise<ListedApiKey | null> {
    const values = {
      ...(change.label === undefined ? {} : { label: change.label }),
      ...(change.isEnabled === undefined ? {} : { is_enabled: change.isEnabled }),
      ...(change.ipWhitelist === undefined ? {} : { ip_whitelist: [...change.ipWhitelist] }),
    };
    const row = await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable('api_keys')
          // An empty change still returns the key.
          .set({ api_key: apiKey, ...values })
          .where('api_key', '=', apiKey)
          .where('address', '=', address)
          .returningAll()
          .executeTakeFirst();
        if (changed === undefined) return undefined;
        const isLess = change.isEnabled === false || change.ipWhitelist !== undefined;
        if (isLess) await endListenKey(transaction, address);
        await sql`SELECT pg_notify(${changedChannel}, ${apiKey})`.execute(transaction);
        return changed;
      }),
    );
    // Nothing changed, and names that are made up must not occupy all processes.
    if (row === undefined) return null;
    await this.#readAgain(apiKey);
    await this.#changes?.confirm(apiKey);
    return listedKeyFromRow(row);
  }

  async remove(address: Address, apiKey: string): Promise<boolean> {
    const removed = await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const result = await transaction
          .deleteFrom('api_keys')
          .where('api_key', '=', apiKey)
          .where('address', '=', address)
          .executeTakeFirst();
        if (result.numDeletedRows === 0n) return false;
        await endListenKey(transaction, address);
        await sql`SELECT pg_notify(${changedChannel}, ${apiKey})`.execute(transaction);
        return true;
      }),
    );
    if (!removed) return false;
    await this.#readAgain(apiKey);
    await this.#changes?.confirm(apiKey);
    this.#uses.forget(apiKey);
    return true;
  }

  async findCredential(apiKey: string): Promise<ApiKeyCredential | null> {
    if (!this.#known.has(apiKey) && !this.#isComplete) await this.#read(apiKey);
    // If a newer read has started meanwhile, only that one counts.
    for (;;) {
      const newer = this.#reading.get(apiKey);
      if (newer === undefined) return this.#take(apiKey);
      await newer.catch((error: unknown) => {
        if (!this.#known.has(apiKey)) throw error;
      });
    }
  }

  recallCredential(apiKey: string): ApiKeyCredential | null {
    return this.#reading.has(apiKey) ? null : this.#take(apiKey);
  }

  noteUse(apiKey: string, at: number): void {
    this.#uses.note(apiKey, at);
  }

  #take(apiKey: string): ApiKeyCredential | null {
    const known = this.#known.get(apiKey);
    if (known === undefined) return null;
    known.credential ??= this.#open(known.row);
    return known.credential;
  }

  onNotification(apiKey: string): void {
    void this.#readAgain(apiKey);
  }

  onConnected(): void {
    this.#connection += 1;
    void this.#readAll(this.#connection).catch((error: unknown) =>
      this.#log.warn({ error: String(error) }, 'API keys could not be read'),
    );
  }

  onDisconnected(): void {
    this.#connection += 1;
    this.#isComplete = false;
  }

  async #readAll(connection: number): Promise<void> {
    const readSince = new Set<string>();
    this.#readSince = readSince;
    try {
      const rows = await this.#pool.query((db) => db.selectFrom('api_keys').selectAll().execute());
      if (connection === this.#connection) this.#replaceAll(rows, readSince);
    } finally {
      if (this.#readSince === readSince) this.#readSince = null;
    }
  }

  #replaceAll(rows: readonly Row[], readSince: ReadonlySet<string>): void {
    const known = new Map<string, KnownKey>();
    for (const row of rows) known.set(row.api_key, { row, credential: null });
    for (const apiKey of readSince) {
      const newer = this.#known.get(apiKey);
      if (newer === undefined) known.delete(apiKey);
      else known.set(apiKey, newer);
    }
    this.#known = known;
    this.#isComplete = true;
  }

  /** After a change: if it cannot be read, the database is queried on the key's next use. */
  async #readAgain(apiKey: string): Promise<void> {
    await this.#read(apiKey).catch((error: unknown) => {
      this.#log.warn({ error: String(error) }, 'a changed API key could not be read');
      this.#known.delete(apiKey);
      this.#isComplete = false;
    });
  }

  async #read(apiKey: string): Promise<void> {
    const reading = this.#pool
      .query((db) =>
        db.selectFrom('api_keys').selectAll().where('api_key', '=', apiKey).executeTakeFirst(),
      )
      .then((row) => {
        if (this.#reading.get(apiKey) !== reading) return;
        this.#readSince?.add(apiKey);
        if (row === undefined) this.#known.delete(apiKey);
        else this.#known.set(apiKey, { row, credential: null });
      })
      .finally(() => {
        if (this.#reading.get(apiKey) === reading) this.#reading.delete(apiKey);
      });
    this.#reading.set(apiKey, reading);
    await reading;
  }

  #open(row: Row): ApiKeyCredential {
    const key = apiKeyFromRow(row);
    const sealed = {
      version: row.secret_version,
      iv: row.secret_iv,
      ciphertext: row.secret_ciphertext,
      tag: row.secret_tag,
    };
    return { ...key, apiSecret: this.#box.open(sealed, key) };
  }
}

function apiKeyFromRow(row: Row): ApiKey {
  return {
    apiKey: row.api_key,
    address: row.address as Address,
    label: row.label,
    ipWhitelist: row.ip_whitelist,
    permissions: row.permissions as ApiKeyPermission[],
    isEnabled: row.is_enabled,
    createdAt: row.created_at,
  };
}

function listedKeyFromRow(row: Row): ListedApiKey {
  return { ...apiKeyFromRow(row), lastUsedAt: row.last_used_at };
}

/** Under a lock that ends with the transaction, so that concurrent requests count each other. */
async function countKeys(transaction: Transaction<Tables>, address: Address): Promise<number> {
  const name = `api keys ${address}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
  const { count } = await transaction
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('address', '=', address)
    .executeTakeFirstOrThrow();
  return Number(count);
}

// Each key of the account can request its listen key, so none of them may leave one behind.
async function endListenKey(transaction: Transaction<Tables>, address: Address): Promise<void> {
  await sql`DELETE FROM listen_keys WHERE address = ${address}`.execute(transaction);
}
