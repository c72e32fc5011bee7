import { api } from '../../api/api.ts';
import { loadSite, site } from '../../feed/site.ts';
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
    </>
  );
}
