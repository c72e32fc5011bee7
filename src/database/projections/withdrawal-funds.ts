import { formatAmount } from '../../domain/amount.ts';
import type { WithdrawalUpdated } from '../../engine/wallet/wallet-events.ts';
import { integerArray, plainArray, quotedArray } from '../array-parameters.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { timestampFrom } from './timestamps.ts';

const upsertFunds = `
  INSERT INTO withdrawal_funds
    (withdrawal_id, user_address, token, amount, state, sequence, updated_at)
  SELECT withdrawal_id, user_address, token, amount, state, sequence,
    ${timestampFrom('updated_at')}
  FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::text[], $6::bigint[],
    $7::bigint[])
    AS batch (withdrawal_id, user_address, token, amount, state, sequence, updated_at)
  ON CONFLICT (withdrawal_id) DO UPDATE SET
    state = excluded.state,
    sequence = excluded.sequence,
    updated_at = excluded.updated_at`;

/** Where the money of each withdrawal is: set aside, paid out or given back. */
export const withdrawalFundsProjection: Projection = {
  name: 'withdrawal_funds',
  async project(batch, { statements, directory }) {
    const last = new Map<string, PlacedEvent<WithdrawalUpdated>>();
    for (const placed of batch.eventsOf('withdrawalUpdated')) {
      last.set(placed.event.withdrawalId, placed);
    }
    if (last.size === 0) return 0;
    const rows = [...last.values()];
    await statements.run({
      name: 'upsert-withdrawal-funds',
      text: upsertFunds,
      values: [
        quotedArray(rows.map(({ event }) => event.withdrawalId)),
        plainArray(rows.map(({ event }) => directory.getAddress(event.accountId))),
        quotedArray(rows.map(({ event }) => directory.getTokenSymbol(event.tokenId))),
        plainArray(rows.map(({ event }) => formatAmount(event.amount))),
        plainArray(rows.map(({ event }) => event.state)),
        integerArray(rows.map(({ outcome }) => outcome.sequence)),
        integerArray(rows.map(({ outcome }) => outcome.timestamp)),
      ],
    });
    return last.size;
  },
};
