import type { Answer } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import type { Withdrawal } from './signed-withdrawal.tsx';

type Deposit = Answer<'GET /api/v1/spot/deposits'>['items'][number];

type Transfer = Answer<'GET /api/v1/spot/transfers'>['items'][number];

const state = (text: string) => (
  <span class={`tag ${['credited', 'completed'].includes(text) ? 'good' : ''}`}>{text}</span>
);

const depositColumns: readonly Column<Deposit>[] = [
  { title: 'Seen', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'Token', cell: (each) => each.token ?? each.token_address, text: (each) => each.token },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => formatWhole(each.amount),
    text: (each) => each.amount,
  },
  {
    title: 'Transaction',
    cell: (each) => <code>{each.tx_hash.slice(0, 14)}…</code>,
    text: (each) => each.tx_hash,
  },
  { title: 'State', cell: (each) => state(each.status), text: (each) => each.status },
];

const withdrawalColumns: readonly Column<Withdrawal>[] = [
  {
    title: 'Asked for',
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  { title: 'Token', cell: (each) => each.token, text: (each) => each.token },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => formatWhole(each.amount),
    text: (each) => each.amount,
  },
  { title: 'State', cell: (each) => state(each.status), text: (each) => each.status },
];

const transferColumns: readonly Column<Transfer>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  {
    title: 'Direction',
    cell: (each) => each.direction.replaceAll('_', ' '),
    text: (each) => each.direction,
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => `${formatWhole(each.amount)} ${each.token}`,
    text: (each) => each.amount,
  },
];

export function Histories({ withdrawals }: { withdrawals: readonly Withdrawal[] }) {
  const deposits = useApi('GET /api/v1/spot/deposits', { query: { limit: 50 } });
  const transfers = useApi('GET /api/v1/spot/transfers', { query: { limit: 50 } });
  return (
    <div class="columns">
      <section class="panel" aria-label="Deposits">
        <header>
          <h2>Newest deposits</h2>
          <CsvButton name="deposits" columns={depositColumns} rows={deposits.data?.items ?? []} />
        </header>
        <Loaded query={deposits}>
          {({ items }) => (
            <Table
              caption="Deposits"
              columns={depositColumns}
              rows={items}
              keyOf={(each) => each.tx_hash + each.number}
              empty="No deposits yet."
            />
          )}
        </Loaded>
      </section>
      <section class="panel" aria-label="Withdrawals">
        <header>
          <h2>Newest withdrawals</h2>
          <CsvButton name="withdrawals" columns={withdrawalColumns} rows={withdrawals} />
        </header>
        <Table
          caption="Withdrawals"
          columns={withdrawalColumns}
          rows={withdrawals}
          keyOf={(each) => each.id}
          empty="No withdrawals yet."
        />
      </section>
      <section class="panel" aria-label="Transfers">
        <header>
          <h2>Newest transfers</h2>
          <CsvButton
            name="transfers"
            columns={transferColumns}
            rows={transfers.data?.items ?? []}
          />
        </header>
        <Loaded query={transfers}>
          {({ items }) => (
            <Table
              caption="Transfers"
              columns={transferColumns}
              rows={items}
              keyOf={(each) => each.transfer_id}
              empty="No transfers yet."
            />
          )}
        </Loaded>
      </section>
    </div>
  );
}
