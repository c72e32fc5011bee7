import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import { say } from '../../feed/notices.ts';
import { address } from '../../feed/session.ts';
import { site } from '../../feed/site.ts';
import { readNumber } from '../../number/read-number.ts';
import { confirm } from '../../parts/dialog.tsx';
import { NumberField, SelectField } from '../../parts/number-field.tsx';
import { OpenWithdrawal, type Withdrawal } from './open-withdrawal.tsx';
import { isBusy, run } from './run.ts';
import { isOpen, requestedNotice } from './withdrawal-steps.ts';

const withdrawToken = signal('DF');

const withdrawAmount = signal('');

async function withdrawNow(): Promise<void> {
  const amount = readNumber(withdrawAmount.value);
  if (amount === null) return;
  const token = withdrawToken.value;
  const text = `${amount} ${token} go to ${address.value}, the address that is signed in, and to no other.`;
  if (!(await confirm({ title: 'Withdraw?', text, action: 'Withdraw', isMoney: true }))) return;
  const made = await api.call('POST /api/v1/spot/withdraw/request', { body: { token, amount } });
  withdrawAmount.value = '';
  refresh('GET /api/v1/spot/withdrawals');
  say('plain', requestedNotice(made));
}

export function WithdrawPanel({ items }: { items: readonly Withdrawal[] }) {
  const tokens = site.value?.withdraw_tokens ?? [];
  const least = tokens.find(({ token }) => token === withdrawToken.value)?.minimum;
  return (
    <section class="panel" aria-label="Withdraw">
      <header>
        <h2>Withdraw</h2>
        {least !== undefined && <span class="dim small-text">at least {least}</span>}
      </header>
      <div class="body">
        <SelectField
          label="Token"
          value={withdrawToken.value}
          options={tokens.map(({ token }) => ({ value: token, text: token }))}
          onChange={(value) => {
            withdrawToken.value = value;
          }}
        />
        <NumberField
          label="Amount"
          unit={withdrawToken.value}
          value={withdrawAmount.value}
          step="0.00000001"
          onInput={(text) => {
            withdrawAmount.value = text;
          }}
        />
        <button
          type="button"
          class="primary"
          disabled={isBusy.value !== '' || readNumber(withdrawAmount.value) === null}
          onClick={() => void run('withdraw', withdrawNow)}
        >
          Withdraw
        </button>
        {items.filter(isOpen).map((each) => (
          <OpenWithdrawal key={each.id} withdrawal={each} />
        ))}
        <p class="dim small-text">Withdrawals go to the address that is signed in.</p>
      </div>
    </section>
  );
}
