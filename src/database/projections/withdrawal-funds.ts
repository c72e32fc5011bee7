import type { AppliedCommand } from '../../application/ports/exchange.ts';
import { type Amount, formatAmount } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { PerpFundsReserved } from '../../engine/futures-events.ts';
import type { WithdrawalState } from '../../engine/wallet/wallet-events.ts';
import { integerArray, plainArray, quotedArray } from '../array-parameters.ts';
import type { Directory } from '../projector/directory.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
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

/** Where the money of each withdrawal is: set aside, paid out or returned. */
export const withdrawalFundsProjection: Projection = {
  name: 'withdrawal_funds',
  async project(batch, { statements, directory }) {
    const last = new Map<string, FundsRow>();
    for (const row of rowsOf(batch, directory)) {
      const known = last.get(row.withdrawalId);
      if (known === undefined || known.outcome.sequence < row.outcome.sequence) {
        last.set(row.withdrawalId, row);
      }
    }
    if (last.size === 0) return 0;
    const rows = [...last.values()];
    await statements.run({
      name: 'upsert-withdrawal-funds',
      text: upsertFunds,
      values: [
        quotedArray(rows.map(({ withdrawalId }) => withdrawalId)),
        plainArray(rows.map(({ accountId }) => directory.getAddress(accountId))),
        quotedArray(rows.map(({ token }) => token)),
        plainArray(rows.map(({ amount }) => formatAmount(amount))),
        plainArray(rows.map(({ state }) => state)),
        integerArray(rows.map(({ outcome }) => outcome.sequence)),
        integerArray(rows.map(({ outcome }) => outcome.timestamp)),
      ],
    });
    return last.size;
  },
};

interface FundsRow {
  readonly withdrawalId: string;
  readonly accountId: AccountId;
  readonly token: string;
  readonly amount: Amount;
  readonly state: WithdrawalState;
  readonly outcome: AppliedCommand;
}

const stateOfStep = {
  reserve: 'reserved',
  release: 'released',
  pay_out: 'completed',
} as const satisfies Record<PerpFundsReserved['step'], WithdrawalState>;

/**
 * For both wallets: a perp withdrawal whose payment was taken back continues in the spot wallet.
 */
function rowsOf(batch: OutcomeBatch, directory: Directory): readonly FundsRow[] {
  const spot = batch.eventsOf('withdrawalUpdated').map(({ event, outcome }) => {
    const { withdrawalId, accountId, tokenId, amount, state } = event;
    const token = directory.getTokenSymbol(tokenId);
    return { withdrawalId, accountId, token, amount, state, outcome };
  });
  const perp = batch.eventsOf('perpFundsReserved').map(({ event, outcome }) => {
    const { accountId, amount, step, reference } = event;
    const state = stateOfStep[step];
    return { withdrawalId: reference, accountId, token: 'USDT', amount, state, outcome };
  });
  return [...spot, ...perp];
}
