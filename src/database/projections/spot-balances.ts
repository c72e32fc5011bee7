import { formatAmount } from '../../domain/amount.ts';
import type { BalanceChanged } from '../../engine/events.ts';
import { integerArray, plainArray, quotedArray } from '../array-parameters.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';

const upsertBalances = `
  INSERT INTO spot_balances (user_address, token, available, locked, updated_sequence)
  SELECT * FROM unnest($1::text[], $2::text[], $3::numeric[], $4::numeric[], $5::bigint[])
  ON CONFLICT (user_address, token) DO UPDATE SET
    available = excluded.available,
    locked = excluded.locked,
    updated_sequence = excluded.updated_sequence`;

// More tokens than an exchange lists, so that account and token make one number.
const tokensMax = 65_536;

export const spotBalancesProjection: Projection = {
  name: 'spot_balances',
  async project(batch, { statements, directory }) {
    const last = new Map<number, PlacedEvent<BalanceChanged>>();
    for (const placed of batch.eventsOf('balanceChanged')) {
      last.set(placed.event.accountId * tokensMax + placed.event.tokenId, placed);
    }
    if (last.size === 0) return 0;
    const addresses: string[] = [];
    const tokens: string[] = [];
    const available: string[] = [];
    const locked: string[] = [];
    const sequences: number[] = [];
    for (const { event, outcome } of last.values()) {
      addresses.push(directory.getAddress(event.accountId));
      tokens.push(directory.getTokenSymbol(event.tokenId));
      available.push(formatAmount(event.available));
      locked.push(formatAmount(event.locked));
      sequences.push(outcome.sequence);
    }
    await statements.run({
      name: 'upsert-balances',
      text: upsertBalances,
      values: [
        plainArray(addresses),
        quotedArray(tokens),
        plainArray(available),
        plainArray(locked),
        integerArray(sequences),
      ],
    });
    return last.size;
  },
};
