import type { Answer } from '@openbourse/client';
import { type Signal, signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Amount } from '../../parts/amount.tsx';
import { ChainLink } from '../../parts/chain-link.tsx';
import { ListPanel } from '../../parts/list-panel.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { foreignText } from '../../text/foreign.ts';

type Held = Answer<'GET /api/v1/admin/solvency'>['tokens'][number];
type Deposit = Answer<'GET /api/v1/admin/wallet/deposits'>['items'][number];
type Withdrawal = Answer<'GET /api/v1/admin/wallet/withdrawals'>['items'][number];

const pageSize = 20;
const depositsPage = signal(1);
const withdrawalsPage = signal(1);
const readMs = 10_000;

const commission = texts.commissionUSDT;

const tokenOf = ({ token }: Held): string => (token === commission ? 'USDT' : token);

const heldColumns: readonly Column<Held>[] = [
  { title: texts.token, cell: ({ token }) => token, text: ({ token }) => token },
  {
    title: texts.held,
    isNumber: true,
    cell: (row) => <Amount value={row.held} token={tokenOf(row)} />,
    text: (row) => row.held,
  },
  {
    title: texts.owed,
    isNumber: true,
    cell: (row) => <Amount value={row.owed} token={tokenOf(row)} />,
    text: (row) => row.owed,
  },
  {
    title: texts.testCredits,
    isNumber: true,
    cell: (row) => <Amount value={row.unbacked} token={tokenOf(row)} />,
    text: (row) => row.unbacked,
  },
  {
    title: texts.status,
    cell: (row) => (
      <span class={`tag ${row.is_short ? 'warn' : 'good'}`}>
        {row.is_short ? texts.short : texts.covered}
      </span>
    ),
    text: (row) => (row.is_short ? 'short' : 'covered'),
  },
];

/** What the contracts hold, and what is owed. */
export function Solvency() {
  const query = useApi('GET /api/v1/admin/solvency', {}, { every: 30_000 });
  return (
    <ListPanel
      title={texts.solvency}
      name="solvency"
      query={query}
      rowsOf={({ tokens, rewards }) => [
        ...tokens,
        { token: commission, unbacked: '0', ...rewards },
      ]}
      columns={heldColumns}
      keyOf={({ token }) => token}
      empty={texts.vaultIsEmpty}
      tools={
        query.data?.is_still === false && (
          <span class="tag warn">{texts.moneyMovedDuringTheCheck}</span>
        )
      }
    />
  );
}

const depositColumns: readonly Column<Deposit>[] = [
  { title: texts.time, cell: (row) => formatMoment(row.seen_at), text: (row) => row.seen_at },
  {
    title: texts.account,
    cell: (row) => <ChainLink to="address" value={row.account} isShort />,
    text: (row) => row.account,
  },
  {
    title: texts.amount,
    isNumber: true,
    cell: (row) =>
      row.amount === null ? (
        texts.units(row.raw_amount)
      ) : (
        <Amount value={row.amount} token={row.token} isNamed />
      ),
    text: (row) => row.amount ?? row.raw_amount,
  },
  {
    title: texts.status,
    cell: (row) => (
      <span class={`tag ${row.state === 'credited' ? 'good' : 'warn'}`}>
        {row.reason === null
          ? row.state
          : foreignText(`${row.state}: ${row.reason.replaceAll('_', ' ')}`)}
      </span>
    ),
    text: (row) => row.state,
  },
  {
    title: texts.transaction,
    cell: (row) => <ChainLink to="tx" value={row.tx_hash} isShort />,
    text: (row) => row.tx_hash,
  },
];

const withdrawalColumns: readonly Column<Withdrawal>[] = [
  { title: texts.time, cell: (row) => formatMoment(row.created_at), text: (row) => row.created_at },
  {
    title: texts.account,
    cell: (row) => <ChainLink to="address" value={row.account} isShort />,
    text: (row) => row.account,
  },
  { title: texts.wallet, cell: (row) => row.wallet, text: (row) => row.wallet },
  {
    title: texts.amount,
    isNumber: true,
    cell: (row) => <Amount value={row.amount} token={row.token} isNamed />,
    text: (row) => row.amount,
  },
  {
    title: texts.status,
    cell: (row) => <span class="tag">{row.status}</span>,
    text: (row) => row.status,
  },
  {
    title: texts.nonce,
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
      title={texts.depositsOfAllAccounts}
      name="deposits-of-all-accounts"
      keyOf={(row) => row.id}
      empty={texts.noDepositsYet}
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
      title={texts.withdrawalsOfAllAccounts}
      name="withdrawals-of-all-accounts"
      keyOf={(row) => row.id}
      empty={texts.noWithdrawalsYet}
      pageSize={pageSize}
      query={useApi(name, pageOf(withdrawalsPage), { every: readMs })}
      columns={withdrawalColumns}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={withdrawalsPage}
    />
  );
}
