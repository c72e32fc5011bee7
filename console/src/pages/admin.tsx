import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { adminKey, api } from '../api/api.ts';
import { refresh, useApi } from '../api/query.ts';
import { say, sayError } from '../feed/notices.ts';
import { loadSite, site } from '../feed/site.ts';
import { formatMoment, formatWhole } from '../number/format.ts';
import { confirm } from '../parts/dialog.tsx';
import { TextField } from '../parts/number-field.tsx';
import { type Column, CsvButton, Loaded, Table } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';

// The operator's page. Its key stays in memory, and is forgotten after a while and on leaving.

type Claim = Answer<'GET /api/v1/admin/referral/claims'>['items'][number];
type Failed = Answer<'GET /api/v1/admin/referral/settlements/failed'>['items'][number];
type MarketStatus = 'listed' | 'halted' | 'delisted';

const idleMs = 15 * 60_000;
const typedKey = signal('');
const shown = signal<'markets' | 'users' | 'claims' | 'money'>('markets');
const fields = signal<Readonly<Record<string, string>>>({});

const set =
  (name: string) =>
  (text: string): void => {
    fields.value = { ...fields.value, [name]: text };
  };
const get = (name: string): string => fields.value[name]?.trim() ?? '';

async function enter(): Promise<void> {
  adminKey.value = typedKey.value;
  typedKey.value = '';
  try {
    await api.call('GET /api/v1/admin/withdrawals/pause');
  } catch (error) {
    adminKey.value = null;
    sayError(error);
  }
}

/** Every write is asked for again; the heavy ones by typing their name. */
async function write(text: string, work: () => Promise<unknown>, typed?: string): Promise<void> {
  const question = { title: 'Do this as the operator?', text, action: 'Do it' };
  if (!(await confirm(typed === undefined ? question : { ...question, typed }))) return;
  try {
    await work();
    say('good', `${text} Done.`);
  } catch (error) {
    sayError(error);
  }
}

interface MarketRow {
  readonly kind: 'spot' | 'futures';
  readonly id: string;
  readonly status: string;
}

async function setStatus({ kind, id }: MarketRow, status: MarketStatus): Promise<void> {
  const work = () =>
    kind === 'spot'
      ? api.call('PUT /api/v1/admin/spot/markets/:id/status', { params: { id }, body: { status } })
      : api.call('PUT /api/v1/admin/futures/markets/:symbol/status', {
          params: { symbol: id },
          body: { status },
        });
  await write(
    `The ${kind} market ${id} becomes ${status}.`,
    work,
    status === 'delisted' ? id : undefined,
  );
  refresh('GET /api/v1/spot/markets', 'GET /api/v1/markets');
}

const marketColumns: readonly Column<MarketRow>[] = [
  { title: 'Kind', cell: ({ kind }) => kind, text: ({ kind }) => kind },
  { title: 'Market', cell: ({ id }) => id, text: ({ id }) => id },
  {
    title: 'Status',
    cell: ({ status }) => (
      <span class={`tag ${status === 'listed' ? 'good' : 'warn'}`}>{status}</span>
    ),
    text: ({ status }) => status,
  },
  {
    title: '',
    cell: (row) => (
      <span class="row">
        {(['listed', 'halted', 'delisted'] as const)
          .filter((status) => status !== row.status)
          .map((status) => (
            <button
              key={status}
              type="button"
              class="small"
              onClick={() => void setStatus(row, status)}
            >
              {{ listed: 'List', halted: 'Halt', delisted: 'Delist' }[status]}
            </button>
          ))}
      </span>
    ),
  },
];

async function createSpotMarket(): Promise<void> {
  const body = {
    ...{ id: get('id'), base_token: get('base'), quote_token: get('quote') },
    ...{ tick_size: get('tick'), lot_size: get('lot'), min_notional: get('notional') },
    ...{ maker_fee_bps: Number(get('maker')), taker_fee_bps: Number(get('taker')) },
  };
  await write(`The spot market ${body.id} is created.`, () =>
    api.call('POST /api/v1/admin/spot/markets', { body }),
  );
  refresh('GET /api/v1/spot/markets');
}

const marketFields = [
  ['id', 'Market, for example XYZUSDT'],
  ['base', 'Base token'],
  ['quote', 'Quote token'],
  ['tick', 'Tick'],
  ['lot', 'Lot'],
  ['notional', 'Least value of an order'],
  ['maker', 'Maker fee, bps'],
  ['taker', 'Taker fee, bps'],
] as const;

