import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { address } from '../../feed/session.ts';
import { readNumber } from '../../number/read-number.ts';
import { confirm } from '../../parts/dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import * as texts from '../../text/en/wallet.ts';
import { isBusy, run } from './run.ts';

// What the withdrawals of both wallets share.

/** Asks before money leaves; the address is the one that is signed in. */
export function confirmWithdrawal(amount: string, token: string, action: string): Promise<boolean> {
  const text = texts.goesToSignedInAddress(amount, token, address.value);
  return confirm({ title: texts.withdrawQuestion, text, action, isMoney: true });
}

export interface WithdrawFormProps {
  readonly title: string;
  readonly label: string;
  readonly hint: ComponentChildren;
  readonly unit: string;
  readonly amount: Signal<string>;
  readonly step: string;
  readonly action: string;
  readonly submit: (amount: string) => Promise<void>;
  /** What is chosen before the amount. */
  readonly choice?: ComponentChildren;
  /** The withdrawals in progress. */
  readonly children: ComponentChildren;
}

/** Requests a withdrawal, and shows those that are in progress. */
export function WithdrawForm(props: WithdrawFormProps) {
  const { title, label, hint, unit, amount, step, action, submit, choice, children } = props;
  const wanted = readNumber(amount.value);
  return (
    <section class="panel" aria-label={label}>
      <header>
        <h2>{title}</h2>
        <span class="dim small-text">{hint}</span>
      </header>
      <div class="body">
        {choice}
        <NumberField
          label={texts.amount}
          unit={unit}
          value={amount.value}
          step={step}
          onInput={(text) => {
            amount.value = text;
          }}
        />
        <SendButton
          class="primary"
          disabled={isBusy.value !== '' || wanted === null}
          onClick={() => {
            if (wanted !== null) void run(label, () => submit(wanted));
          }}
        >
          {action}
        </SendButton>
        {children}
      </div>
    </section>
  );
}
