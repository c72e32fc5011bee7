import { sql } from 'kysely';
import type { VipFeed, VipTierChange } from '../../application/vip/vip-ports.ts';
import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import type { VipChangeKind } from '../../programs/vip/judge-vip.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { NotificationHandler } from '../notifications/notification-listener.ts';
import { vipChannel } from './vip-store.ts';

type Listener = (changes: readonly VipTierChange[]) => void;

interface ChangeRow {
  readonly id: string;
  readonly address: string;
  readonly kind: string;
  readonly from_tier: number;
  readonly to_tier: number;
  readonly volume: string;
  readonly effective_at: Date;
}

/** Reads each change that is notified; after a lost connection those that came meanwhile. */
export class DatabaseVipFeed implements VipFeed, NotificationHandler {
  readonly channel = vipChannel;
  readonly #pool: DatabasePool;
  readonly #log: DatabaseLog;
  readonly #listeners = new Map<Address, Set<Listener>>();
  /** The highest id that was read; null until the feed first connected. */
  #seen: number | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(pool: DatabasePool, log: DatabaseLog) {
    this.#pool = pool;
    this.#log = log;
  }

  subscribe(address: Address, listener: Listener): () => void {
    const listeners = this.#listeners.get(address) ?? new Set();
    this.#listeners.set(address, listeners);
    // Two subscriptions of one function are two.
    const own: Listener = (changes) => listener(changes);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0) this.#listeners.delete(address);
    };
  }

  onNotification(payload: string): void {
    this.#inTurn(async () => this.#tell(await this.#select(sql`id = ${payload}`)));
  }

  onConnected(): void {
    this.#inTurn(async () => {
      if (this.#seen === null) this.#seen = await this.#selectLast();
      else this.#tell(await this.#select(sql`id > ${this.#seen}`));
    });
  }

  async stop(): Promise<void> {
    await this.#reading;
  }

  #inTurn(work: () => Promise<void>): void {
    this.#reading = this.#reading.then(work).catch((error: unknown) => {
      this.#log.warn({ error: String(error) }, 'changed VIP tiers could not be read');
    });
  }

  async #selectLast(): Promise<number> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('vip_changes')
        .select(sql<string>`coalesce(max(id), 0)`.as('last'))
        .executeTakeFirstOrThrow(),
    );
    return Number(row.last);
  }

  async #select(condition: ReturnType<typeof sql>): Promise<readonly VipTierChange[]> {
    const query = sql<ChangeRow>`
      SELECT id, address, kind, from_tier, to_tier, trim_scale(volume) AS volume, effective_at
      FROM vip_changes AS change JOIN accounts USING (account_id)
      WHERE ${condition} ORDER BY id`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    return rows.map(changeFromRow);
  }

  #tell(changes: readonly VipTierChange[]): void {
    for (const change of changes) {
      this.#seen = Math.max(this.#seen ?? 0, change.id);
      for (const listener of [...(this.#listeners.get(change.address) ?? [])]) listener([change]);
    }
  }
}

function changeFromRow(row: ChangeRow): VipTierChange {
  return {
    id: Number(row.id),
    address: row.address as Address,
    kind: row.kind as VipChangeKind,
    fromTier: row.from_tier,
    toTier: row.to_tier,
    volume: row.volume,
    effectiveAt: row.effective_at.getTime() as TimestampMs,
  };
}