function Markets() {
  const spot = useApi('GET /api/v1/spot/markets', {});
  const futures = useApi('GET /api/v1/markets', {});
  const rows: readonly MarketRow[] = [
    ...(spot.data?.items ?? []).map(({ id, status }) => ({ kind: 'spot' as const, id, status })),
    ...(futures.data ?? []).map(({ symbol, status }) => ({
      kind: 'futures' as const,
      id: symbol,
      status,
    })),
  ];
  return (
    <>
      <section class="panel" aria-label="Markets">
        <header>
          <h2>Markets</h2>
          <CsvButton name="markets" columns={marketColumns} rows={rows} />
        </header>
        <Loaded query={spot}>
          {() => (
            <Table
              caption="Markets"
              columns={marketColumns}
              rows={rows}
              keyOf={({ kind, id }) => kind + id}
              empty="No markets."
            />
          )}
        </Loaded>
      </section>
      <Form
        title="New spot market"
        names={marketFields}
        action="Create"
        onSubmit={createSpotMarket}
      />
      <Form
        title="Index price of a perpetual"
        names={[
          ['index-symbol', 'Perpetual'],
          ['index-price', 'Price'],
        ]}
        action="Set"
        onSubmit={() =>
          write(`The index price of ${get('index-symbol')} becomes ${get('index-price')}.`, () =>
            api.call('PUT /api/v1/admin/futures/markets/:symbol/index-price', {
              params: { symbol: get('index-symbol') },
              body: { price: get('index-price') },
            }),
          )
        }
      />
    </>
  );
}

interface FormProps {
  readonly title: string;
  readonly names: readonly (readonly [string, string])[];
  readonly action: string;
  readonly onSubmit: () => Promise<void>;
}

function Form({ title, names, action, onSubmit }: FormProps) {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <form
        class="body"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <div class="row">
          {names.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              value={fields.value[name] ?? ''}
              onInput={set(name)}
            />
          ))}
          <button type="submit" class="primary">
            {action}
          </button>
        </div>
      </form>
    </section>
  );
}

function Users() {
  return (
    <>
      <Form
        title="Market maker"
        names={[
          ['maker-address', 'Address'],
          ['is-maker', 'yes or no'],
        ]}
        action="Set"
        onSubmit={() =>
          write(
            `${get('maker-address')} ${get('is-maker') === 'yes' ? 'becomes a' : 'is no'} market maker.`,
            () =>
              api.call('PUT /api/v1/admin/users/:address', {
                params: { address: get('maker-address') },
                body: { is_market_maker: get('is-maker') === 'yes' },
              }),
          )
        }
      />
      <Form
        title="VIP tier by hand"
        names={[
          ['vip-address', 'Address'],
          ['vip-tier', '0 to 5; empty: by volume'],
        ]}
        action="Set"
        onSubmit={() =>
          write(`The tier of ${get('vip-address')} is set.`, () =>
            api.call('PUT /api/v1/admin/users/:address', {
              params: { address: get('vip-address') },
              body: { vip_override: get('vip-tier') === '' ? null : Number(get('vip-tier')) },
            }),
          )
        }
      />
      <Form
        title="Referral agent"
        names={[
          ['agent', 'Address'],
          ['agent-tier', 'Tier, 0 to 4'],
        ]}
        action="Set"
        onSubmit={() =>
          write(`The tier of ${get('agent')} becomes ${get('agent-tier')}.`, () =>
            api.call('PUT /api/v1/admin/referral/agents/:wallet', {
              params: { wallet: get('agent') },
              body: { tier_level: Number(get('agent-tier')) },
            }),
          )
        }
      />
      <Form
        title="Credit points"
        names={[
          ['points-address', 'Address'],
          ['points', 'Points'],
          ['points-reference', 'Reference, once'],
        ]}
        action="Credit"
        onSubmit={() =>
          write(`${get('points')} points go to ${get('points-address')}.`, () =>
            api.call('POST /api/v1/admin/points/credits', {
              body: {
                user_address: get('points-address'),
                points: get('points'),
                reference: get('points-reference'),
                type: 'trading',
              },
            }),
          )
        }
      />
    </>
  );
}

const claimColumns: readonly Column<Claim>[] = [
  { title: 'Claim', cell: (each) => <code>{each.claim_no}</code>, text: (each) => each.claim_no },
  { title: 'Account', cell: (each) => <code>{each.address}</code>, text: (each) => each.address },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => formatWhole(each.amount),
    text: (each) => each.amount,
  },
  {
    title: 'State',
    cell: (each) => <span class="tag">{each.status}</span>,
    text: (each) => each.status,
  },
  {
    title: 'Asked for',
    cell: (each) => formatMoment(each.applied_at),
    text: (each) => each.applied_at,
  },
  {
    title: '',
    cell: (each) =>
      each.status === 'failed' && (
        <button
          type="button"
          class="small"
          onClick={() =>
            void write(`The claim ${each.claim_no} is tried again.`, () =>
              api.call('POST /api/v1/admin/referral/claims/:claim_no/retry', {
                params: { claim_no: each.claim_no },
                body: null,
              }),
            )
          }
        >
          Try again
        </button>
      ),
  },
];
const failedColumns: readonly Column<Failed>[] = [
  { title: 'Account', cell: (each) => <code>{each.address}</code>, text: (each) => each.address },
  {
    title: 'Commission',
    isNumber: true,
    cell: (each) => formatWhole(each.commission),
    text: (each) => each.commission,
  },
  { title: 'Why', cell: (each) => each.error, text: (each) => each.error },
  {
    title: '',
    cell: (each) => (
      <button
        type="button"
        class="small"
        onClick={() =>
          void write(`The commission of ${each.address} is settled again.`, () =>
            api.call('POST /api/v1/admin/referral/settlements/retry', {
              body: { address: each.address },
            }),
          )
        }
      >
        Try again
      </button>
    ),
  },
];

