import type { EndpointName } from '@openbourse/client';
import { stream } from '../api/api.ts';
import { refresh } from '../api/query.ts';
import { say } from './notices.ts';
import { isSignedIn } from './session.ts';

// Events of the account's money and referral: each is announced, and its data is reloaded.

interface Happening {
  readonly event: string;
  readonly status?: string;
  readonly token?: string | null;
  readonly amount?: string | null;
}

const walletNames: readonly EndpointName[] = [
  ...(['GET /api/v1/spot/deposits', 'GET /api/v1/spot/withdrawals'] as const),
  ...(['GET /api/v1/spot/transfers', 'GET /api/v1/withdraw/history'] as const),
  ...(['GET /api/v1/unified/account', 'GET /api/v1/income'] as const),
];

const referralNames: readonly EndpointName[] = [
  ...(['GET /api/v1/referral/status', 'GET /api/v1/referral/dashboard'] as const),
  ...(['GET /api/v1/referral/traders', 'GET /api/v1/referral/affiliates'] as const),
  ...(['GET /api/v1/referral/claims', 'GET /api/v1/referral/claims/preview'] as const),
  'GET /api/v1/referral/logs',
  'GET /api/v1/referral/earnings',
  'GET /api/v1/referral/on-chain/user-rebate/:address',
];

const sentences: Readonly<Record<string, (happening: Happening) => string>> = {
  'deposit credited': ({ amount, token }) => `Your deposit of ${amount} ${token} is credited.`,
  'withdrawal completed': ({ amount, token }) => `Your withdrawal of ${amount} ${token} is paid.`,
  'withdrawal expired': ({ amount, token }) =>
    `Your withdrawal of ${amount} ${token} has expired; the amount is available again.`,
  'claim success': ({ amount }) => `Your claim of ${amount} USDT is paid.`,
  'claim failed': ({ amount }) => `Your claim of ${amount} USDT has failed.`,
};

function tell(happening: Happening): void {
  const sentence = sentences[`${happening.event} ${happening.status ?? ''}`];
  if (sentence === undefined) return;
  say(happening.status === 'failed' ? 'bad' : 'good', sentence(happening));
}

function listen(channel: 'wallet' | 'referral', names: readonly EndpointName[]): () => void {
  return stream.subscribe(
    { channel },
    {
      onMessage: ({ type, data }) => {
        // A snapshot after a lost connection can contain events that were missed.
        refresh(...names);
        if (type === 'update') for (const each of data as readonly Happening[]) tell(each);
      },
    },
  );
}

let endings: readonly (() => void)[] = [];

isSignedIn.subscribe((isIn) => {
  for (const end of endings) end();
  endings = isIn ? [listen('wallet', walletNames), listen('referral', referralNames)] : [];
});
