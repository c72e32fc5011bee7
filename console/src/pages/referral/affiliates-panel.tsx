import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { say } from '../../feed/notices.ts';
import { formatFraction } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { ChainLink } from '../../parts/chain-link.tsx';
import { TextField } from '../../parts/number-field.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/referral.ts';
import { isBusy, run } from './run.ts';

type Affiliate = Answer<'GET /api/v1/referral/affiliates'>['items'][number];

const wallet = signal('');
const rate = signal('0.05');
const page = signal(1);
const pageSize = 50;

async function promote(): Promise<void> {
  await api.call('POST /api/v1/referral/affiliates', {
    body: { wallet: wallet.value.trim(), sub_rate: rate.value },
  });
  wallet.value = '';
  say('good', texts.promoted);
}

async function changeRate(): Promise<void> {
  await api.call('PUT /api/v1/referral/affiliates/:wallet', {
    params: { wallet: wallet.value.trim() },
    body: { sub_rate: rate.value },
  });
  wallet.value = '';
  say('good', texts.rateChanged);
}

function take({ address, sub_rate: present }: Affiliate): void {
  wallet.value = address;
  rate.value = present;
}

const affiliateColumns: readonly Column<Affiliate>[] = [
  {
    title: texts.affiliate,
    cell: (each) => <ChainLink to="address" value={each.address} isShort />,
    text: (each) => each.address,
  },
  {
    title: texts.rate,
    isNumber: true,
    cell: (each) => formatFraction(each.sub_rate),
    text: (each) => each.sub_rate,
  },
  {
    title: texts.spread,
    isNumber: true,
    cell: (each) => formatFraction(each.spread_rate),
    text: (each) => each.spread_rate,
  },
  {
    title: texts.traders,
    isNumber: true,
    cell: (each) => each.direct_traders_count,
    text: (each) => each.direct_traders_count,
  },
  {
    title: texts.teamFees,
    isNumber: true,
    cell: (each) => <Usdt value={each.team_volume} />,
    text: (each) => each.team_volume,
  },
  {
    title: texts.earned,
    isNumber: true,
    cell: (each) => <Usdt value={each.total_spread_commission} />,
    text: (each) => each.total_spread_commission,
  },
  {
    title: '',
    cell: (each) => (
      <button type="button" class="small" onClick={() => take(each)}>
        {texts.changeRate}
      </button>
    ),
  },
];

function RateForm({ isAffiliate }: { isAffiliate: boolean }) {
  return (
    <form
      class="body"
      onSubmit={(event) => {
        event.preventDefault();
        void run(isAffiliate ? changeRate : promote);
      }}
    >
      <div class="row">
        <TextField
          label={texts.traderToPromote}
          value={wallet.value}
          placeholder="0x…"
          onInput={(text) => {
            wallet.value = text;
          }}
        />
        <TextField
          label={texts.rateExample}
          value={rate.value}
          onInput={(text) => {
            rate.value = text;
          }}
        />
        <SendButton type="submit" disabled={isBusy.value}>
          {isAffiliate ? texts.setRate : texts.promote}
        </SendButton>
      </div>
    </form>
  );
}

export function AffiliatesPanel() {
  const name = 'GET /api/v1/referral/affiliates';
  const query = useApi(name, { query: { page: page.value, page_size: pageSize } });
  const typed = wallet.value.trim().toLowerCase();
  return (
    <PagedPanel
      title={texts.affiliates}
      name="affiliates"
      query={query}
      columns={affiliateColumns}
      keyOf={(each) => each.address}
      empty={texts.noAffiliatesYet}
      load={() => readByNumber((each) => api.call(name, { query: each }))}
      page={page}
      pageSize={pageSize}
    >
      <RateForm isAffiliate={query.data?.items.some(({ address }) => address === typed) === true} />
    </PagedPanel>
  );
}
