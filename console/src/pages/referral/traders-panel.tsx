import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { ChainLink } from '../../parts/chain-link.tsx';
import { SelectField, TextField } from '../../parts/number-field.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/referral.ts';

type Trader = Answer<'GET /api/v1/referral/traders'>['items'][number];

const business = signal<'all' | 'spot' | 'futures'>('all');
const time = signal<'all' | '7d' | '30d'>('all');
const search = signal('');
const page = signal(1);
const pageSize = 50;

const traderColumns: readonly Column<Trader>[] = [
  {
    title: texts.trader,
    cell: (each) => <ChainLink to="address" value={each.address} isShort />,
    text: (each) => each.address,
  },
  {
    title: texts.bound,
    cell: (each) => formatMoment(each.bound_at),
    text: (each) => each.bound_at,
  },
  {
    title: texts.spot,
    isNumber: true,
    cell: (each) => <Usdt value={each.spot_commission} />,
    text: (each) => each.spot_commission,
  },
  {
    title: texts.futures,
    isNumber: true,
    cell: (each) => <Usdt value={each.futures_commission} />,
    text: (each) => each.futures_commission,
  },
  {
    title: texts.total,
    isNumber: true,
    cell: (each) => <Usdt value={each.total_commission} />,
    text: (each) => each.total_commission,
  },
  {
    title: texts.lastTrade,
    cell: (each) => formatMoment(each.last_trade_at),
    text: (each) => each.last_trade_at,
  },
  {
    title: texts.state,
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
          label={texts.commissionOf}
          value={business.value}
          options={[
            { value: 'all', text: texts.spotAndFutures },
            { value: 'spot', text: texts.spot },
            { value: 'futures', text: texts.futures },
          ]}
          onChange={(value) => {
            business.value = value;
            first();
          }}
        />
        <SelectField
          label={texts.earnedIn}
          value={time.value}
          options={[
            { value: 'all', text: texts.allTime },
            { value: '7d', text: texts.sevenDays },
            { value: '30d', text: texts.thirtyDays },
          ]}
          onChange={(value) => {
            time.value = value;
            first();
          }}
        />
        <TextField
          label={texts.partOfAddress}
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
      title={texts.traders}
      name="traders"
      query={query}
      columns={traderColumns}
      keyOf={(each) => each.address}
      empty={q === '' ? texts.noTradersYet : texts.noTraderFound}
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
