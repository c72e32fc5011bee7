import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { loadSite, site } from '../../feed/site.ts';
import { formatMoment } from '../../number/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { foreignText, sentenceLength } from '../../text/foreign.ts';
import { InsuranceFund } from './insurance-fund.tsx';
import { AllDeposits, AllWithdrawals, Solvency } from './money-lists.tsx';
import { Check, Form, get, isChecked } from './operator-form.tsx';
import { write } from './write.ts';

async function turnPause(paused: boolean): Promise<void> {
  const isWithContract = paused && isChecked('pause-contract');
  const pause = isWithContract
    ? texts.pauseWithdrawalsAndVaultAction
    : texts.pauseWithdrawalsAction;
  const body = isWithContract ? { paused, pause_contract: true } : { paused };
  await write(
    paused ? pause : texts.resumeWithdrawalsAction,
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
  { title: texts.pause, cell: (each) => each.id, text: (each) => each.id },
  { title: texts.appliesTo, cell: ofWhat, text: ofWhat },
  {
    title: texts.reason,
    cell: (each) => <span class="wrap">{foreignText(each.reason, sentenceLength)}</span>,
    text: (each) => each.reason,
  },
  {
    title: texts.since,
    cell: (each) => formatMoment(each.raised_at),
    text: (each) => each.raised_at,
  },
  { title: texts.by, cell: (each) => each.raised_by, text: (each) => each.raised_by },
];

async function raisePause(): Promise<void> {
  const subject = get('pause-subject');
  await write(texts.pauseAction([get('pause-scope'), subject].join(' ').trim()), () =>
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
  await write(texts.liftPauseAction(id), () =>
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
        title={texts.pauses}
        name="pauses"
        query={query}
        rowsOf={({ items }) => items}
        columns={pauseColumns}
        keyOf={(each) => each.id}
        empty={texts.noPauses}
      />
      <Form
        title={texts.newPause}
        names={[
          ['pause-scope', texts.scope, ['asset', 'account', 'deposits']],
          ['pause-subject', texts.tokenSymbolOrAccountAddress],
          ['pause-why', texts.reason],
        ]}
        action={texts.pause}
        onSubmit={raisePause}
      />
      <Form
        title={texts.liftOnePause}
        names={[
          ['pause-id', texts.pauseNumber],
          ['pause-end', texts.reason],
        ]}
        action={texts.lift}
        onSubmit={liftPause}
      />
    </>
  );
}

export function Money() {
  const isPaused = site.value?.are_withdrawals_paused === true;
  return (
    <>
      <section class="panel" aria-label={texts.allWithdrawals}>
        <header>
          <h2>{texts.allWithdrawals}</h2>
          <span class={`tag ${isPaused ? 'warn' : 'good'}`}>
            {isPaused ? texts.paused : texts.open}
          </span>
        </header>
        <div class="body">
          <div class="row">
            {!isPaused && <Check name="pause-contract" label={texts.alsoPauseVault} />}
            <SendButton onClick={() => void turnPause(!isPaused)}>
              {isPaused ? texts.resumeWithdrawals : texts.pauseAllWithdrawals}
            </SendButton>
          </div>
        </div>
      </section>
      <Pauses />
      <InsuranceFund />
      <Solvency />
      <Form
        title={texts.testCredit}
        names={[
          ['credit-address', texts.address],
          ['credit-token', texts.token],
          ['credit-amount', texts.amount],
        ]}
        action={texts.credit}
        onSubmit={() =>
          write(
            texts.creditAction(get('credit-amount'), get('credit-token'), get('credit-address')),
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
