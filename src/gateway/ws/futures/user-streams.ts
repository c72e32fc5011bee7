import type { AppliedCommand, Exchange } from '../../../application/ports.ts';
import type { Amount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { AccountId, Address } from '../../../domain/identifiers.ts';
import type { Connection } from '../connection.ts';
import { encodeTextFrame } from '../frame.ts';
import type { Outbox } from '../outbox.ts';
import type { StreamClock } from '../stream-clock.ts';
import { describeForAccounts, type MarketsByNumber, type UserEventName } from './account-events.ts';
import { namedEvent, wrapEvent } from './event-topic.ts';
import type { FuturesFeed } from './futures-feed.ts';

export interface UserStreamsParts {
  readonly exchange: Exchange;
  readonly feed: FuturesFeed;
  readonly outbox: Outbox;
  readonly clock: StreamClock;
}

/** One connection that listens to an account by a listen key. */
export interface UserStream {
  readonly connection: Connection;
  readonly address: Address;
  readonly listenKey: string;
  isCombined: boolean;
  /** Only these events; null: all of them. */
  readonly events: ReadonlySet<string> | null;
}

/** Binance's user data streams: every event of an account, from the subscription on. */
export class UserStreams {
  readonly #parts: UserStreamsParts;
  readonly #members = new Map<Address, Set<UserStream>>();
  /** The accounts that somebody listens to, by the engine's number. */
  readonly #addresses = new Map<AccountId, Address>();
  readonly #markPrices = new Map<FuturesMarketId, Amount>();
  readonly #markets: MarketsByNumber;

  constructor(parts: UserStreamsParts) {
    this.#parts = parts;
    this.#markets = {
      getMarket: (marketId) => parts.feed.getMarket(marketId).market,
      getOpenNotional: (accountId, marketId) =>
        parts.exchange.peek(({ futures }) => futures.getOpenNotional(accountId, marketId)),
      getMarkPrice: (marketId) => this.#markPrices.get(marketId) ?? null,
    };
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

  /** Sends one event to one listener. */
  send(stream: UserStream, payload: string): void {
    const { connection, isCombined, listenKey } = stream;
    const text = wrapEvent({ isCombined, streamName: listenKey }, payload);
    this.#parts.outbox.push(connection, encodeTextFrame(text));
  }

  #take(applied: AppliedCommand): void {
    for (const event of applied.events) {
      if (event.type === 'markPriceChanged') {
        this.#markPrices.set(event.marketId, event.markPrice);
      } else if (event.type === 'accountOpened' && this.#members.has(event.address)) {
        this.#addresses.set(event.accountId, event.address);
      }
    }
    if (this.#addresses.size === 0) return;
    const isWatched = (accountId: AccountId): boolean => this.#addresses.has(accountId);
    for (const [accountId, events] of describeForAccounts(applied, this.#markets, isWatched)) {
      const address = this.#addresses.get(accountId);
      const members = address === undefined ? undefined : this.#members.get(address);
      for (const { event, fields } of events) {
        const listeners = [...(members ?? [])].filter((stream) => hears(stream, event));
        if (listeners.length === 0) continue;
        const payload = namedEvent(event, this.#parts.clock.now(), fields);
        for (const stream of listeners) this.send(stream, payload);
      }
    }
  }
}

// A fill in short says nothing that ORDER_TRADE_UPDATE does not, and older clients take it for
// something else: it goes to those who name it.
function hears({ events }: UserStream, event: UserEventName): boolean {
  return events === null ? event !== 'TRADE_LITE' : events.has(event);
}
