import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { say } from '../../feed/notices.ts';
import { formatDecimal } from '../../number/format.ts';
import * as texts from '../../text/en/wallet.ts';
import { OpenWithdrawal } from './open-withdrawal.tsx';
import { confirmWithdrawal, WithdrawForm } from './withdraw-form.tsx';
import { isOpen, requestedNotice } from './withdrawal-steps.ts';

// A withdrawal from the perp wallet: requested, confirmed (which signs it, or sends it to manual
// review), sent by the wallet, completed.

export type PerpWithdrawal = Answer<'GET /api/v1/withdraw/history'>['items'][number];

const amountText = signal('');
const token = 'USDT';

const refreshAll = (): void =>
  refresh('GET /api/v1/withdraw/history', 'GET /api/v1/unified/account');

async function request(amount: string): Promise<void> {
  await api.call('POST /api/v1/withdraw/request', { body: { token, amount } });
  amountText.value = '';
  say('plain', texts.confirmOrCancel(amount, token));
  refreshAll();
}

async function confirmIt({ id, amount }: PerpWithdrawal): Promise<void> {
  if (!(await confirmWithdrawal(amount, token, texts.confirm))) return;
  say(
    'plain',
    requestedNotice(await api.call('POST /api/v1/withdraw/:id/confirm', { params: { id } })),
  );
  refreshAll();
}

async function cancelIt({ id }: PerpWithdrawal): Promise<void> {
  await api.call('POST /api/v1/withdraw/:id/cancel', { params: { id } });
  say('plain', texts.withdrawalCanceled);
  refreshAll();
}

export function PerpWithdrawPanel({ items }: { items: readonly PerpWithdrawal[] }) {
  const account = useApi('GET /api/v1/unified/account', {});
  return (
    <WithdrawForm
      title={texts.withdrawFromPerp}
      label={texts.withdrawFromPerpWallet}
      hint={texts.withdrawable(formatDecimal(account.data?.withdrawable, 2), token)}
      unit={token}
      amount={amountText}
      step="0.000001"
      action={texts.setAside}
      submit={request}
    >
      {items.filter(isOpen).map((each) => (
        <OpenWithdrawal
          key={each.id}
          label={texts.perpWithdrawalSteps}
          withdrawal={each}
          sign={confirmIt}
          confirm={confirmIt}
          cancel={cancelIt}
        />
      ))}
    </WithdrawForm>
  );
}
