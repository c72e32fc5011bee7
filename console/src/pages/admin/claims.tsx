import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
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

export function Claims() {
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
