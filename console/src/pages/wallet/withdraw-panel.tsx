import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import { say } from '../../feed/notices.ts';
import { site } from '../../feed/site.ts';
import { SelectField } from '../../parts/number-field.tsx';
import * as texts from '../../text/en/wallet.ts';
import { OpenWithdrawal } from './open-withdrawal.tsx';
import { confirmWithdrawal, WithdrawForm } from './withdraw-form.tsx';
import { isOpen, requestedNotice } from './withdrawal-steps.ts';

export type Withdrawal = Answer<'GET /api/v1/spot/withdrawals'>['items'][number];

const token = signal('DF');
const amountText = signal('');

async function withdraw(amount: string): Promise<void> {
  const terms = { token: token.value, amount };
  if (!(await confirmWithdrawal(amount, terms.token, texts.withdraw))) return;
  const made = await api.call('POST /api/v1/spot/withdraw/request', { body: terms });
  amountText.value = '';
  refresh('GET /api/v1/spot/withdrawals');
  say('plain', requestedNotice(made));
}

async function sign({ id }: Withdrawal): Promise<void> {
  await api.call('POST /api/v1/spot/withdrawals/:id/sign', { params: { id } });
  say('plain', texts.withdrawalSigned);
  refresh('GET /api/v1/spot/withdrawals');
}

export function WithdrawPanel({ items }: { items: readonly Withdrawal[] }) {
  const tokens = site.value?.withdraw_tokens ?? [];
  const least = tokens.find((each) => each.token === token.value)?.minimum;
  return (
    <WithdrawForm
      title={texts.withdraw}
      label={texts.withdraw}
      hint={least === undefined ? '' : texts.atLeast(least)}
      unit={token.value}
      amount={amountText}
      step="0.00000001"
      action={texts.withdraw}
      submit={withdraw}
      choice={
        <SelectField
          label={texts.token}
          value={token.value}
          options={tokens.map((each) => ({ value: each.token, text: each.token }))}
          onChange={(value) => {
            token.value = value;
          }}
        />
      }
    >
      {items.filter(isOpen).map((each) => (
        <OpenWithdrawal key={each.id} label={texts.withdrawalSteps} withdrawal={each} sign={sign} />
      ))}
      <p class="dim small-text">{texts.withdrawalsGoToYourAddress}</p>
    </WithdrawForm>
  );
}
