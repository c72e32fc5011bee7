import type { Answer } from '@openbourse/client';
import { type Signal, signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
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
      empty="No claims yet."
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
      empty="None has failed."
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
