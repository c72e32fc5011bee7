import type { PreparedKey } from '../../auth/prepared-key.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import { socketErrors } from '../../errors/socket-errors.ts';
import type { Connection } from '../connection.ts';
import { namedEvent } from '../futures/event-topic.ts';
import type { UserStream, UserStreams } from '../futures/user-streams.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { SignedParams } from './request-signature.ts';

/** Methods about the user events of a connection to the WebSocket API. */
export const subscriptionMethods = [
  'userDataStream.subscribe',
  'userDataStream.subscribe.signature',
  'userDataStream.unsubscribe',
  'session.subscriptions',
] as const;

export type SubscriptionMethod = (typeof subscriptionMethods)[number];

export function isSubscriptionMethod(method: string): method is SubscriptionMethod {
  return subscriptionMethods.some((each) => each === method);
}

const subscriptionsMax = 10;

interface Subscription {
  readonly stream: UserStream;
  readonly apiKey: string;
}

/** The accounts whose events a connection gets, each opened by an API key and ending with it. */
export class AccountSubscriptions {
  readonly #connection: Connection;
  readonly #userStreams: UserStreams;
  readonly #clock: StreamClock;
  readonly #open = new Map<number, Subscription>();
  #nextId = 0;

  constructor(connection: Connection, userStreams: UserStreams, clock: StreamClock) {
    this.#connection = connection;
    this.#userStreams = userStreams;
    this.#clock = clock;
  }

  get apiKeys(): ReadonlySet<string> {
    return new Set([...this.#open.values()].map(({ apiKey }) => apiKey));
  }

  subscribe({ caller, credential }: PreparedKey): object | ErrorRow {
    if (this.#open.size >= subscriptionsMax) return socketErrors.tooManySubscriptions;
    const subscriptionId = this.#nextId;
    this.#nextId += 1;
    const stream: UserStream = {
      connection: this.#connection,
      address: caller.address,
      events: null,
      wrap: (payload) => `{"subscriptionId":${subscriptionId},"event":${payload}}`,
    };
    this.#open.set(subscriptionId, { stream, apiKey: credential.apiKey });
    this.#userStreams.open(stream);
    return { subscriptionId };
  }

  /** Ends the subscription that `subscriptionId` names; without an id, all of them. */
  unsubscribe({ subscriptionId }: SignedParams): object | ErrorRow {
    if (subscriptionId === undefined) this.end();
    else if (typeof subscriptionId !== 'number' || !this.#close(subscriptionId)) {
      return socketErrors.unknownSubscription;
    }
    return {};
  }

  list(): readonly object[] {
    return [...this.#open.keys()].map((subscriptionId) => ({ subscriptionId }));
  }

  /** Ends the subscriptions of a key that no longer grants access, and notifies the client. */
  terminate(apiKey: string): void {
    for (const [id, subscription] of [...this.#open]) {
      if (subscription.apiKey !== apiKey) continue;
      this.#close(id);
      const payload = namedEvent('eventStreamTerminated', this.#clock.now(), {});
      this.#userStreams.send(subscription.stream, payload);
    }
  }

  end(): void {
    for (const id of [...this.#open.keys()]) this.#close(id);
  }

  #close(id: number): boolean {
    const subscription = this.#open.get(id);
    if (subscription === undefined) return false;
    this.#open.delete(id);
    this.#userStreams.end(subscription.stream);
    return true;
  }
}
