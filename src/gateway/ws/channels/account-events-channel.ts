import type {
  AccountEvent,
  AccountEventChannel,
  AccountEventFeed,
} from '../../../application/account-events.ts';
import type { Address } from '../../../domain/identifiers.ts';
import type { Connection } from '../connection.ts';
import {
  type AccountSnapshot,
  AccountStreams,
  type AccountStreamsParts,
} from './account-streams.ts';
import type { PrivateChannel, PrivateStream } from './channel.ts';

// Events of the account's money or its referral: first the newest ones, then each as it is written.
// Events of one account can be committed in another order than they were numbered. To miss none,
// one that is in the snapshot can be sent again; clients recognize it by its id.

const snapshotEvents = 20;

export interface AccountEventsChannelParts extends Omit<AccountStreamsParts, 'channel'> {
  readonly events: AccountEventFeed;
}

export class AccountEventsChannel implements PrivateChannel {
  readonly kind = 'private';
  readonly #channel: AccountEventChannel;
  readonly #events: AccountEventFeed;
  readonly #streams: AccountStreams;

  constructor(channel: AccountEventChannel, parts: AccountEventsChannelParts) {
    this.#channel = channel;
    this.#events = parts.events;
    this.#streams = new AccountStreams({ ...parts, channel });
  }

  open(connection: Connection, address: Address): PrivateStream {
    return this.#streams.open(connection, address, {
      loadSnapshot: () => this.#loadSnapshot(address),
      subscribe: () => this.#events.subscribe(address, this.#channel, (event) => this.#take(event)),
    });
  }

  async #loadSnapshot(address: Address): Promise<AccountSnapshot> {
    const newest = await this.#events.listNewest(address, this.#channel, snapshotEvents);
    return { sequence: 0, data: JSON.stringify(newest.map(viewEvent)) };
  }

  #take(event: AccountEvent): void {
    const { address, id: sequence } = event;
    this.#streams.publish({ address, sequence, data: JSON.stringify([viewEvent(event)]) });
  }
}

function viewEvent({ id, data, createdAt }: AccountEvent) {
  return { event_id: id, created_at: createdAt, ...data };
}
