import { sql } from 'kysely';
import type { VipFeed, VipTierChange } from '../../application/vip/vip-ports.ts';
import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import type { VipChangeKind } from '../../programs/vip/review-vip.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';
import { RowFeed } from '../notifications/row-feed.ts';
import { vipChannel } from './vip-store.ts';

interface ChangeRow {
  readonly id: string;
  readonly address: string;
  readonly kind: string;
  readonly from_tier: number;
  readonly to_tier: number;
  readonly volume: string;
  readonly effective_at: Date;
}

/** Publishes VIP tier changes to the subscribers of their address as they are written. */
export class DatabaseVipFeed extends RowFeed<VipTierChange> implements VipFeed {
  constructor(pool: DatabasePool, log: DatabaseLog) {
    super({
      channel: vipChannel,
      pool,
      onFailure: (error) => log.warn({ error }, 'changed VIP tiers could not be read'),
      table: 'vip_changes',
      select: async (db, condition) => {
        const { rows } = await sql<ChangeRow>`
          SELECT id, address, kind, from_tier, to_tier, trim_scale(volume) AS volume, effective_at
          FROM vip_changes AS change JOIN accounts USING (account_id)
          WHERE ${condition} ORDER BY id`.execute(db);
        return rows.map(changeFromRow);
      },
      keyOf: ({ address }) => address,
    });
  }

  subscribe(address: Address, listener: (changes: readonly VipTierChange[]) => void): () => void {
    return this.listen(address, (change) => listener([change]));
  }
}

function changeFromRow(row: ChangeRow): VipTierChange {
  return {
    id: Number(row.id),
    address: row.address as Address,
    kind: row.kind as VipChangeKind,
    fromTier: row.from_tier,
    toTier: row.to_tier,
    volume14Days: row.volume,
    effectiveAt: row.effective_at.getTime() as TimestampMs,
  };
}
