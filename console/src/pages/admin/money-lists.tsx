import type { Answer } from '@openbourse/client';
import { type Signal, signal } from '@preact/signals';
import type { QueryObserverResult } from '@tanstack/query-core';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment, formatWhole, shortAddress } from '../../number/format.ts';
import { Pager } from '../../parts/pager.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';

type Held = Answer<'GET /api/v1/admin/solvency'>['tokens'][number];
type Deposit = Answer<'GET /api/v1/admin/wallet/deposits'>['items'][number];
type Withdrawal = Answer<'GET /api/v1/admin/wallet/withdrawals'>['items'][number];

const pageSize = 20;
const depositsPage = signal(1);
const withdrawalsPage = signal(1);
const readMs = 10_000;

const heldColumns: readonly Column<Held>[] = [
  { title: 'Of', cell: ({ token }) => token, text: ({ token }) => token },
  { title: 'Held', isNumber: true, cell: (row) => formatWhole(row.held), text: (row) => row.held },
  { title: 'Owed', isNumber: true, cell: (row) => formatWhole(row.owed), text: (row) => row.owed },
  {
    title: 'Of it test credits',
    isNumber: true,
    cell: (row) => formatWhole(row.unbacked),
    text: (row) => row.unbacked,
  },
  {
    title: 'State',
    cell: (row) => (
      <span class={`tag ${row.is_short ? 'warn' : 'good'}`}>
        {row.is_short ? 'short' : 'covered'}
      </span>
    ),
    text: (row) => (row.is_short ? 'short' : 'covered'),
  },
];

/** What the contracts hold, and what is owed. */
export function Solvency() {
  const query = useApi('GET /api/v1/admin/solvency', {}, { every: 30_000 });
  const rows = (report: Answer<'GET /api/v1/admin/solvency'>): readonly Held[] => [
    ...report.tokens,
    { token: 'Commission, USDT', unbacked: '0', ...report.rewards },
  ];
  return (
    <section class="panel" aria-label="Held and owed">
      <header>
        <h2>Held and owed</h2>
        {query.data?.is_still === false && (
          <span class="tag warn">money moved during the check</span>
        )}
      </header>
      <Loaded query={query}>
        {(report) => (
          <Table
            caption="Held and owed"
            columns={heldColumns}
            rows={rows(report)}
            keyOf={({ token }) => token}
            empty="The vault has no tokens."
          />
        )}
      </Loaded>
    </section>
  );
}

const depositColumns: readonly Column<Deposit>[] = [
  { title: 'Time', cell: (row) => formatMoment(row.seen_at), text: (row) => row.seen_at },
  {
    title: 'Account',
    cell: (row) => <code>{shortAddress(row.account)}</code>,
    text: (row) => row.account,
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: (row) =>
      row.amount === null ? `${row.raw_amount} units` : `${formatWhole(row.amount)} ${row.token}`,
    text: (row) => row.amount ?? row.raw_amount,
  },
  {
    title: 'State',
    cell: (row) => (
      <span class={`tag ${row.state === 'credited' ? 'good' : 'warn'}`}>
        {row.reason === null ? row.state : `${row.state}: ${row.reason.replaceAll('_', ' ')}`}
      </span>
    ),
    text: (row) => row.state,
  },
  {
    title: 'Transaction',
    cell: (row) => <code>{shortAddress(row.tx_hash)}</code>,
    text: (row) => row.tx_hash,
  },
];

const withdrawalColumns: readonly Column<Withdrawal>[] = [
  { title: 'Time', cell: (row) => formatMoment(row.created_at), text: (row) => row.created_at },
  {
    title: 'Account',
    cell: (row) => <code>{shortAddress(row.account)}</code>,
    text: (row) => row.account,
  },
  { title: 'Wallet', cell: (row) => row.wallet, text: (row) => row.wallet },
  {
    title: 'Amount',
    isNumber: true,
    cell: (row) => `${formatWhole(row.amount)} ${row.token}`,
    text: (row) => row.amount,
  },
  {
    title: 'State',
    cell: (row) => <span class="tag">{row.status}</span>,
    text: (row) => row.status,
  },
  {
    title: 'Nonce',
    isNumber: true,
    cell: (row) => row.nonce ?? '–',
    text: (row) => row.nonce,
  },
];

interface Paged<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

interface ListProps<Row> {
  readonly title: string;
  readonly query: QueryObserverResult<Paged<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly load: () => Promise<readonly Row[]>;
  readonly page: Signal<number>;
}

function List<Row extends { readonly id: string }>(props: ListProps<Row>) {
  const { title, query, columns, load, page } = props;
  const name = title.toLowerCase().replaceAll(' ', '-');
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <CsvButton name={name} columns={columns} rows={query.data?.items ?? []} load={load} />
      </header>
      <Loaded query={query}>
        {({ items, total }) => (
          <>
            <Table
              caption={title}
              columns={columns}
              rows={items}
              keyOf={(row) => row.id}
              empty="There are none yet."
            />
            <Pager page={page} pageSize={pageSize} total={total} />
          </>
        )}
      </Loaded>
    </section>
  );
}

const pageOf = (page: Signal<number>) => ({ query: { page: page.value, page_size: pageSize } });

/** Deposits of all accounts. */
export function AllDeposits() {
  const name = 'GET /api/v1/admin/wallet/deposits';
  return (
    <List
      title="Deposits of all accounts"
      query={useApi(name, pageOf(depositsPage), { every: readMs })}
      columns={depositColumns}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={depositsPage}
    />
  );
}

/** Withdrawals of all accounts. */
export function AllWithdrawals() {
  const name = 'GET /api/v1/admin/wallet/withdrawals';
  return (
    <List
      title="Withdrawals of all accounts"
      query={useApi(name, pageOf(withdrawalsPage), { every: readMs })}
      columns={withdrawalColumns}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={withdrawalsPage}
    />
  );
}
