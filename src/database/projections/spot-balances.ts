import { formatAmount } from '../../domain/amount.ts';
import type { BalanceChanged } from '../../engine/events.ts';
import { plainArray, quotedArray } from '../array-literal.ts';
import type { Projection } from '../projector/projection.ts';

const upsertBalances = `
  INSERT INTO spot_balances (user_address, token, available, locked, updated_sequence)
  SELECT * FROM unnest($1::text[], $2::text[], $3::numeric[], $4::numeric[], $5::bigint[])
  ON CONFLICT (user_address, token) DO UPDATE SET
    available = excluded.available,
    locked = excluded.locked,
    updated_sequence = excluded.updated_sequence`;

interface LastBalance {
  readonly event: BalanceChanged;
  readonly sequence: number;
}

// More tokens than an exchange lists, so that account and token make one number.
const tokensMax = 65_536;

export const spotBalancesProjection: Projection = {
  name: 'spot_balances',
  async project(batch, { client, directory }) {
    const last = new Map<number, LastBalance>();
    for (const { events, sequence } of batch) {
      for (const event of events) {
        if (event.type !== 'balanceChanged') continue;
        last.set(event.accountId * tokensMax + event.tokenId, { event, sequence });
      }
    }
    if (last.size === 0) return 0;
    const addresses: string[] = [];
    const tokens: string[] = [];
    const available: string[] = [];
    const locked: string[] = [];
    const sequences: number[] = [];
    for (const { event, sequence } of last.values()) {
      addresses.push(directory.getAddress(event.accountId));
      tokens.push(directory.getTokenSymbol(event.tokenId));
      available.push(formatAmount(event.available));
      locked.push(formatAmount(event.locked));
      sequences.push(sequence);
    }
    await client.query({
      name: 'upsert-balances',
      text: upsertBalances,
      values: [
        plainArray(addresses),
        quotedArray(tokens),
        plainArray(available),
        plainArray(locked),
        plainArray(sequences),
      ],
    });
    return last.size;
  },
};
