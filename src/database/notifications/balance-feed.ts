import { setTimeout as delay } from 'node:timers/promises';
import type { BalanceChange, BalanceFeed } from '../../application/ports/balance-feed.ts';
import type { Address, Sequence } from '../../domain/identifiers.ts';
import { integerArray, plainArray } from '../array-parameters.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';
import { projectedChannel } from '../projector/write-batch.ts';
import type { NotificationHandler } from './notification-listener.ts';

// Perpetuals are only settled in this token.
const perpToken = 'USDT';

type Listener = (changes: readonly BalanceChange[]) => void;

interface Watch {
  readonly listeners: Set<Listener>;
  /** Everything up to this sequence was sent. */
  seen: number;
}

interface BalanceRow {
  readonly market: 'spot' | 'futures';
  readonly user_address: string;
  readonly token: string;
  readonly available: string;
  readonly locked: string;
  readonly updated_sequence: string;
}

// The rows of watched addresses, by the existing keys of the tables: no index on the sequence is
// needed, which every change of a balance would have to maintain.
const selectChanges = `
  WITH watch AS (SELECT * FROM unnest($1::text[], $2::bigint[]) AS watch (address, seen))
  SELECT 'spot' AS market, balance.user_address, balance.token, balance.available,
    balance.locked, balance.updated_sequence
  FROM watch JOIN spot_balances AS balance ON balance.user_address = watch.address
  WHERE balance.updated_sequence > watch.seen
  UNION ALL
  SELECT 'futures', perp.user_address, '${perpToken}',
    perp.wallet_balance, perp.reserved, perp.updated_sequence
  FROM watch JOIN perp_balances AS perp ON perp.user_address = watch.address
  WHERE perp.updated_sequence > watch.seen
  ORDER BY updated_sequence, market, token`;

const retryMs = 200;
// Under load batches follow each other within milliseconds; their notifications share one read.
const pauseMs = 10;

/**
 * Reads the watched balances on each notification; notifications that arrive during a read share
 * the next one.
 */
export class DatabaseBalanceFeed implements BalanceFeed, NotificationHandler {
  readonly channel = projectedChannel;
  readonly #pool: DatabasePool;
  readonly #log: DatabaseLog;
  readonly #watches = new Map<Address, Watch>();
  /** What the database is known to hold; a new subscription need not receive it. */
  #position = 0;
  #isDirty = false;
  #reading: Promise<void> | null = null;
  readonly #stop = new AbortController();

  constructor(pool: DatabasePool, log: DatabaseLog) {
    this.#pool = pool;
    this.#log = log;
  }

  subscribe(address: Address, listener: Listener): () => void {
    const watch = this.#watches.get(address) ?? { listeners: new Set(), seen: this.#position };
    this.#watches.set(address, watch);
    // Two subscriptions of the same function are separate.
    const own: Listener = (changes) => listener(changes);
    watch.listeners.add(own);
    return () => {
      watch.listeners.delete(own);
      if (watch.listeners.size === 0 && this.#watches.get(address) === watch) {
        this.#watches.delete(address);
      }
    };
  }

  onNotification(payload: string): void {
    this.#position = Math.max(this.#position, Number(payload));
    this.#read();
  }

  onConnected(): void {
    this.#read();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#reading;
  }

  #read(): void {
    this.#isDirty = true;
    this.#reading ??= this.#readWhileDirty().finally(() => {
      this.#reading = null;
    });
  }

  async #readWhileDirty(): Promise<void> {
    const { signal } = this.#stop;
    while (this.#isDirty && !signal.aborted) {
      this.#isDirty = false;
      if (this.#watches.size === 0) continue;
      try {
        this.#notify(await this.#selectChanges());
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      } catch (error) {
        this.#isDirty = true;
        this.#log.warn({ error: String(error) }, 'changed balances could not be read');
        await delay(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #selectChanges(): Promise<readonly BalanceRow[]> {
    const addresses = [...this.#watches.keys()];
    const seen = [...this.#watches.values()].map((watch) => watch.seen);
    const result = await this.#pool.withClient((client) =>
      client.query<BalanceRow>({
        name: 'select-balance-changes',
        text: selectChanges,
        values: [plainArray(addresses), integerArray(seen)],
      }),
    );
    return result.rows;
  }

  #notify(rows: readonly BalanceRow[]): void {
    const byAddress = new Map<Address, BalanceChange[]>();
    for (const change of rows.map(changeFromRow)) {
      const watch = this.#watches.get(change.address);
      if (watch === undefined || change.sequence <= watch.seen) continue;
      const changes = byAddress.get(change.address);
      if (changes === undefined) byAddress.set(change.address, [change]);
      else changes.push(change);
    }
    for (const [address, changes] of byAddress) {
      const watch = this.#watches.get(address);
      const last = changes.at(-1);
      if (watch === undefined || last === undefined) continue;
      watch.seen = last.sequence;
      for (const listener of [...watch.listeners]) listener(changes);
    }
  }
}

function changeFromRow(row: BalanceRow): BalanceChange {
  return {
    market: row.market,
    address: row.user_address as Address,
    token: row.token,
    available: row.available,
    locked: row.locked,
    sequence: Number(row.updated_sequence) as Sequence,
  };
}
