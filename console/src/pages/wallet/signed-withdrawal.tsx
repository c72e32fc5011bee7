import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import { WalletError } from '../../api/trouble.ts';
import { now } from '../../feed/clock.ts';
import { say } from '../../feed/notices.ts';
import { formatCountdown } from '../../number/format.ts';
import { Stepper } from '../../parts/stepper.tsx';
import type { SignedRelease } from '../../wallet/contracts.ts';
import { isBusy, run } from './run.ts';

export type Withdrawal = Answer<'GET /api/v1/spot/withdrawals'>['items'][number];

type Release = SignedRelease & { readonly token: string };

/** Sends what was signed by the wallet; the service counts it once the chain shows it. */
export async function sendRelease(withdrawal: Release): Promise<void> {
  const chain = await import('../../wallet/contracts.ts');
  const { contracts } = await api.call('GET /api/v1/chain/info');
  const token = withdrawal.token === 'USDT' ? contracts.usdt : contracts.df;
  if (token === null) throw new WalletError('spot blockchain not initialized');
  await chain.waitForReceipt(await chain.release(token, withdrawal));
  say('good', 'The release is on the chain.');
  refresh('GET /api/v1/spot/withdrawals', 'GET /api/v1/withdraw/history');
}

/** The signed withdrawal that waits to be sent; where it stands is what the service says. */
export function SignedWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const left = (withdrawal.deadline ?? 0) * 1000 - now.value;
  return (
    <div class="row">
      <Stepper
        label="Steps of a withdrawal"
        steps={[
          { text: 'Amount set aside', state: 'done' },
          { text: `Signed, ${formatCountdown(left)} left`, state: 'done' },
          { text: 'Send it from the wallet', state: 'now' },
          { text: 'Completed', state: 'later' },
        ]}
      />
      <button
        type="button"
        class="primary"
        disabled={isBusy.value !== ''}
        onClick={() => void run('release', () => sendRelease(withdrawal))}
      >
        Send {withdrawal.amount} {withdrawal.token}
      </button>
    </div>
  );
}
