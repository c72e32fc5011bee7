import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { WalletError } from '../../api/shown-error.ts';
import { address, isSignedIn } from '../../feed/session.ts';
import { site } from '../../feed/site.ts';
import { readNumber } from '../../number/read-number.ts';
import { NumberField, SelectField } from '../../parts/number-field.tsx';
import { Stepper } from '../../parts/stepper.tsx';
import { wallet, walletChain } from '../../wallet/wallet.ts';
import { isBusy, run } from './run.ts';

const depositToken = signal<'usdt' | 'df'>('usdt');

const depositAmount = signal('');

const depositStep = signal(0);

async function depositNow(): Promise<void> {
  const amount = readNumber(depositAmount.value);
  if (amount === null) return;
  const chain = await import('../../wallet/contracts.ts');
  const { contracts } = await api.call('GET /api/v1/chain/info');
  const token = contracts[depositToken.value];
  const { spot_vault: vault } = contracts;
  if (token === null || vault === null) throw new WalletError('spot blockchain not initialized');
  const decimals = await chain.decimalsOfToken(token);
  const [whole = '0', fraction = ''] = amount.split('.');
  const raw = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  depositStep.value = 0;
  if (wallet.value?.isTest === true)
    await chain.waitForReceipt(await chain.mint(token, address.value ?? '', raw));
  await chain.waitForReceipt(await chain.approve(token, vault, raw));
  depositStep.value = 1;
  const hash = await chain.deposit(vault, token, raw);
  localStorage.setItem('deposit', hash);
  depositStep.value = 2;
  await chain.waitForReceipt(hash);
  depositStep.value = 3;
  depositAmount.value = '';
  refresh('GET /api/v1/spot/deposits');
}

const depositWords = ['Approve the vault', 'Deposit', 'Confirmed on the chain', 'Credited'];

export function DepositPanel() {
  const query = useApi(
    'GET /api/v1/spot/deposits',
    { query: { limit: 50 } },
    { isEnabled: isSignedIn.value },
  );
  const hash = localStorage.getItem('deposit');
  const seen = query.data?.items.find((each) => each.tx_hash === hash);
  const step = seen === undefined ? depositStep.value : seen.status === 'credited' ? 4 : 3;
  useEffect(() => {
    if (seen?.status === 'credited') localStorage.removeItem('deposit');
  }, [seen?.status]);
  return (
    <section class="panel" aria-label="Deposit">
      <header>
        <h2>Deposit</h2>
        <span class="dim small-text">
          {wallet.value === null
            ? 'no wallet connected'
            : `${wallet.value.name}, network: chain ${walletChain.value ?? '?'}${walletChain.value === site.value?.chain_id ? ' ✓' : ''}`}
        </span>
      </header>
      <div class="body">
        <SelectField
          label="Token"
          value={depositToken.value}
          options={[
            { value: 'usdt', text: 'USDT' },
            { value: 'df', text: 'DF' },
          ]}
          onChange={(value) => {
            depositToken.value = value;
          }}
        />
        <NumberField
          label="Amount"
          unit={depositToken.value.toUpperCase()}
          value={depositAmount.value}
          step="0.000001"
          onInput={(text) => {
            depositAmount.value = text;
          }}
        />
        <button
          type="button"
          class="primary"
          disabled={isBusy.value !== '' || readNumber(depositAmount.value) === null}
          onClick={() => void run('deposit', depositNow)}
        >
          {isBusy.value === 'deposit' ? 'Look into your wallet…' : 'Deposit'}
        </button>
        <Stepper
          label="Steps of a deposit"
          steps={depositWords.map((text, index) => ({
            text,
            state:
              index < step
                ? 'done'
                : index === step && (isBusy.value === 'deposit' || hash !== null)
                  ? 'now'
                  : 'later',
          }))}
        />
      </div>
    </section>
  );
}
