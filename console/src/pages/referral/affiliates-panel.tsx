import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { useApi } from '../../api/query.ts';
import { say } from '../../feed/notices.ts';
import { formatFraction, formatWhole } from '../../number/format.ts';
import { TextField } from '../../parts/number-field.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import { isBusy, run } from './run.ts';

type Affiliate = Answer<'GET /api/v1/referral/affiliates'>['items'][number];

const promoted = signal('');

const rate = signal('0.05');

async function promote(): Promise<void> {
  await api.call('POST /api/v1/referral/affiliates', {
    body: { wallet: promoted.value.trim(), sub_rate: rate.value },
  });
  promoted.value = '';
  say('good', 'Promoted.');
}

const affiliateColumns: readonly Column<Affiliate>[] = [
  { title: 'Affiliate', cell: (each) => <code>{each.address}</code>, text: (each) => each.address },
  {
    title: 'Rate',
    isNumber: true,
    cell: (each) => formatFraction(each.sub_rate),
    text: (each) => each.sub_rate,
  },
  {
    title: 'Spread',
    isNumber: true,
    cell: (each) => formatFraction(each.spread_rate),
    text: (each) => each.spread_rate,
  },
  {
    title: 'Traders',
    isNumber: true,
    cell: (each) => each.direct_traders_count,
    text: (each) => each.direct_traders_count,
  },
  {
    title: 'Earned',
    isNumber: true,
    cell: (each) => formatWhole(each.total_spread_commission),
    text: (each) => each.total_spread_commission,
  },
];

export function AffiliatesPanel() {
  const affiliates = useApi('GET /api/v1/referral/affiliates', { query: { page_size: 50 } });
  return (
    <section class="panel" aria-label="Affiliates">
      <header>
        <h2>Affiliates</h2>
        <CsvButton
          name="affiliates"
          columns={affiliateColumns}
          rows={affiliates.data?.items ?? []}
        />
      </header>
      <form
        class="body"
        onSubmit={(event) => {
          event.preventDefault();
          void run(promote);
        }}
      >
        <div class="row">
          <TextField
            label="Trader to promote"
            value={promoted.value}
            placeholder="0x…"
            onInput={(text) => {
              promoted.value = text;
            }}
          />
          <TextField
            label="Rate, for example 0.05"
            value={rate.value}
            onInput={(text) => {
              rate.value = text;
            }}
          />
          <button type="submit" disabled={isBusy.value}>
            Promote
          </button>
        </div>
      </form>
      <Loaded query={affiliates}>
        {({ items }) => (
          <Table
            caption="Affiliates"
            columns={affiliateColumns}
            rows={items}
            keyOf={(each) => each.address}
            empty="No affiliates yet."
          />
        )}
      </Loaded>
    </section>
  );
}
