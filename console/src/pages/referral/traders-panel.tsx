import type { Answer } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';

type Trader = Answer<'GET /api/v1/referral/traders'>['items'][number];

const traderColumns: readonly Column<Trader>[] = [
  { title: 'Trader', cell: (each) => <code>{each.address}</code>, text: (each) => each.address },
  { title: 'Bound', cell: (each) => formatMoment(each.bound_at), text: (each) => each.bound_at },
  {
    title: 'Spot',
    isNumber: true,
    cell: (each) => formatWhole(each.spot_commission),
    text: (each) => each.spot_commission,
  },
  {
    title: 'Futures',
    isNumber: true,
    cell: (each) => formatWhole(each.futures_commission),
    text: (each) => each.futures_commission,
  },
  {
    title: 'Total',
    isNumber: true,
    cell: (each) => formatWhole(each.total_commission),
    text: (each) => each.total_commission,
  },
  {
    title: 'State',
    cell: (each) => (
      <span class={`tag ${each.status === 'active' ? 'good' : ''}`}>{each.status}</span>
    ),
    text: (each) => each.status,
  },
];

export function TradersPanel() {
  const traders = useApi('GET /api/v1/referral/traders', { query: { page_size: 50 } });
  return (
    <section class="panel" aria-label="Traders">
      <header>
        <h2>Traders</h2>
        <CsvButton name="traders" columns={traderColumns} rows={traders.data?.items ?? []} />
      </header>
      <Loaded query={traders}>
        {({ items }) => (
          <Table
            caption="Traders"
            columns={traderColumns}
            rows={items}
            keyOf={(each) => each.address}
            empty="Nobody is bound to you yet. Share your code."
          />
        )}
      </Loaded>
    </section>
  );
}
