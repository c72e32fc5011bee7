import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { loadSite, site } from '../../feed/site.ts';
import { formatMoment } from '../../number/format.ts';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import { AllDeposits, AllWithdrawals, Solvency } from './money-lists.tsx';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

async function turnPause(paused: boolean): Promise<void> {
  const text = paused ? 'All withdrawals are paused.' : 'Withdrawals go on.';
  await write(
    text,
    () => api.call('PUT /api/v1/admin/withdrawals/pause', { body: { paused } }),
    paused ? 'pause' : undefined,
  );
  await loadSite();
}

type Pause = Answer<'GET /api/v1/admin/withdrawals/pauses'>['items'][number];

const ofWhat = ({ scope, subject }: Pause): string =>
  subject === null ? scope : `${scope} ${subject}`;

const pauseColumns: readonly Column<Pause>[] = [
  { title: 'Pause', cell: (each) => each.id, text: (each) => each.id },
  { title: 'Of', cell: ofWhat, text: ofWhat },
  {
    title: 'Why',
    cell: (each) => <span class="wrap">{each.reason}</span>,
    text: (each) => each.reason,
  },
  { title: 'Since', cell: (each) => formatMoment(each.raised_at), text: (each) => each.raised_at },
  { title: 'By', cell: (each) => each.raised_by, text: (each) => each.raised_by },
];

async function raisePause(): Promise<void> {
  const subject = get('pause-subject');
  await write('It is paused.', () =>
    api.call('POST /api/v1/admin/withdrawals/pauses', {
      body: {
        scope: get('pause-scope') as Pause['scope'],
        reason: get('pause-why'),
        ...(subject === '' ? {} : { subject }),
      },
    }),
  );
  refresh('GET /api/v1/admin/withdrawals/pauses');
}

async function liftPause(): Promise<void> {
  const id = get('pause-id');
  await write(`The pause ${id} has ended.`, () =>
    api.call('POST /api/v1/admin/withdrawals/pauses/:id/lift', {
      params: { id },
      body: { reason: get('pause-end') },
    }),
  );
  refresh('GET /api/v1/admin/withdrawals/pauses');
}

/** Lists what is paused beside the switch for all withdrawals. */
function Pauses() {
  const query = useApi('GET /api/v1/admin/withdrawals/pauses', {}, { every: 10_000 });
  return (
    <>
      <section class="panel" aria-label="Pauses">
        <header>
          <h2>Pauses</h2>
          <CsvButton name="pauses" columns={pauseColumns} rows={query.data?.items ?? []} />
        </header>
        <Loaded query={query}>
          {({ items }) => (
            <Table
              caption="Pauses of assets, accounts and deposits"
              columns={pauseColumns}
              rows={items}
              keyOf={(each) => each.id}
              empty="No asset, no account and no deposits are paused."
            />
          )}
        </Loaded>
      </section>
      <Form
        title="Pause a part"
        names={[
          ['pause-scope', 'asset, account or deposits'],
          ['pause-subject', 'Symbol or address'],
          ['pause-why', 'Why'],
        ]}
        action="Pause it"
        onSubmit={raisePause}
      />
      <Form
        title="End a pause"
        names={[
          ['pause-id', 'Pause'],
          ['pause-end', 'Why it may end'],
        ]}
        action="End it"
        onSubmit={liftPause}
      />
    </>
  );
}

export function Money() {
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
      <Pauses />
      <Solvency />
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
      <AllDeposits />
      <AllWithdrawals />
    </>
  );
}
