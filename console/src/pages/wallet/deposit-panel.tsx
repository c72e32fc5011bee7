import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { WalletError } from '../../api/shown-error.ts';
import { address, isSignedIn } from '../../feed/session.ts';
import { site } from '../../feed/site.ts';
import { readNumber } from '../../number/read-number.ts';
import { NumberField, SelectField } from '../../parts/number-field.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { TransactionLine, useTransaction } from '../../parts/sent-transaction.tsx';
import { Stepper } from '../../parts/stepper.tsx';
import * as texts from '../../text/en/wallet.ts';
import { followTransaction } from '../../wallet/transactions.ts';
import { wallet, walletChain } from '../../wallet/wallet.ts';
import {
  approvalOf,
  type DepositTerms,
  depositDraft,
  depositOf,
  depositStep,
  endDeposit,
  forgetDeposit,
  keepTerms,
} from './deposit-terms.ts';
import { isBusy, run } from './run.ts';

/** The vault may take the amount already, and no approval is sent. */
const isApproved = signal(false);

function rawAmount(amount: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

async function depositNow({ token: name, amount: typed }: DepositTerms): Promise<void> {
  const amount = readNumber(typed);
  if (amount === null) return;
  const chain = await import('../../wallet/contracts.ts');
  const { contracts } = await api.call('GET /api/v1/chain/info');
  const token = contracts[name];
  const { spot_vault: vault } = contracts;
  if (token === null || vault === null) throw new WalletError('spot blockchain not initialized');
  const raw = rawAmount(amount, await chain.decimalsOfToken(token));
  forgetDeposit();
  keepTerms({ token: name, amount });
  isApproved.value = false;
  if (wallet.value?.isTest === true)
    await chain.waitForReceipt(await chain.mint(token, address.value ?? '', raw));
  if ((await chain.allowanceOf(token, vault)) < raw)
    await followTransaction(approvalOf(), await chain.approve(token, vault, raw));
  isApproved.value = true;
  await followTransaction(depositOf(), await chain.deposit(vault, token, raw));
  depositDraft.value = { token: name, amount: '' };
  refresh('GET /api/v1/spot/deposits');
}

const depositWords = [
  texts.approveTheVault,
  texts.deposit,
  texts.confirmedOnTheChain,
  texts.credited,
];

function walletState(): string {
  if (wallet.value === null) return texts.noWalletConnected;
  const mark = walletChain.value === site.value?.chain_id ? ' ✓' : '';
  return texts.networkChain(wallet.value.name, walletChain.value ?? '?', mark);
}

export function DepositPanel() {
  const query = useApi(
    'GET /api/v1/spot/deposits',
    { query: { limit: 50 } },
    { isEnabled: isSignedIn.value },
  );
  const draft = depositDraft.value;
  const approval = useTransaction(approvalOf());
  const sent = useTransaction(depositOf());
  const newest = sent ?? approval;
  const seen = query.data?.items.find((each) => each.tx_hash === sent?.hash);
  const isRunning = isBusy.value === 'deposit';
  const step = depositStep(seen) ?? (isRunning ? (isApproved.value ? 1 : 0) : null);
  useEffect(() => {
    if (seen?.status === 'credited') endDeposit();
  }, [seen?.status]);
  return (
    <section class="panel" aria-label={texts.deposit}>
      <header>
        <h2>{texts.deposit}</h2>
        <span class="dim small-text">{walletState()}</span>
      </header>
      <div class="body">
        <SelectField
          label={texts.token}
          value={draft.token}
          options={[
            { value: 'usdt', text: 'USDT' },
            { value: 'df', text: 'DF' },
          ]}
          onChange={(token) => {
            depositDraft.value = { ...draft, token };
          }}
        />
        <NumberField
          label={texts.amount}
          unit={draft.token.toUpperCase()}
          value={draft.amount}
          step="0.000001"
          onInput={(amount) => {
            depositDraft.value = { ...draft, amount };
          }}
        />
        <SendButton
          class="primary"
          disabled={isBusy.value !== '' || readNumber(draft.amount) === null}
          onClick={() => void run('deposit', () => depositNow(draft))}
        >
          {isRunning ? texts.checkYourWallet : texts.deposit}
        </SendButton>
        <Stepper
          label={texts.depositSteps}
          steps={depositWords.map((text, index) => ({
            text,
            state: index < (step ?? 0) ? 'done' : index === step ? 'now' : 'later',
          }))}
        />
        {newest !== null && seen === undefined && <TransactionLine sent={newest} />}
      </div>
    </section>
  );
}
