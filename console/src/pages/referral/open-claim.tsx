import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { useApi } from '../../api/query.ts';
import { now } from '../../feed/clock.ts';
import { say } from '../../feed/notices.ts';
import { formatCountdown, formatWhole } from '../../number/format.ts';
import { Stepper } from '../../parts/stepper.tsx';
import { wallet } from '../../wallet/wallet.ts';
import { claimSteps, type Sent } from './claim-steps.ts';
import { isBusy, run } from './run.ts';

export type Claim = Answer<'GET /api/v1/referral/claims'>['items'][number];

// The transaction of the claim that was sent from this browser outlives a reload.
const sentKey = 'claim-transaction';
const sent = signal<Sent | null>(readSent());

function readSent(): Sent | null {
  const [claimNo, hash] = (localStorage.getItem(sentKey) ?? '').split(' ');
  return claimNo && hash ? { claimNo, hash, isMined: false } : null;
}

function keepSent(next: Sent | null): void {
  sent.value = next;
  if (next === null) localStorage.removeItem(sentKey);
  else localStorage.setItem(sentKey, `${next.claimNo} ${next.hash}`);
}

async function waitUntilMined(each: Sent): Promise<void> {
  const chain = await import('../../wallet/contracts.ts');
  try {
    await chain.waitForReceipt(each.hash);
  } catch (error) {
    // It can be sent again; the chain did nothing.
    keepSent(null);
    throw error;
  }
  keepSent({ ...each, isMined: true });
}

/** Sends the signed reward with the wallet; the claim is counted once it is on the chain. */
export async function redeem(claimNo: string): Promise<void> {
  const signed = await api.call('GET /api/v1/referral/claims/:claim_no/signature', {
    params: { claim_no: claimNo },
  });
  const chain = await import('../../wallet/contracts.ts');
  const transaction = { claimNo, hash: await chain.redeemReward(signed), isMined: false };
  keepSent(transaction);
  await waitUntilMined(transaction);
  say('good', 'The reward is on the chain; the claim closes when it is counted.');
}

/** Steps of the claim in progress, and its next action. */
export function OpenClaim({ open }: { open: Claim }) {
  const { claim_no: claimNo } = open;
  const query = useApi('GET /api/v1/referral/claims/:claim_no/signature', {
    params: { claim_no: claimNo },
  });
  const deadline = query.data?.deadline ?? null;
  const left = deadline === null ? null : formatCountdown(deadline * 1000 - now.value);
  const own = sent.value?.claimNo === claimNo ? sent.value : null;
  const isUnknown = own !== null && !own.isMined && !isBusy.value && wallet.value !== null;
  useEffect(() => {
    if (isUnknown) void run(() => waitUntilMined(own));
  }, [isUnknown]);
  return (
    <>
      <Stepper label="Steps of a claim" steps={claimSteps(own, left)} />
      {own === null ? (
        <button
          type="button"
          class="primary"
          disabled={isBusy.value}
          onClick={() => void run(() => redeem(claimNo))}
        >
          Send {formatWhole(open.amount)} USDT to your wallet
        </button>
      ) : (
        <p class="dim small-text">
          Transaction <code>{own.hash}</code>
        </p>
      )}
    </>
  );
}
