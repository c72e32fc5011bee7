import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { now } from '../../feed/clock.ts';
import { say } from '../../feed/notices.ts';
import { formatCountdown, formatWhole } from '../../number/format.ts';
import { Stepper } from '../../parts/stepper.tsx';
import { isBusy, run } from './run.ts';

export type Claim = Answer<'GET /api/v1/referral/claims'>['items'][number];

/** Until when the newest claim's signature is valid, in Unix seconds. */
const deadline = signal<number | null>(null);

/** Sends the signed reward with the wallet; the claim is counted once it is on the chain. */
export async function redeem(claimNo: string): Promise<void> {
  const signed = await api.call('GET /api/v1/referral/claims/:claim_no/signature', {
    params: { claim_no: claimNo },
  });
  deadline.value = signed.deadline;
  const chain = await import('../../wallet/contracts.ts');
  await chain.waitForReceipt(await chain.redeemReward(signed));
  say('good', 'The reward is on the chain; the claim closes when it is counted.');
}

export function OpenClaim({ open }: { open: Claim }) {
  const left =
    deadline.value === null ? '' : ` (${formatCountdown(deadline.value * 1000 - now.value)} left)`;
  return (
    <>
      <Stepper
        label="Steps of a claim"
        steps={[
          { text: 'Order made', state: 'done' },
          { text: `Send from your wallet${left}`, state: 'now' },
          { text: 'Seen on the chain', state: 'later' },
          { text: 'Success', state: 'later' },
        ]}
      />
      <button
        type="button"
        class="primary"
        disabled={isBusy.value}
        onClick={() => void run(() => redeem(open.claim_no))}
      >
        Send {formatWhole(open.amount)} USDT to your wallet
      </button>
    </>
  );
}
