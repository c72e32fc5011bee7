import type { Answer } from '@openbourse/client';
import { type Signal, signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment, formatWhole, shortAddress } from '../../number/format.ts';
import { PagedPanel } from '../../parts/paged-panel.tsx';
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
        <CsvButton
          name="held-and-owed"
          columns={heldColumns}
          rows={query.data === undefined ? [] : rows(query.data)}
        />
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

const pageOf = (page: Signal<number>) => ({ query: { page: page.value, page_size: pageSize } });

/** Deposits of all accounts. */
export function AllDeposits() {
  const name = 'GET /api/v1/admin/wallet/deposits';
  return (
    <PagedPanel
      title="Deposits of all accounts"
      name="deposits-of-all-accounts"
      keyOf={(row) => row.id}
      empty="There are none yet."
      pageSize={pageSize}
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
    <PagedPanel
      title="Withdrawals of all accounts"
      name="withdrawals-of-all-accounts"
      keyOf={(row) => row.id}
      empty="There are none yet."
      pageSize={pageSize}
      query={useApi(name, pageOf(withdrawalsPage), { every: readMs })}
      columns={withdrawalColumns}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={withdrawalsPage}
    />
  );
}