function Claims() {
  const claims = useApi(
    'GET /api/v1/admin/referral/claims',
    { query: { page_size: 50 } },
    { every: 10_000 },
  );
  const failed = useApi(
    'GET /api/v1/admin/referral/settlements/failed',
    { query: { page_size: 50 } },
    { every: 10_000 },
  );
  return (
    <>
      <section class="panel" aria-label="Claims">
        <header>
          <h2>Newest claims</h2>
          <CsvButton name="claims" columns={claimColumns} rows={claims.data?.items ?? []} />
        </header>
        <Loaded query={claims}>
          {({ items }) => (
            <Table
              caption="Claims"
              columns={claimColumns}
              rows={items}
              keyOf={(each) => each.claim_no}
              empty="No claims yet."
            />
          )}
        </Loaded>
      </section>
      <section class="panel" aria-label="Failed settlements">
        <header>
          <h2>Failed settlements</h2>
          <CsvButton
            name="failed-settlements"
            columns={failedColumns}
            rows={failed.data?.items ?? []}
          />
        </header>
        <Loaded query={failed}>
          {({ items }) => (
            <Table
              caption="Failed settlements"
              columns={failedColumns}
              rows={items}
              keyOf={(each) => each.address}
              empty="None has failed."
            />
          )}
        </Loaded>
      </section>
    </>
  );
}

async function turnPause(paused: boolean): Promise<void> {
  const text = paused ? 'All withdrawals are paused.' : 'Withdrawals go on.';
  await write(
    text,
    () => api.call('PUT /api/v1/admin/withdrawals/pause', { body: { paused } }),
    paused ? 'pause' : undefined,
  );
  await loadSite();
}

function Money() {
  const isPaused = site.value?.are_withdrawals_paused === true;
  return (
    <>
      <section class="panel" aria-label="Withdrawals">
        <header>
          <h2>Withdrawals</h2>
          <span class={`tag ${isPaused ? 'warn' : 'good'}`}>{isPaused ? 'paused' : 'open'}</span>
        </header>
        <div class="body">
          <button type="button" onClick={() => void turnPause(!isPaused)}>
            {isPaused ? 'Let withdrawals go on' : 'Pause all withdrawals'}
          </button>
        </div>
      </section>
      <Form
        title="Test credit"
        names={[
          ['credit-address', 'Address'],
          ['credit-token', 'Token'],
          ['credit-amount', 'Amount'],
        ]}
        action="Credit"
        onSubmit={() =>
          write(
            `${get('credit-amount')} ${get('credit-token')} go to ${get('credit-address')}.`,
            () =>
              api.call('POST /api/v1/admin/spot/balances/credit', {
                body: {
                  user_address: get('credit-address'),
                  token: get('credit-token'),
                  amount: get('credit-amount'),
                },
              }),
          )
        }
      />
    </>
  );
}

function Desk() {
  useEffect(() => {
    let timer = setTimeout(forget, idleMs);
    function forget(): void {
      adminKey.value = null;
    }
    const stay = (): void => {
      clearTimeout(timer);
      timer = setTimeout(forget, idleMs);
    };
    addEventListener('pointerdown', stay);
    addEventListener('keydown', stay);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerdown', stay);
      removeEventListener('keydown', stay);
      forget();
    };
  }, []);
  return (
    <>
      <Tabs
        label="What is administered"
        tabs={[
          { id: 'markets', label: 'Markets' },
          { id: 'users', label: 'Users' },
          { id: 'claims', label: 'Claims' },
          { id: 'money', label: 'Money' },
        ]}
        chosen={shown.value}
        onChoose={(id) => {
          shown.value = id;
        }}
      />
      {shown.value === 'markets' && <Markets />}
      {shown.value === 'users' && <Users />}
      {shown.value === 'claims' && <Claims />}
      {shown.value === 'money' && <Money />}
    </>
  );
}

export function AdminPage() {
  return (
    <main class="page" id="main">
      <h1>Operator</h1>
      {adminKey.value === null ? (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void enter();
          }}
        >
          <TextField
            label="The administrator’s key: kept in memory, forgotten on leaving"
            type="password"
            value={typedKey.value}
            onInput={(text) => {
              typedKey.value = text;
            }}
          />
          <button type="submit" class="primary">
            Enter
          </button>
        </form>
      ) : (
        <Desk />
      )}
    </main>
  );
}
