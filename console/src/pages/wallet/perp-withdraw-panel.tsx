import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { now } from '../../feed/clock.ts';
import { say } from '../../feed/notices.ts';
import { address } from '../../feed/session.ts';
import { formatDecimal } from '../../number/format.ts';
import { readNumber } from '../../number/read-number.ts';
import { confirm } from '../../parts/dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { Stepper } from '../../parts/stepper.tsx';
import { sendRelease } from './open-withdrawal.tsx';
import { isBusy, run } from './run.ts';
import { isOpen, requestedNotice, stepsOf } from './withdrawal-steps.ts';

// A withdrawal from the perp wallet: requested, confirmed (which signs it, or sends it to manual
// review), sent by the wallet, completed.

export type PerpWithdrawal = Answer<'GET /api/v1/withdraw/history'>['items'][number];

const amountText = signal('');
const token = 'USDT';

const refreshAll = (): void =>
  refresh('GET /api/v1/withdraw/history', 'GET /api/v1/unified/account');

async function request(): Promise<void> {
  const amount = readNumber(amountText.value);
  if (amount === null) return;
  await api.call('POST /api/v1/withdraw/request', { body: { token, amount } });
  amountText.value = '';
  say('plain', `${amount} ${token} are set aside. Confirm the withdrawal, or cancel it.`);
  refreshAll();
}

async function confirmIt({ id, amount }: PerpWithdrawal): Promise<void> {
  const text = `${amount} ${token} go to ${address.value}, the address that is signed in, and to no other.`;
  if (!(await confirm({ title: 'Withdraw?', text, action: 'Confirm', isMoney: true }))) return;
  say(
    'plain',
    requestedNotice(await api.call('POST /api/v1/withdraw/:id/confirm', { params: { id } })),
  );
  refreshAll();
}

async function cancelIt({ id }: PerpWithdrawal): Promise<void> {
  await api.call('POST /api/v1/withdraw/:id/cancel', { params: { id } });
  say('plain', 'The withdrawal is canceled; the amount is available again.');
  refreshAll();
}

function OpenWithdrawal({ withdrawal }: { withdrawal: PerpWithdrawal }) {
  const { amount, status } = withdrawal;
  const act = (name: string, work: (which: PerpWithdrawal) => Promise<void>) => (): void =>
    void run(name, () => work(withdrawal));
  return (
    <div class="row">
      <Stepper
        label="Steps of a withdrawal from the perp wallet"
        steps={stepsOf(withdrawal, now.value)}
      />
      {status === 'pending' ? (
        <>
          <button
            type="button"
            class="primary"
            disabled={isBusy.value !== ''}
            onClick={act('confirm', confirmIt)}
          >
            Confirm {amount} {token}
          </button>
          <button type="button" disabled={isBusy.value !== ''} onClick={act('cancel', cancelIt)}>
            Cancel it
          </button>
        </>
      ) : status === 'signed' ? (
        <button
          type="button"
          class="primary"
          disabled={isBusy.value !== ''}
          onClick={act('release', sendRelease)}
        >
          Send {amount} {token}
        </button>
      ) : status === 'approved' ? (
        <button
          type="button"
          class="primary"
          disabled={isBusy.value !== ''}
          onClick={act('confirm', confirmIt)}
        >
          Have {amount} {token} signed
        </button>
      ) : (
        <span>
          {amount} {token}
        </span>
      )}
    </div>
  );
}

export function PerpWithdrawPanel({ items }: { items: readonly PerpWithdrawal[] }) {
  const account = useApi('GET /api/v1/unified/account', {});
  const open = items.filter(isOpen);
  return (
    <section class="panel" aria-label="Withdraw from the perp wallet">
      <header>
        <h2>Withdraw from perp</h2>
        <span class="dim small-text">
          {formatDecimal(account.data?.withdrawable, 2)} {token} withdrawable
        </span>
      </header>
      <div class="body">
        <NumberField
          label="Amount"
          unit={token}
          value={amountText.value}
          step="0.000001"
          onInput={(text) => {
            amountText.value = text;
          }}
        />
        <button
          type="button"
          class="primary"
          disabled={isBusy.value !== '' || readNumber(amountText.value) === null}
          onClick={() => void run('perp-withdraw', request)}
        >
          Set aside
        </button>
        {open.map((each) => (
          <OpenWithdrawal key={each.id} withdrawal={each} />
        ))}
      </div>
    </section>
  );
}
