import { formatAmount } from '../../domain/amount.ts';
import { integerArray, plainArray, quotedArray } from '../array-parameters.ts';
import type { Projection } from '../projector/projection.ts';
import { timestampFrom } from './timestamps.ts';

const insertTransfers = `
  INSERT INTO wallet_transfers
    (transfer_number, user_address, direction, token, amount, client_transfer_id, sequence,
    created_at)
  SELECT transfer_number, user_address, direction, 'USDT', amount, client_transfer_id, sequence,
    ${timestampFrom('created_at')}
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::numeric[], $5::text[], $6::bigint[],
    $7::bigint[])
    AS batch (transfer_number, user_address, direction, amount, client_transfer_id, sequence,
    created_at)`;

/** Transfers between the wallets; a repeated request moved nothing and has no row. */
export const walletTransfersProjection: Projection = {
  name: 'wallet_transfers',
  async project(batch, { statements, directory }) {
    const moved = batch.eventsOf('fundsTransferred').filter(({ event }) => !event.isRepeated);
    if (moved.length === 0) return 0;
    await statements.run({
      name: 'insert-wallet-transfers',
      text: insertTransfers,
      values: [
        integerArray(moved.map(({ event }) => event.transferNumber)),
        plainArray(moved.map(({ event }) => directory.getAddress(event.accountId))),
        plainArray(moved.map(({ event }) => event.direction)),
        plainArray(moved.map(({ event }) => formatAmount(event.amount))),
        quotedArray(moved.map(({ event }) => event.clientTransferId)),
        integerArray(moved.map(({ outcome }) => outcome.sequence)),
        integerArray(moved.map(({ outcome }) => outcome.timestamp)),
      ],
    });
    return moved.length;
  },
};
