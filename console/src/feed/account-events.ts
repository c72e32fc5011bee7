import type { EndpointName } from '@openbourse/client';
import { stream } from '../api/api.ts';
import { refresh } from '../api/query.ts';
import * as texts from '../text/en/frame.ts';
import { say } from './notices.ts';
import { isSignedIn } from './session.ts';

// Events of the account's money and referral: each is announced, and its data is reloaded.

interface AccountEvent {
  readonly event: string;
  readonly status?: string;
  readonly token?: string | null;
  readonly amount?: string | null;
}

const walletEndpoints: readonly EndpointName[] = [
  'GET /api/v1/spot/deposits',
  'GET /api/v1/spot/withdrawals',
  'GET /api/v1/spot/transfers',
  'GET /api/v1/withdraw/history',
  'GET /api/v1/unified/account',
  'GET /api/v1/income',
];

/** What the referral page shows. */
export const referralEndpoints: readonly EndpointName[] = [
  'GET /api/v1/referral/status',
  'GET /api/v1/referral/dashboard',
  'GET /api/v1/referral/traders',
  'GET /api/v1/referral/affiliates',
  'GET /api/v1/referral/claims',
  'GET /api/v1/referral/claims/preview',
  'GET /api/v1/referral/logs',
  'GET /api/v1/referral/earnings',
  'GET /api/v1/referral/on-chain/user-rebate/:address',
];

const sentences: Readonly<Record<string, (event: AccountEvent) => string>> = {
  'deposit credited': ({ amount, token }) => texts.depositCredited(amount, token),
  'withdrawal completed': ({ amount, token }) => texts.withdrawalPaid(amount, token),
  'withdrawal expired': ({ amount, token }) => texts.withdrawalExpired(amount, token),
  'withdrawal returned': ({ amount, token }) => texts.withdrawalReturned(amount, token),
  'claim success': ({ amount }) => texts.claimPaid(amount),
  'claim failed': ({ amount }) => texts.claimFailed(amount),
};

function announce(event: AccountEvent): void {
  const sentence = sentences[`${event.event} ${event.status ?? ''}`];
  if (sentence === undefined) return;
  say(event.status === 'failed' ? 'bad' : 'good', sentence(event));
}

function follow(channel: 'wallet' | 'referral', endpoints: readonly EndpointName[]): () => void {
  return stream.subscribe(
    { channel },
    {
      onMessage: ({ type, data }) => {
        // A snapshot after a lost connection can contain events that were missed.
        refresh(...endpoints);
        if (type === 'update') for (const each of data) announce(each);
      },
    },
  );
}

let subscriptions: readonly (() => void)[] = [];

isSignedIn.subscribe((isIn) => {
  for (const unsubscribe of subscriptions) unsubscribe();
  subscriptions = isIn
    ? [follow('wallet', walletEndpoints), follow('referral', referralEndpoints)]
    : [];
});
