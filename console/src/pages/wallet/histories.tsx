import type { Answer } from '@openbourse/client';
import type { QueryObserverResult } from '@tanstack/query-core';
import { api } from '../../api/api.ts';
import { readByCursor } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Amount } from '../../parts/amount.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import type { PerpWithdrawal } from './perp-withdraw-panel.tsx';
import type { Withdrawal } from './withdraw-panel.tsx';

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
    cell: (each) => <Amount value={each.amount} token={each.token} />,
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
    cell: (each) => <Amount value={each.amount} token={each.token} />,
    text: (each) => each.amount,
  },
  { title: 'State', cell: (each) => state(each.status), text: (each) => each.status },
];

const perpWithdrawalColumns: readonly Column<PerpWithdrawal>[] = [
  {
    title: 'Asked for',
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => <Amount value={each.amount} token={each.token} isNamed />,
    text: (each) => each.amount,
  },
  {
    title: 'Transaction',
    cell: (each) => <code>{each.tx_hash === null ? '–' : `${each.tx_hash.slice(0, 14)}…`}</code>,
    text: (each) => each.tx_hash,
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
    cell: (each) => <Amount value={each.amount} token={each.token} isNamed />,
    text: (each) => each.amount,
  },
];

interface HistoryPanelProps<Row> {
  readonly title: string;
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: string;
  readonly load: () => Promise<readonly Row[]>;
}

function HistoryPanel<Row>(props: HistoryPanelProps<Row>) {
  const { title, name, columns, rows, keyOf, empty, load } = props;
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>Newest {title.toLowerCase()}</h2>
        <CsvButton name={name} columns={columns} rows={rows} load={load} />
      </header>
      <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} empty={empty} />
    </section>
  );
}

const loads = {
  deposits: () => readByCursor((page) => api.call('GET /api/v1/spot/deposits', { query: page })),
  withdrawals: () =>
    readByCursor((page) => api.call('GET /api/v1/spot/withdrawals', { query: page })),
  perpWithdrawals: () =>
    readByCursor((page) => api.call('GET /api/v1/withdraw/history', { query: page })),
  transfers: () => readByCursor((page) => api.call('GET /api/v1/spot/transfers', { query: page })),
};

export interface HistoriesProps {
  readonly withdrawals: QueryObserverResult<{ readonly items: readonly Withdrawal[] }>;
  readonly perpWithdrawals: QueryObserverResult<{ readonly items: readonly PerpWithdrawal[] }>;
}

export function Histories({ withdrawals, perpWithdrawals }: HistoriesProps) {
  const deposits = useApi('GET /api/v1/spot/deposits', { query: { limit: 50 } });
  const transfers = useApi('GET /api/v1/spot/transfers', { query: { limit: 50 } });
  return (
    <div class="columns broad">
      <Loaded query={deposits}>
        {({ items }) => (
          <HistoryPanel
            title="Deposits"
            name="deposits"
            columns={depositColumns}
            rows={items}
            keyOf={(each) => each.tx_hash + each.number}
            empty="No deposits yet. Deposit above."
            load={loads.deposits}
          />
        )}
      </Loaded>
      <Loaded query={withdrawals}>
        {({ items }) => (
          <HistoryPanel
            title="Withdrawals"
            name="withdrawals"
            columns={withdrawalColumns}
            rows={items}
            keyOf={(each) => each.id}
            empty="No withdrawals yet. Withdraw above."
            load={loads.withdrawals}
          />
        )}
      </Loaded>
      <Loaded query={perpWithdrawals}>
        {({ items }) => (
          <HistoryPanel
            title="Perp withdrawals"
            name="perp-withdrawals"
            columns={perpWithdrawalColumns}
            rows={items}
            keyOf={(each) => each.id}
            empty="No withdrawals from the perp wallet yet. Set an amount aside above."
            load={loads.perpWithdrawals}
          />
        )}
      </Loaded>
      <Loaded query={transfers}>
        {({ items }) => (
          <HistoryPanel
            title="Transfers"
            name="transfers"
            columns={transferColumns}
            rows={items}
            keyOf={(each) => each.transfer_id}
            empty="No transfers yet. Move money between the wallets above."
            load={loads.transfers}
          />
        )}
      </Loaded>
    </div>
  );
}
