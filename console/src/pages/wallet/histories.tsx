import type { Answer } from '@openbourse/client';
import type { QueryObserverResult } from '@tanstack/query-core';
import { api } from '../../api/api.ts';
import { readByCursor } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Amount } from '../../parts/amount.tsx';
import { ChainLink } from '../../parts/chain-link.tsx';
import { type Page, PagedList, type PagedListProps } from '../../parts/paged-list.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/wallet.ts';
import type { PerpWithdrawal } from './perp-withdraw-panel.tsx';
import type { Withdrawal } from './withdraw-panel.tsx';

type Deposit = Answer<'GET /api/v1/spot/deposits'>['items'][number];

type Transfer = Answer<'GET /api/v1/spot/transfers'>['items'][number];

const state = (text: string) => (
  <span class={`tag ${['credited', 'completed'].includes(text) ? 'good' : ''}`}>{text}</span>
);

const transactionColumn: Column<{ readonly tx_hash: string | null }> = {
  title: texts.transaction,
  cell: (each) => <ChainLink to="tx" value={each.tx_hash} isShort />,
  text: (each) => each.tx_hash,
};

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
  transactionColumn,
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
  transactionColumn,
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
  transactionColumn,
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

function HistoryPanel<Row>(props: Omit<PagedListProps<Row>, 'onMore'>) {
  return (
    <section class="panel" aria-label={props.caption}>
      <header>
        <h2>{props.caption}</h2>
      </header>
      <PagedList {...props} onMore={null} />
    </section>
  );
}

interface HistoriesProps {
  readonly withdrawals: QueryObserverResult<Page<Withdrawal>>;
  readonly perpWithdrawals: QueryObserverResult<Page<PerpWithdrawal>>;
}

/** The newest movements of money; the CSV files have all of them. */
export function Histories({ withdrawals, perpWithdrawals }: HistoriesProps) {
  const names = {
    deposits: 'GET /api/v1/spot/deposits',
    withdrawals: 'GET /api/v1/spot/withdrawals',
    perpWithdrawals: 'GET /api/v1/withdraw/history',
    transfers: 'GET /api/v1/spot/transfers',
  } as const;
  return (
    <div class="columns broad">
      <HistoryPanel
        caption={texts.deposits}
        name="deposits"
        query={useApi(names.deposits, { query: { limit: 50 } })}
        columns={depositColumns}
        keyOf={(each) => each.tx_hash + each.number}
        empty={texts.noDeposits}
        load={() => readByCursor((query) => api.call(names.deposits, { query }))}
      />
      <HistoryPanel
        caption={texts.withdrawals}
        name="withdrawals"
        query={withdrawals}
        columns={withdrawalColumns}
        keyOf={(each) => each.id}
        empty={texts.noWithdrawals}
        load={() => readByCursor((query) => api.call(names.withdrawals, { query }))}
      />
      <HistoryPanel
        caption={texts.perpWithdrawals}
        name="perp-withdrawals"
        query={perpWithdrawals}
        columns={perpWithdrawalColumns}
        keyOf={(each) => each.id}
        empty={texts.noPerpWithdrawals}
        load={() => readByCursor((query) => api.call(names.perpWithdrawals, { query }))}
      />
      <HistoryPanel
        caption={texts.transfers}
        name="transfers"
        query={useApi(names.transfers, { query: { limit: 50 } })}
        columns={transferColumns}
        keyOf={(each) => each.transfer_id}
        empty={texts.noTransfers}
        load={() => readByCursor((query) => api.call(names.transfers, { query }))}
      />
    </div>
  );
}
