import type { Answer } from '@openbourse/client';
import { type Signal, signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import { write } from './write.ts';

type Claim = Answer<'GET /api/v1/admin/referral/claims'>['items'][number];

type Failed = Answer<'GET /api/v1/admin/referral/settlements/failed'>['items'][number];

const claimColumns: readonly Column<Claim>[] = [
  { title: 'Claim', cell: (each) => <code>{each.claim_no}</code>, text: (each) => each.claim_no },
  { title: 'Account', cell: (each) => <code>{each.address}</code>, text: (each) => each.address },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => <Usdt value={each.amount} />,
    text: (each) => each.amount,
  },
  {
    title: 'Status',
    cell: (each) => <span class="tag">{each.status}</span>,
    text: (each) => each.status,
  },
  {
    title: 'Requested',
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
            void write(`Retry the claim ${each.claim_no}.`, () =>
              api.call('POST /api/v1/admin/referral/claims/:claim_no/retry', {
                params: { claim_no: each.claim_no },
                body: null,
              }),
            )
          }
        >
          Retry
        </button>
      ),
  },
];

const failedColumns: readonly Column<Failed>[] = [
  { title: 'Account', cell: (each) => <code>{each.address}</code>, text: (each) => each.address },
  {
    title: 'Commission',
    isNumber: true,
    cell: (each) => <Usdt value={each.commission} />,
    text: (each) => each.commission,
  },
  { title: 'Reason', cell: (each) => each.error, text: (each) => each.error },
  {
    title: '',
    cell: (each) => (
      <button
        type="button"
        class="small"
        onClick={() =>
          void write(`Settle the commission of ${each.address} again.`, () =>
            api.call('POST /api/v1/admin/referral/settlements/retry', {
              body: { address: each.address },
            }),
          )
        }
      >
        Retry
      </button>
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
      title="Claims"
      name="claims"
      query={useApi(name, pageOf(claimsPage), { every: readMs })}
      columns={claimColumns}
      keyOf={(each) => each.claim_no}
      empty="No claims yet. Users make them on the referral page."
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
      title="Failed settlements"
      name="failed-settlements"
      query={useApi(name, pageOf(failedPage), { every: readMs })}
      columns={failedColumns}
      keyOf={(each) => each.address}
      empty="No failed settlements."
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
