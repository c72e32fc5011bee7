import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { useApi } from '../../api/query.ts';
import { now } from '../../feed/clock.ts';
import { say } from '../../feed/notices.ts';
import { formatCountdown, formatWhole } from '../../number/format.ts';
import { SendButton } from '../../parts/send-button.tsx';
import { TransactionLine, useTransaction } from '../../parts/sent-transaction.tsx';
import { Stepper } from '../../parts/stepper.tsx';
import { TimeWarning } from '../../parts/time-limit.tsx';
import * as texts from '../../text/en/referral.ts';
import { followTransaction } from '../../wallet/transactions.ts';
import { claimSteps } from './claim-steps.ts';
import { isBusy, run } from './run.ts';

export type Claim = Answer<'GET /api/v1/referral/claims'>['items'][number];

const purposeOf = (claimNo: string): string => `claim ${claimNo}`;

/** Sends the signed reward with the wallet; the claim is counted once it is on the chain. */
export async function redeem(claimNo: string): Promise<void> {
  const signed = await api.call('GET /api/v1/referral/claims/:claim_no/signature', {
    params: { claim_no: claimNo },
  });
  const chain = await import('../../wallet/contracts.ts');
  await followTransaction(purposeOf(claimNo), await chain.redeemReward(signed));
  say('good', texts.rewardOnChain);
}

/** Steps of the claim in progress, and its next action. */
export function OpenClaim({ open }: { open: Claim }) {
  const { claim_no: claimNo } = open;
  const query = useApi('GET /api/v1/referral/claims/:claim_no/signature', {
    params: { claim_no: claimNo },
  });
  const deadline = query.data?.deadline ?? null;
  const endsAt = deadline === null ? null : deadline * 1000;
  const left = endsAt === null ? null : formatCountdown(endsAt - now.value);
  const own = useTransaction(purposeOf(claimNo));
  return (
    <>
      <Stepper label={texts.claimSteps} steps={claimSteps(own, left)} />
      {own === null && (
        <span class="hidden" role="status">
          {endsAt !== null && <TimeWarning endsAt={endsAt} />}
        </span>
      )}
      {own === null ? (
        <SendButton
          class="primary"
          disabled={isBusy.value}
          onClick={() => void run(() => redeem(claimNo))}
        >
          {texts.sendToYourWallet(formatWhole(open.amount))}
        </SendButton>
      ) : (
        <TransactionLine sent={own} onAgain={() => void run(() => redeem(claimNo))} />
      )}
    </>
  );
}
