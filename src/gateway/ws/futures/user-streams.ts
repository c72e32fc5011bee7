import type { AppliedCommand, Exchange } from '../../../application/ports/exchange.ts';
import type { AccountId, Address } from '../../../domain/identifiers.ts';
import type { Connection } from '../connection.ts';
import { encodeTextFrame } from '../frame.ts';
import type { Outbox } from '../outbox.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type EventFields, namedEvent } from './event-topic.ts';

/** The effect of one command on an account; events are in the order in which they happened. */
export interface AccountEvent {
  readonly event: string;
  readonly fields: EventFields;
}

/** The events of the accounts that `isWatched` names, by account. */
export type DescribeForAccounts = (
  applied: AppliedCommand,
  isWatched: (accountId: AccountId) => boolean,
) => ReadonlyMap<AccountId, readonly AccountEvent[]>;

export interface UserStreamsParts {
  readonly exchange: Exchange;
  readonly feed: { addListener(listener: (applied: AppliedCommand) => void): void };
  readonly outbox: Outbox;
  readonly clock: StreamClock;
  readonly describe: DescribeForAccounts;
}

/** One connection that is subscribed to an account. */
export interface UserStream {
  readonly connection: Connection;
  readonly address: Address;
  /** Only these events; null: all except those that clients must name explicitly. */
  readonly events: ReadonlySet<string> | null;
  /** The event, JSON text, in the form that the connection receives. */
  wrap(this: void, payload: string): string;
}

/** Binance's user data streams: every event of an account, from the subscription on. */
export class UserStreams {
  readonly #parts: UserStreamsParts;
  readonly #members = new Map<Address, Set<UserStream>>();
  /** The accounts with subscribers, by the engine's number. */
  readonly #addresses = new Map<AccountId, Address>();

  constructor(parts: UserStreamsParts) {
    this.#parts = parts;
    parts.feed.addListener((applied) => this.#take(applied));
  }

  open(stream: UserStream): void {
    const { address } = stream;
    const members = this.#members.get(address) ?? new Set();
    this.#members.set(address, members.add(stream));
    const accountId = this.#parts.exchange.peek((view) => view.findAccount(address));
    if (accountId !== null) this.#addresses.set(accountId, address);
  }

  end(stream: UserStream): void {
    const members = this.#members.get(stream.address);
    members?.delete(stream);
    if (members?.size !== 0) return;
    this.#members.delete(stream.address);
    for (const [accountId, address] of this.#addresses) {
      if (address === stream.address) this.#addresses.delete(accountId);
    }
  }

  /** Sends one event to one subscriber. */
  send({ connection, wrap }: UserStream, payload: string): void {
    this.#parts.outbox.push(connection, encodeTextFrame(wrap(payload)));
  }

  #take(applied: AppliedCommand): void {
    for (const event of applied.events) {
      if (event.type === 'accountOpened' && this.#members.has(event.address)) {
        this.#addresses.set(event.accountId, event.address);
      }
    }
    if (this.#addresses.size === 0) return;
    const isWatched = (accountId: AccountId): boolean => this.#addresses.has(accountId);
    for (const [accountId, events] of this.#parts.describe(applied, isWatched)) {
      const address = this.#addresses.get(accountId);
      const members = address === undefined ? undefined : this.#members.get(address);
      for (const { event, fields } of events) {
        const listeners = [...(members ?? [])].filter((stream) => wants(stream, event));
        if (listeners.length === 0) continue;
        const payload = namedEvent(event, this.#parts.clock.now(), fields);
        for (const stream of listeners) this.send(stream, payload);
      }
    }
  }
}

// TRADE_LITE adds nothing to ORDER_TRADE_UPDATE, and older clients mistake it for something else,
// so only connections that name it receive it.
function wants({ events }: UserStream, event: string): boolean {
  return events === null ? event !== 'TRADE_LITE' : events.has(event);
}
