import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { refresh, useApi } from '../../api/query.ts';
import { sayError } from '../../feed/notices.ts';
import { formatMoment } from '../../number/format.ts';
import { balanceColumns } from '../../parts/balance-columns.tsx';
import { ChainLink } from '../../parts/chain-link.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { ListEnd } from '../../parts/list-end.tsx';
import { TextField } from '../../parts/number-field.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { type Column, CsvButton, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { foreignText } from '../../text/foreign.ts';
import { write } from './write.ts';

type User = Answer<'GET /api/v1/admin/users'>['items'][number];

const search = signal('');
const page = signal(1);
const pageSize = 20;

async function showBalances(address: string): Promise<void> {
  try {
    const { balances } = await api.call('GET /api/v1/admin/users/:address', {
      params: { address },
    });
    const text = (
      <>
        <Table
          caption={texts.balancesOf(address)}
          columns={balanceColumns}
          rows={balances}
          keyOf={(each) => each.market + each.token}
          empty={texts.noBalances}
        />
        <ListEnd
          count={balances.length}
          isWhole
          csv={<CsvButton name={`balances-${address}`} columns={balanceColumns} rows={balances} />}
        />
      </>
    );
    await confirm({
      title: texts.balancesOf(address),
      text,
      action: texts.close,
      isStatement: true,
    });
  } catch (error) {
    sayError(error);
  }
}

async function turnMarketMaker({ address, is_market_maker: is }: User): Promise<void> {
  await write(texts.marketMakerAction(is ? texts.end : texts.start, address), () =>
    api.call('PUT /api/v1/admin/users/:address', {
      params: { address },
      body: { is_market_maker: !is },
    }),
  );
  refresh('GET /api/v1/admin/users');
}

const columns: readonly Column<User>[] = [
  {
    title: texts.account,
    cell: (user) => (
      <>
        <ChainLink to="address" value={user.address} /> {foreignText(user.username ?? '')}
      </>
    ),
    text: (user) => user.address,
  },
  {
    title: texts.since,
    cell: (user) => formatMoment(user.created_at),
    text: (user) => user.created_at,
  },
  {
    title: 'VIP',
    cell: (user) => `${user.vip_tier}${user.vip_override === null ? '' : ` ${texts.override}`}`,
    text: (user) => user.vip_tier,
  },
  {
    title: texts.agent,
    cell: (user) =>
      user.agent === null
        ? '–'
        : texts.agentSummary(
            user.agent.tier_level,
            user.agent.code ?? texts.noCode,
            user.agent.status,
          ),
    text: (user) => user.agent?.code ?? null,
  },
  {
    title: texts.referrer,
    cell: (user) => <ChainLink to="address" value={user.referrer} />,
    text: (user) => user.referrer,
  },
  {
    title: '',
    cell: (user) => (
      <span class="row">
        <SendButton class="small" onClick={() => void showBalances(user.address)}>
          {texts.balances}
        </SendButton>
        <SendButton
          class="small"
          aria-pressed={user.is_market_maker}
          onClick={() => void turnMarketMaker(user)}
        >
          {texts.marketMaker}
        </SendButton>
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
      title={texts.accounts}
      name="accounts"
      query={useApi(
        name,
        { query: { q, page: page.value, page_size: pageSize } },
        { every: 30_000 },
      )}
      columns={columns}
      keyOf={(user) => user.address}
      empty={texts.noAccountMatches}
      load={() => readByNumber((each) => api.call(name, { query: { q, ...each } }))}
      page={page}
      pageSize={pageSize}
    >
      <div class="body">
        <TextField
          label={texts.addressOrNameContains}
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
