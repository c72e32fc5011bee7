import { type Amount, formatAmount, toAmount } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { volumeHour } from '../../programs/vip/vip-volume.ts';
import { BatchInsert, integerColumn, numberColumn, timeColumn } from '../batch-insert.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';

// The volume of each account in each hour: the rolling volumes that decide VIP tiers are sums of
// these rows, so they contain exactly the trades in the database.

interface VolumeRow {
  readonly accountId: AccountId;
  readonly hour: number;
  volume: Amount;
}

const volumes = new BatchInsert<VolumeRow>({
  table: 'futures_volume_hours',
  columns: [
    integerColumn('account_id', ({ accountId }) => accountId),
    timeColumn('hour', ({ hour }) => hour),
    numberColumn('volume', ({ volume }) => formatAmount(volume)),
  ],
  onConflict: '(account_id, hour) DO UPDATE SET volume = row.volume + excluded.volume',
});

export const futuresVolumesProjection: Projection = {
  name: 'futures_volume_hours',
  async project(batch, { statements }) {
    const rows = volumesOf(batch);
    if (rows.length === 0) return 0;
    await statements.run(volumes.statement(rows));
    return rows.length;
  },
};

function volumesOf(batch: OutcomeBatch): readonly VolumeRow[] {
  const rows = new Map<string, VolumeRow>();
  for (const { event, outcome } of batch.eventsOf('futuresTradeExecuted')) {
    const { maker, taker, quoteAmount } = event.trade;
    const hour = volumeHour(outcome.timestamp);
    for (const { accountId } of [maker, taker]) {
      const key = `${accountId} ${hour}`;
      const row = rows.get(key);
      if (row === undefined) rows.set(key, { accountId, hour, volume: quoteAmount });
      else row.volume = toAmount(row.volume + quoteAmount);
    }
  }
  return [...rows.values()];
}
