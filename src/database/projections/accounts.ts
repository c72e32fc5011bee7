import { integerArray, plainArray } from '../array-parameters.ts';
import type { Projection } from '../projector/projection.ts';
import { timestampFrom } from './timestamps.ts';

const insertAccounts = `
  INSERT INTO accounts (account_id, address, created_at)
  SELECT account_id, address, ${timestampFrom('created_at')}
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS batch (account_id, address, created_at)`;

export const accountsProjection: Projection = {
  name: 'accounts',
  async project(batch, { statements }) {
    const ids: number[] = [];
    const addresses: string[] = [];
    const times: number[] = [];
    for (const { event, outcome } of batch.eventsOf('accountOpened')) {
      ids.push(event.accountId);
      addresses.push(event.address);
      times.push(outcome.timestamp);
    }
    if (ids.length === 0) return 0;
    const values = [integerArray(ids), plainArray(addresses), integerArray(times)];
    await statements.run({ name: 'insert-accounts', text: insertAccounts, values });
    return ids.length;
  },
};
