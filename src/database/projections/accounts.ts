import { plainArray } from '../array-literal.ts';
import type { Projection } from '../projector/projection.ts';
import { timestampFrom } from './timestamps.ts';

const insertAccounts = `
  INSERT INTO accounts (account_id, address, created_at)
  SELECT account_id, address, ${timestampFrom('created_at')}
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS batch (account_id, address, created_at)`;

export const accountsProjection: Projection = {
  name: 'accounts',
  async project(batch, { client }) {
    const ids: number[] = [];
    const addresses: string[] = [];
    const times: number[] = [];
    for (const { events, timestamp } of batch) {
      for (const event of events) {
        if (event.type !== 'accountOpened') continue;
        ids.push(event.accountId);
        addresses.push(event.address);
        times.push(timestamp);
      }
    }
    if (ids.length === 0) return 0;
    const values = [plainArray(ids), plainArray(addresses), plainArray(times)];
    await client.query({ name: 'insert-accounts', text: insertAccounts, values });
    return ids.length;
  },
};
