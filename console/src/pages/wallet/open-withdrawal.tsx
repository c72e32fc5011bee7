import { api } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import { WalletError } from '../../api/shown-error.ts';
import { now } from '../../feed/clock.ts';
import { say } from '../../feed/notices.ts';
import { SendButton } from '../../parts/send-button.tsx';
import { TransactionLine, useTransaction } from '../../parts/sent-transaction.tsx';
import { Stepper } from '../../parts/stepper.tsx';
import * as texts from '../../text/en/wallet.ts';
import type { SignedRelease } from '../../wallet/contracts.ts';
import { followTransaction, releaseOf } from '../../wallet/transactions.ts';
import { isBusy, run } from './run.ts';
import { type Standing, stepsOf } from './withdrawal-steps.ts';

type Release = SignedRelease & { readonly id: string; readonly token: string };

/** Sends a signed withdrawal with the wallet; the service counts it once it is on the chain. */
async function sendRelease(withdrawal: Release): Promise<void> {
  const chain = await import('../../wallet/contracts.ts');
  const { contracts } = await api.call('GET /api/v1/chain/info');
  const token = withdrawal.token === 'USDT' ? contracts.usdt : contracts.df;
  if (token === null) throw new WalletError('spot blockchain not initialized');
  await followTransaction(releaseOf(withdrawal.id), await chain.release(token, withdrawal));
  say('good', texts.releaseOnChain);
  refresh('GET /api/v1/spot/withdrawals', 'GET /api/v1/withdraw/history');
}

interface Withdrawal extends Standing, Release {
  readonly amount: string;
}

export interface OpenWithdrawalProps<Shown extends Withdrawal> {
  readonly label: string;
  readonly withdrawal: Shown;
  /** Has an approved withdrawal signed. */
  readonly sign: (withdrawal: Shown) => Promise<void>;
  /** Of a wallet whose withdrawals are requested first and confirmed afterwards. */
  readonly confirm?: (withdrawal: Shown) => Promise<void>;
  readonly cancel?: (withdrawal: Shown) => Promise<void>;
}

/** A withdrawal that is in progress, with the next actions. */
export function OpenWithdrawal<Shown extends Withdrawal>(props: OpenWithdrawalProps<Shown>) {
  const { label, withdrawal, sign, confirm, cancel } = props;
  const { id, amount, token, status } = withdrawal;
  const kept = useTransaction(releaseOf(id));
  const sent = status === 'signed' ? kept : null;
  const button = (text: string, act: (of: Shown) => Promise<void>, isMain = true) => (
    <SendButton
      class={isMain ? 'primary' : ''}
      disabled={isBusy.value !== ''}
      onClick={() => void run(text, () => act(withdrawal))}
    >
      {text}
    </SendButton>
  );
  const money = `${amount} ${token}`;
  const isWaiting = status === 'review' || status === 'queued';
  return (
    <div class="row">
      <Stepper label={label} steps={stepsOf(withdrawal, now.value, sent)} />
      {status === 'pending' && confirm !== undefined && button(texts.confirmAmount(money), confirm)}
      {status === 'pending' && cancel !== undefined && button(texts.cancelIt, cancel, false)}
      {status === 'approved' && button(texts.requestSignatureFor(money), sign)}
      {status === 'signed' && sent === null && button(texts.sendAmount(money), sendRelease)}
      {sent !== null && (
        <TransactionLine
          sent={sent}
          onAgain={() => void run('again', () => sendRelease(withdrawal))}
        />
      )}
      {isWaiting && <span>{money}</span>}
    </div>
  );
}
