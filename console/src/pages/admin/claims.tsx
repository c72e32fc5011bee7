import type { Answer } from '@openbourse/client';
import { type Signal, signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { ChainLink } from '../../parts/chain-link.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { write } from './write.ts';

type Claim = Answer<'GET /api/v1/admin/referral/claims'>['items'][number];

type Failed = Answer<'GET /api/v1/admin/referral/settlements/failed'>['items'][number];

const claimColumns: readonly Column<Claim>[] = [
  {
    title: texts.claim,
    cell: (each) => <code>{each.claim_no}</code>,
    text: (each) => each.claim_no,
  },
  {
    title: texts.account,
    cell: (each) => <ChainLink to="address" value={each.address} />,
    text: (each) => each.address,
  },
  {
    title: texts.amount,
    isNumber: true,
    cell: (each) => <Usdt value={each.amount} />,
    text: (each) => each.amount,
  },
  {
    title: texts.status,
    cell: ({ status }) => (
      <span class={`tag ${status === 'success' ? 'good' : status === 'failed' ? 'bad' : ''}`}>
        {status}
      </span>
    ),
    text: (each) => each.status,
  },
  {
    title: texts.requested,
    cell: (each) => formatMoment(each.applied_at),
    text: (each) => each.applied_at,
  },
  {
    title: '',
    cell: (each) =>
      each.status === 'failed' && (
        <SendButton
          class="small"
          onClick={() =>
            void write(texts.retryClaimAction(each.claim_no), () =>
              api.call('POST /api/v1/admin/referral/claims/:claim_no/retry', {
                params: { claim_no: each.claim_no },
                body: null,
              }),
            )
          }
        >
          {texts.retry}
        </SendButton>
      ),
  },
];

const failedColumns: readonly Column<Failed>[] = [
  {
    title: texts.account,
    cell: (each) => <ChainLink to="address" value={each.address} />,
    text: (each) => each.address,
  },
  {
    title: texts.commission,
    isNumber: true,
    cell: (each) => <Usdt value={each.commission} />,
    text: (each) => each.commission,
  },
  { title: texts.reason, cell: (each) => each.error, text: (each) => each.error },
  {
    title: '',
    cell: (each) => (
      <SendButton
        class="small"
        onClick={() =>
          void write(texts.settleCommissionAction(each.address), () =>
            api.call('POST /api/v1/admin/referral/settlements/retry', {
              body: { address: each.address },
            }),
          )
        }
      >
        {texts.retry}
      </SendButton>
    ),
  },
];

const claimsPage = signal(1);
const failedPage = signal(1);
const pageSize = 20;
const readMs = 10_000;
const pageOf = (page: Signal<number>) => ({ query: { page: page.value, page_size: pageSize } });

function AllClaims() {
  const name = 'GET /api/v1/admin/referral/claims';
  return (
    <PagedPanel
      title={texts.claims}
      name="claims"
      query={useApi(name, pageOf(claimsPage), { every: readMs })}
      columns={claimColumns}
      keyOf={(each) => each.claim_no}
      empty={texts.noClaimsYet}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={claimsPage}
      pageSize={pageSize}
    />
  );
}

function FailedSettlements() {
  const name = 'GET /api/v1/admin/referral/settlements/failed';
  return (
    <PagedPanel
      title={texts.failedSettlements}
      name="failed-settlements"
      query={useApi(name, pageOf(failedPage), { every: readMs })}
      columns={failedColumns}
      keyOf={(each) => each.address}
      empty={texts.noFailedSettlements}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={failedPage}
      pageSize={pageSize}
    />
  );
}

export function Claims() {
  return (
    <>
      <AllClaims />
      <FailedSettlements />
    </>
  );
}
