import type { Answer } from '@openbourse/client';
import type { QueryObserverResult } from '@tanstack/query-core';
import { api } from '../../api/api.ts';
import { readByCursor } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Amount } from '../../parts/amount.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/wallet.ts';
import type { PerpWithdrawal } from './perp-withdraw-panel.tsx';
import type { Withdrawal } from './withdraw-panel.tsx';

type Deposit = Answer<'GET /api/v1/spot/deposits'>['items'][number];

type Transfer = Answer<'GET /api/v1/spot/transfers'>['items'][number];

const state = (text: string) => (
  <span class={`tag ${['credited', 'completed'].includes(text) ? 'good' : ''}`}>{text}</span>
);

const depositColumns: readonly Column<Deposit>[] = [
  {
    title: texts.seen,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  {
    title: texts.token,
    cell: (each) => each.token ?? each.token_address,
    text: (each) => each.token,
  },
  {
    title: texts.amount,
    isNumber: true,
    cell: (each) => <Amount value={each.amount} token={each.token} />,
    text: (each) => each.amount,
  },
  {
    title: texts.transaction,
    cell: (each) => <code>{each.tx_hash.slice(0, 14)}…</code>,
    text: (each) => each.tx_hash,
  },
  { title: texts.state, cell: (each) => state(each.status), text: (each) => each.status },
];

const withdrawalColumns: readonly Column<Withdrawal>[] = [
  {
    title: texts.askedFor,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  { title: texts.token, cell: (each) => each.token, text: (each) => each.token },
  {
    title: texts.amount,
    isNumber: true,
    cell: (each) => <Amount value={each.amount} token={each.token} />,
    text: (each) => each.amount,
  },
  { title: texts.state, cell: (each) => state(each.status), text: (each) => each.status },
];

const perpWithdrawalColumns: readonly Column<PerpWithdrawal>[] = [
  {
    title: texts.askedFor,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  {
    title: texts.amount,
    isNumber: true,
    cell: (each) => <Amount value={each.amount} token={each.token} isNamed />,
    text: (each) => each.amount,
  },
  {
    title: texts.transaction,
    cell: (each) => <code>{each.tx_hash === null ? '–' : `${each.tx_hash.slice(0, 14)}…`}</code>,
    text: (each) => each.tx_hash,
  },
  { title: texts.state, cell: (each) => state(each.status), text: (each) => each.status },
];

const transferColumns: readonly Column<Transfer>[] = [
  {
    title: texts.time,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  {
    title: texts.direction,
    cell: (each) => each.direction.replaceAll('_', ' '),
    text: (each) => each.direction,
  },
  {
    title: texts.amount,
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
        <h2>
          {texts.newest}
          {title.toLowerCase()}
        </h2>
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
            title={texts.deposits}
            name="deposits"
            columns={depositColumns}
            rows={items}
            keyOf={(each) => each.tx_hash + each.number}
            empty={texts.noDeposits}
            load={loads.deposits}
          />
        )}
      </Loaded>
      <Loaded query={withdrawals}>
        {({ items }) => (
          <HistoryPanel
            title={texts.withdrawals}
            name="withdrawals"
            columns={withdrawalColumns}
            rows={items}
            keyOf={(each) => each.id}
            empty={texts.noWithdrawals}
            load={loads.withdrawals}
          />
        )}
      </Loaded>
      <Loaded query={perpWithdrawals}>
        {({ items }) => (
          <HistoryPanel
            title={texts.perpWithdrawals}
            name="perp-withdrawals"
            columns={perpWithdrawalColumns}
            rows={items}
            keyOf={(each) => each.id}
            empty={texts.noPerpWithdrawals}
            load={loads.perpWithdrawals}
          />
        )}
      </Loaded>
      <Loaded query={transfers}>
        {({ items }) => (
          <HistoryPanel
            title={texts.transfers}
            name="transfers"
            columns={transferColumns}
            rows={items}
            keyOf={(each) => each.transfer_id}
            empty={texts.noTransfers}
            load={loads.transfers}
          />
        )}
      </Loaded>
    </div>
  );
}
