import type { Address } from '../domain/identifiers.ts';

export type AccountEventChannel = 'wallet' | 'referral';

/** Something that happened to an account's money or referral. */
export interface AccountEvent {
  /** Unique, and rising with the time of writing, if not always with that of the commit. */
  readonly id: number;
  readonly address: Address;
  readonly channel: AccountEventChannel;
  /** As it is told: a JSON object with the name of the event. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Events of accounts as they are written, driven by the database's notifications. */
export interface AccountEventFeed {
  /** Calls the listener with the events from now on; returns its end. */
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
