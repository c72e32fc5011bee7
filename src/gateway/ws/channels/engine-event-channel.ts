import {
  type AppliedCommand,
  EngineRestartingError,
  type EngineView,
  type Exchange,
} from '../../../application/ports/exchange.ts';
import type { AccountId, Address } from '../../../domain/identifiers.ts';
import type { Connection } from '../connection.ts';
import { snapshotCharge } from '../snapshot-charge.ts';
import type { SpotFeed } from '../spot-feed.ts';
import type { StreamClock } from '../stream-clock.ts';
import {
  type AccountSnapshot,
  AccountStreams,
  type AccountStreamsParts,
} from './account-streams.ts';
import type { PrivateChannel, PrivateStream } from './channel.ts';

export interface EngineEventChannelParts extends Omit<AccountStreamsParts, 'channel'> {
  readonly exchange: Exchange;
  readonly feed: SpotFeed;
}

/** The effect of one command on each watched account. */
export type AccountChanges<Item> = ReadonlyMap<AccountId, readonly Item[]>;

/** Collects one list for each account. */
export class ListsByAccount<Item> {
  readonly #lists = new Map<AccountId, Item[]>();

  get lists(): AccountChanges<Item> {
    return this.#lists;
  }

  add(accountId: AccountId, item: Item): void {
    const known = this.#lists.get(accountId);
    if (known === undefined) this.#lists.set(accountId, [item]);
    else known.push(item);
  }
}

interface LiveState extends AccountSnapshot {
  readonly items: number;
}

/**
 * A private channel of the engine's events: first the live state, then the effect of each command.
 */
export abstract class EngineEventChannel<Item> implements PrivateChannel {
  readonly kind = 'private';
  readonly #exchange: Exchange;
  readonly #feed: SpotFeed;
  readonly #clock: StreamClock;
  readonly #streams: AccountStreams;
  /** What was read in this turn of the event loop, for all who subscribe in it. */
  readonly #read = new Map<Address, LiveState>();
  /** The watched accounts, in both directions. */
  readonly #addresses = new Map<AccountId, Address>();
  readonly #accountIds = new Map<Address, AccountId>();

  constructor(channel: string, parts: EngineEventChannelParts) {
    this.#exchange = parts.exchange;
    this.#feed = parts.feed;
    this.#clock = parts.clock;
    this.#streams = new AccountStreams({ ...parts, channel });
    this.#feed.addListener((applied) => this.#take(applied));
  }

  protected abstract readLive(view: EngineView, accountId: AccountId): readonly Item[];

  /** Accounts that are not watched can be left out. */
  protected abstract collect(
    applied: AppliedCommand,
    isWatched: (accountId: AccountId) => boolean,
  ): AccountChanges<Item>;

  open(connection: Connection, address: Address): PrivateStream {
    return this.#streams.open(connection, address, {
      loadSnapshot: () => this.#loadSnapshot(connection, address),
      // The snapshot is what begins to watch the account, at its sequence.
      subscribe: () => () => this.#forget(address),
    });
  }

  async #loadSnapshot(connection: Connection, address: Address): Promise<AccountSnapshot> {
    if (!this.#feed.isReady) throw new EngineRestartingError('the books are not read yet');
    return this.#exchange.read((view) => {
      const accountId = view.findAccount(address);
      // Watched from exactly this sequence on, so that no event is missed.
      if (accountId !== null && this.#streams.hasMembers(address)) {
        this.#watch(accountId, address);
      }
      const state = this.#readState(view, accountId, address);
      connection.charge(snapshotCharge(state.items));
      return state;
    });
  }

  /** The same for all who read it at the same sequence. */
  #readState(view: EngineView, accountId: AccountId | null, address: Address): LiveState {
    const { sequence } = view;
    const known = this.#read.get(address);
    if (known?.sequence === sequence) return known;
    const items = accountId === null ? [] : this.readLive(view, accountId);
    const state = { sequence, data: JSON.stringify(items), items: items.length };
    if (this.#read.size === 0) this.#clock.afterTurn(() => this.#read.clear());
    this.#read.set(address, state);
    return state;
  }

  #watch(accountId: AccountId, address: Address): void {
    this.#addresses.set(accountId, address);
    this.#accountIds.set(address, accountId);
  }

  #forget(address: Address): void {
    const accountId = this.#accountIds.get(address);
    if (accountId === undefined) return;
    this.#addresses.delete(accountId);
    this.#accountIds.delete(address);
  }

  #take(applied: AppliedCommand): void {
    if (this.#streams.isIdle) return;
    for (const event of applied.events) {
      if (event.type === 'accountOpened' && this.#streams.hasMembers(event.address)) {
        this.#watch(event.accountId, event.address);
      }
    }
    const changes = this.collect(applied, (accountId) => this.#addresses.has(accountId));
    const { sequence } = applied;
    for (const [accountId, items] of changes) {
      const address = this.#addresses.get(accountId);
      if (address === undefined) continue;
      this.#streams.publish({ address, sequence, data: JSON.stringify(items) });
    }
  }
}
