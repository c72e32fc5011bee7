import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import { WalletError } from '../../api/shown-error.ts';
import { now } from '../../feed/clock.ts';
import { say } from '../../feed/notices.ts';
import { Stepper } from '../../parts/stepper.tsx';
import type { SignedRelease } from '../../wallet/contracts.ts';
import { isBusy, run } from './run.ts';
import { stepsOf } from './withdrawal-steps.ts';

export type Withdrawal = Answer<'GET /api/v1/spot/withdrawals'>['items'][number];

type Release = SignedRelease & { readonly token: string };

/** Sends a signed withdrawal with the wallet; the service counts it once it is on the chain. */
export async function sendRelease(withdrawal: Release): Promise<void> {
  const chain = await import('../../wallet/contracts.ts');
  const { contracts } = await api.call('GET /api/v1/chain/info');
  const token = withdrawal.token === 'USDT' ? contracts.usdt : contracts.df;
  if (token === null) throw new WalletError('spot blockchain not initialized');
  await chain.waitForReceipt(await chain.release(token, withdrawal));
  say('good', 'The release is on the chain.');
  refresh('GET /api/v1/spot/withdrawals', 'GET /api/v1/withdraw/history');
}

async function haveSigned({ id }: Withdrawal): Promise<void> {
  await api.call('POST /api/v1/spot/withdrawals/:id/sign', { params: { id } });
  say('plain', 'The withdrawal is signed. Send it from your wallet.');
  refresh('GET /api/v1/spot/withdrawals');
}

/** A spot withdrawal that is in progress, with the next action. */
export function OpenWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const { amount, token, status } = withdrawal;
  const act = (name: string, work: (which: Withdrawal) => Promise<void>) => (): void =>
    void run(name, () => work(withdrawal));
  return (
    <div class="row">
      <Stepper label="Steps of a withdrawal" steps={stepsOf(withdrawal, now.value)} />
      {status === 'approved' && (
        <button
          type="button"
          class="primary"
          disabled={isBusy.value !== ''}
          onClick={act('sign', haveSigned)}
        >
          Have {amount} {token} signed
        </button>
      )}
      {status === 'signed' && (
        <button
          type="button"
          class="primary"
          disabled={isBusy.value !== ''}
          onClick={act('release', sendRelease)}
        >
          Send {amount} {token}
        </button>
      )}
      {(status === 'review' || status === 'queued') && (
        <span>
          {amount} {token}
        </span>
      )}
    </div>
  );
}
