import type { Exchange } from '../../../application/ports/exchange.ts';
import type { VipFeed, VipStore, VipTierChange } from '../../../application/vip/vip-ports.ts';
import { formatAmount } from '../../../domain/amount.ts';
import type { Address, TimestampMs } from '../../../domain/identifiers.ts';
import type { Connection } from '../connection.ts';
import type { StreamVipChange, StreamVipTier } from '../protocol/stream-schemas.ts';
import {
  type AccountSnapshot,
  AccountStreams,
  type AccountStreamsParts,
} from './account-streams.ts';
import type { PrivateChannel, PrivateStream } from './channel.ts';

// The account's VIP tier: first its current state, then every change, applied or scheduled. Changes
// are numbered as they are written, so one that the snapshot includes is not sent again.

/** Where the tiers are stored and their changes published. */
export interface VipTierSource {
  readonly feed: VipFeed;
  readonly store: Pick<VipStore, 'load'>;
}

export interface VipTierChannelParts extends Omit<AccountStreamsParts, 'channel'> {
  readonly exchange: Exchange;
  readonly vip: VipTierSource;
}

export class VipTierChannel implements PrivateChannel {
  readonly kind = 'private';
  readonly #parts: VipTierChannelParts;
  readonly #streams: AccountStreams;

  constructor(parts: VipTierChannelParts) {
    this.#parts = parts;
    this.#streams = new AccountStreams({ ...parts, channel: 'vip_tier' });
  }

  open(connection: Connection, address: Address): PrivateStream {
    return this.#streams.open(connection, address, {
      loadSnapshot: () => this.#loadSnapshot(address),
      subscribe: () => this.#parts.vip.feed.subscribe(address, (changes) => this.#take(changes)),
    });
  }

  async #loadSnapshot(address: Address): Promise<AccountSnapshot> {
    const { exchange, vip, clock } = this.#parts;
    const accountId = exchange.peek((view) => view.findAccount(address));
    if (accountId === null) return { sequence: 0, data: JSON.stringify(firstTier) };
    const record = await vip.store.load(accountId, clock.now() as TimestampMs);
    const { tier, pending } = record.standing;
    const data: StreamVipTier = {
      tier,
      volume_14d: formatAmount(record.volume14Days),
      pending_downgrade: pending === null ? null : { tier: pending.tier, effective_at: pending.at },
    };
    return { sequence: record.lastChangeId, data: JSON.stringify(data) };
  }

  #take(changes: readonly VipTierChange[]): void {
    for (const change of changes) {
      const data: StreamVipChange = {
        event: 'vip_tier_changed',
        kind: change.kind,
        from_tier: change.fromTier,
        to_tier: change.toTier,
        volume_14d: change.volume14Days,
        effective_at: change.effectiveAt,
      };
      const { address, id: sequence } = change;
      this.#streams.publish({ address, sequence, data: JSON.stringify(data) });
    }
  }
}

const firstTier: StreamVipTier = { tier: 0, volume_14d: '0', pending_downgrade: null };
