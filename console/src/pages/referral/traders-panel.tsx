import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { SelectField, TextField } from '../../parts/number-field.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import type { Column } from '../../parts/table.tsx';

type Trader = Answer<'GET /api/v1/referral/traders'>['items'][number];

const business = signal<'all' | 'spot' | 'futures'>('all');
const time = signal<'all' | '7d' | '30d'>('all');
const search = signal('');
const page = signal(1);
const pageSize = 50;

const traderColumns: readonly Column<Trader>[] = [
  { title: 'Trader', cell: (each) => <code>{each.address}</code>, text: (each) => each.address },
  { title: 'Bound', cell: (each) => formatMoment(each.bound_at), text: (each) => each.bound_at },
  {
    title: 'Spot',
    isNumber: true,
    cell: (each) => <Usdt value={each.spot_commission} />,
    text: (each) => each.spot_commission,
  },
  {
    title: 'Futures',
    isNumber: true,
    cell: (each) => <Usdt value={each.futures_commission} />,
    text: (each) => each.futures_commission,
  },
  {
    title: 'Total',
    isNumber: true,
    cell: (each) => <Usdt value={each.total_commission} />,
    text: (each) => each.total_commission,
  },
  {
    title: 'Last trade',
    cell: (each) => formatMoment(each.last_trade_at),
    text: (each) => each.last_trade_at,
  },
  {
    title: 'State',
    cell: (each) => (
      <span class={`tag ${each.status === 'active' ? 'good' : ''}`}>{each.status}</span>
    ),
    text: (each) => each.status,
  },
];

function Filters() {
  const first = (): void => {
    page.value = 1;
  };
  return (
    <div class="body">
      <div class="row">
        <SelectField
          label="Commission of"
          value={business.value}
          options={[
            { value: 'all', text: 'Spot and futures' },
            { value: 'spot', text: 'Spot' },
            { value: 'futures', text: 'Futures' },
          ]}
          onChange={(value) => {
            business.value = value;
            first();
          }}
        />
        <SelectField
          label="Earned in"
          value={time.value}
          options={[
            { value: 'all', text: 'All time' },
            { value: '7d', text: '7 days' },
            { value: '30d', text: '30 days' },
          ]}
          onChange={(value) => {
            time.value = value;
            first();
          }}
        />
        <TextField
          label="A part of the address"
          value={search.value}
          onInput={(text) => {
            search.value = text;
            first();
          }}
        />
      </div>
    </div>
  );
}

/** The traders that are bound to the account, with what they earned it. */
export function TradersPanel() {
  const q = search.value.trim();
  const filter = { biz: business.value, time: time.value, ...(q === '' ? {} : { q }) };
  const query = useApi('GET /api/v1/referral/traders', {
    query: { ...filter, page: page.value, page_size: pageSize },
  });
  return (
    <PagedPanel
      title="Traders"
      name="traders"
      query={query}
      columns={traderColumns}
      keyOf={(each) => each.address}
      empty={
        q === ''
          ? 'Nobody is bound to you yet. Share your link.'
          : 'None of your traders has this address.'
      }
      load={() =>
        readByNumber((each) =>
          api.call('GET /api/v1/referral/traders', { query: { ...filter, ...each } }),
        )
      }
      page={page}
      pageSize={pageSize}
    >
      <Filters />
    </PagedPanel>
  );
}
