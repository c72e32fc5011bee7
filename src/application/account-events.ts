import type { Address } from '../domain/identifiers.ts';

export type AccountEventChannel = 'wallet' | 'referral';

/** An event of an account's money or referral. */
export interface AccountEvent {
  /** Unique; increases with the time of writing, which is not always the order of commits. */
  readonly id: number;
  readonly address: Address;
  readonly channel: AccountEventChannel;
  /** The published JSON object, which contains the event's name. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Events of accounts as they are written, driven by the database's notifications. */
export interface AccountEventFeed {
  /** Calls the listener with the events from now on; returns the unsubscribe function. */
  subscribe(
    address: Address,
    channel: AccountEventChannel,
    listener: (event: AccountEvent) => void,
  ): () => void;
  /** The newest events, oldest first. @throws DatabaseError */
  listNewest(
    address: Address,
    channel: AccountEventChannel,
    limit: number,
  ): Promise<readonly AccountEvent[]>;
}
