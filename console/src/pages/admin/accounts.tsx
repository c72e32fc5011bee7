import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { refresh, useApi } from '../../api/query.ts';
import { sayError } from '../../feed/notices.ts';
import { formatMoment } from '../../number/format.ts';
import { Amount } from '../../parts/amount.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/number-field.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { write } from './write.ts';

type User = Answer<'GET /api/v1/admin/users'>['items'][number];
type Balance = Answer<'GET /api/v1/admin/users/:address'>['balances'][number];

const search = signal('');
const page = signal(1);
const pageSize = 20;

const balanceColumns: readonly Column<Balance>[] = [
  { title: 'Wallet', cell: (each) => (each.market === 'spot' ? 'Spot' : 'Perp') },
  { title: 'Token', cell: (each) => each.token },
  {
    title: 'Available',
    isNumber: true,
    cell: (each) => <Amount value={each.available} token={each.token} />,
  },
  {
    title: 'Locked',
    isNumber: true,
    cell: (each) => <Amount value={each.locked} token={each.token} />,
  },
];

async function showBalances(address: string): Promise<void> {
  try {
    const { balances } = await api.call('GET /api/v1/admin/users/:address', {
      params: { address },
    });
    const text = (
      <Table
        caption={`Balances of ${address}`}
        columns={balanceColumns}
        rows={balances}
        keyOf={(each) => each.market + each.token}
        empty="No balances."
      />
    );
    await confirm({ title: `Balances of ${address}`, text, action: 'Close', isStatement: true });
  } catch (error) {
    sayError(error);
  }
}

async function turnMarketMaker({ address, is_market_maker: is }: User): Promise<void> {
  await write(`${is ? 'End' : 'Start'} the market maker status of ${address}.`, () =>
    api.call('PUT /api/v1/admin/users/:address', {
      params: { address },
      body: { is_market_maker: !is },
    }),
  );
  refresh('GET /api/v1/admin/users');
}

const columns: readonly Column<User>[] = [
  {
    title: 'Account',
    cell: (user) => (
      <>
        <code>{user.address}</code> {user.username}
      </>
    ),
    text: (user) => user.address,
  },
  {
    title: 'Since',
    cell: (user) => formatMoment(user.created_at),
    text: (user) => user.created_at,
  },
  {
    title: 'VIP',
    cell: (user) => `${user.vip_tier}${user.vip_override === null ? '' : ' override'}`,
    text: (user) => user.vip_tier,
  },
  {
    title: 'Agent',
    cell: (user) =>
      user.agent === null
        ? '–'
        : `tier ${user.agent.tier_level}, ${user.agent.code ?? 'no code'}, ${user.agent.status}`,
    text: (user) => user.agent?.code ?? null,
  },
  {
    title: 'Referrer',
    cell: (user) => <code>{user.referrer ?? '–'}</code>,
    text: (user) => user.referrer,
  },
  {
    title: '',
    isNumber: true,
    cell: (user) => (
      <span class="row end">
        <button type="button" class="small" onClick={() => void showBalances(user.address)}>
          Balances
        </button>
        <button
          type="button"
          class="small"
          aria-pressed={user.is_market_maker}
          onClick={() => void turnMarketMaker(user)}
        >
          Market maker
        </button>
      </span>
    ),
  },
];

/** Finds accounts by a part of their address or name. */
export function Accounts() {
  const name = 'GET /api/v1/admin/users';
  const q = search.value.trim();
  return (
    <PagedPanel
      title="Accounts"
      name="accounts"
      query={useApi(
        name,
        { query: { q, page: page.value, page_size: pageSize } },
        { every: 30_000 },
      )}
      columns={columns}
      keyOf={(user) => user.address}
      empty="No account matches."
      load={() => readByNumber((each) => api.call(name, { query: { q, ...each } }))}
      page={page}
      pageSize={pageSize}
    >
      <div class="body">
        <TextField
          label="Address or name contains"
          value={search.value}
          onInput={(text) => {
            search.value = text;
            page.value = 1;
          }}
        />
      </div>
    </PagedPanel>
  );
}
