import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { loadSite, site } from '../../feed/site.ts';
import { formatMoment } from '../../number/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import { InsuranceFund } from './insurance-fund.tsx';
import { AllDeposits, AllWithdrawals, Solvency } from './money-lists.tsx';
import { Check, Form, get, isChecked } from './operator-form.tsx';
import { write } from './write.ts';

async function turnPause(paused: boolean): Promise<void> {
  const isWithContract = paused && isChecked('pause-contract');
  const pause = isWithContract
    ? 'Pause all withdrawals, and the contract of the vault, which only the council undoes.'
    : 'Pause all withdrawals.';
  const body = isWithContract ? { paused, pause_contract: true } : { paused };
  await write(
    paused ? pause : 'Resume withdrawals.',
    () => api.call('PUT /api/v1/admin/withdrawals/pause', { body }),
    paused ? 'pause' : undefined,
  );
  await loadSite();
  refresh('GET /api/v1/admin/chain/contract-pauses');
}

type Pause = Answer<'GET /api/v1/admin/withdrawals/pauses'>['items'][number];

const ofWhat = ({ scope, subject }: Pause): string =>
  subject === null ? scope : `${scope} ${subject}`;

const pauseColumns: readonly Column<Pause>[] = [
  { title: 'Pause', cell: (each) => each.id, text: (each) => each.id },
  { title: 'Applies to', cell: ofWhat, text: ofWhat },
  {
    title: 'Reason',
    cell: (each) => <span class="wrap">{each.reason}</span>,
    text: (each) => each.reason,
  },
  { title: 'Since', cell: (each) => formatMoment(each.raised_at), text: (each) => each.raised_at },
  { title: 'By', cell: (each) => each.raised_by, text: (each) => each.raised_by },
];

async function raisePause(): Promise<void> {
  const subject = get('pause-subject');
  await write(`Pause ${[get('pause-scope'), subject].join(' ').trim()}.`, () =>
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
  await write(`Lift pause ${id}.`, () =>
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
      <ListPanel
        title="Pauses"
        name="pauses"
        query={query}
        rowsOf={({ items }) => items}
        columns={pauseColumns}
        keyOf={(each) => each.id}
        empty="No pauses."
      />
      <Form
        title="Pause an asset, an account or deposits"
        names={[
          ['pause-scope', 'Scope', ['asset', 'account', 'deposits']],
          ['pause-subject', 'Token symbol or account address'],
          ['pause-why', 'Reason'],
        ]}
        action="Pause"
        onSubmit={raisePause}
      />
      <Form
        title="Lift a pause"
        names={[
          ['pause-id', 'Pause number'],
          ['pause-end', 'Reason'],
        ]}
        action="Lift"
        onSubmit={liftPause}
      />
    </>
  );
}

export function Money() {
  const isPaused = site.value?.are_withdrawals_paused === true;
  return (
    <>
      <section class="panel" aria-label="All withdrawals">
        <header>
          <h2>All withdrawals</h2>
          <span class={`tag ${isPaused ? 'warn' : 'good'}`}>{isPaused ? 'paused' : 'open'}</span>
        </header>
        <div class="body">
          <div class="row">
            {!isPaused && (
              <Check name="pause-contract" label="Also pause the contract of the vault" />
            )}
            <button type="button" onClick={() => void turnPause(!isPaused)}>
              {isPaused ? 'Resume withdrawals' : 'Pause all withdrawals'}
            </button>
          </div>
        </div>
      </section>
      <Pauses />
      <InsuranceFund />
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
            `Credit ${get('credit-amount')} ${get('credit-token')} to ${get('credit-address')}.`,
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
