import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../api/api.ts';
import { refresh, useApi } from '../api/query.ts';
import { type Balance, balances } from '../feed/account.ts';
import { now } from '../feed/clock.ts';
import { say, sayError } from '../feed/notices.ts';
import { address, isSignedIn } from '../feed/session.ts';
import { site } from '../feed/site.ts';
import { formatCountdown, formatMoment, formatWhole } from '../number/format.ts';
import { readNumber } from '../number/read-number.ts';
import { openSignIn } from '../parts/account-menu.tsx';
import { confirm } from '../parts/dialog.tsx';
import { FaucetButton } from '../parts/faucet.tsx';
import { NumberField, SelectField } from '../parts/number-field.tsx';
import { Stepper } from '../parts/stepper.tsx';
import { type Column, CsvButton, Loaded, Table } from '../parts/table.tsx';
import { WalletError, wallet } from '../wallet/wallet.ts';

type Deposit = Answer<'GET /api/v1/spot/deposits'>['items'][number];
type Withdrawal = Answer<'GET /api/v1/spot/withdrawals'>['items'][number];
type Transfer = Answer<'GET /api/v1/spot/transfers'>['items'][number];

const isBusy = signal('');
const depositToken = signal<'usdt' | 'df'>('usdt');
const depositAmount = signal('');
const depositStep = signal(0);
const withdrawToken = signal('DF');
const withdrawAmount = signal('');
const direction = signal<'spot_to_perp' | 'perp_to_spot'>('spot_to_perp');
const transferAmount = signal('');

/** Runs one thing at a time and says what goes wrong. */
async function run(name: string, work: () => Promise<void>): Promise<void> {
  isBusy.value = name;
  try {
    await work();
  } catch (error) {
    if (error instanceof WalletError) sayError({ ...error, message: error.message });
    else sayError(error);
  } finally {
    isBusy.value = '';
  }
}

async function depositNow(): Promise<void> {
  const amount = readNumber(depositAmount.value);
  if (amount === null) return;
  const chain = await import('../wallet/contracts.ts');
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

function DepositPanel() {
  const query = useApi(
    'GET /api/v1/spot/deposits',
    { query: { limit: 50 } },
    { isEnabled: isSignedIn.value, every: 3_000 },
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
        <span class="dim small-text">{wallet.value?.name ?? 'no wallet connected'}</span>
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

async function withdrawNow(): Promise<void> {
  const amount = readNumber(withdrawAmount.value);
  if (amount === null) return;
  const token = withdrawToken.value;
  const text = `${amount} ${token} go to ${address.value}, the address that is signed in, and to no other.`;
  if (!(await confirm({ title: 'Withdraw?', text, action: 'Withdraw', isMoney: true }))) return;
  await api.call('POST /api/v1/spot/withdraw/request', { body: { token, amount } });
  withdrawAmount.value = '';
  refresh('GET /api/v1/spot/withdrawals');
  say('plain', 'The withdrawal is signed. Send it from your wallet.');
}

async function sendRelease(withdrawal: Withdrawal): Promise<void> {
  const chain = await import('../wallet/contracts.ts');
  const { contracts } = await api.call('GET /api/v1/chain/info');
  const token = withdrawal.token === 'USDT' ? contracts.usdt : contracts.df;
  if (token === null) throw new WalletError('spot blockchain not initialized');
  await chain.waitForReceipt(await chain.release(token, withdrawal));
  say('good', 'The release is on the chain.');
  refresh('GET /api/v1/spot/withdrawals');
}

/** The signed withdrawal that waits to be sent; where it stands is what the service says. */
function Pending({ withdrawal }: { withdrawal: Withdrawal }) {
  const left = withdrawal.deadline * 1000 - now.value;
  return (
    <div class="row">
      <Stepper
        label="Steps of a withdrawal"
        steps={[
          { text: 'Amount set aside', state: 'done' },
          { text: `Signed, ${formatCountdown(left)} left`, state: 'done' },
          { text: 'Send it from the wallet', state: 'now' },
          { text: 'Completed', state: 'later' },
        ]}
      />
      <button
        type="button"
        class="primary"
        disabled={isBusy.value !== ''}
        onClick={() => void run('release', () => sendRelease(withdrawal))}
      >
        Send {withdrawal.amount} {withdrawal.token}
      </button>
    </div>
  );
}

function WithdrawPanel({ items }: { items: readonly Withdrawal[] }) {
  const tokens = site.value?.withdraw_tokens ?? [];
  const least = tokens.find(({ token }) => token === withdrawToken.value)?.minimum;
  const signed = items.filter(({ status }) => status === 'signed');
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
        {signed.map((each) => (
          <Pending key={each.id} withdrawal={each} />
        ))}
        <p class="dim small-text">Withdrawals go to the address that is signed in.</p>
      </div>
    </section>
  );
}

// One id for as long as the amount stands: a lost answer may be sent again and counts once.
let transferId = crypto.getRandomValues(new Uint32Array(3)).join('-');

async function transferNow(): Promise<void> {
  const amount = readNumber(transferAmount.value);
  if (amount === null) return;
  await api.call('POST /api/v1/spot/transfer', {
    body: { direction: direction.value, token: 'USDT', amount, client_transfer_id: transferId },
  });
  transferId = crypto.getRandomValues(new Uint32Array(3)).join('-');
  transferAmount.value = '';
  say('good', `${amount} USDT moved.`);
  refresh('GET /api/v1/spot/transfers', 'GET /api/v1/unified/account');
}

function TransferPanel() {
  return (
    <section class="panel" aria-label="Transfer">
      <header>
        <h2>Transfer</h2>
      </header>
      <div class="body">
        <SelectField
          label="Direction"
          value={direction.value}
          options={[
            { value: 'spot_to_perp', text: 'Spot to perp' },
            { value: 'perp_to_spot', text: 'Perp to spot' },
          ]}
          onChange={(value) => {
            direction.value = value;
          }}
        />
        <NumberField
          label="Amount"
          unit="USDT"
          value={transferAmount.value}
          step="0.00000001"
          onInput={(text) => {
            transferAmount.value = text;
          }}
        />
        <button
          type="button"
          class="primary"
          disabled={isBusy.value !== '' || readNumber(transferAmount.value) === null}
          onClick={() => void run('transfer', transferNow)}
        >
          Transfer
        </button>
      </div>
    </section>
  );
}

const balanceColumns: readonly Column<Balance>[] = [
  {
    title: 'Wallet',
    cell: (each) => (each.market === 'spot' ? 'Spot' : 'Perp'),
    text: (each) => each.market,
  },
  { title: 'Token', cell: (each) => each.token, text: (each) => each.token },
  {
    title: 'Available',
    isNumber: true,
    cell: (each) => formatWhole(each.available),
    text: (each) => each.available,
  },
  {
    title: 'Locked',
    isNumber: true,
    cell: (each) => formatWhole(each.locked),
    text: (each) => each.locked,
  },
];
const state = (text: string) => (
  <span class={`tag ${['credited', 'completed'].includes(text) ? 'good' : ''}`}>{text}</span>
);
const depositColumns: readonly Column<Deposit>[] = [
  { title: 'Seen', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'Token', cell: (each) => each.token ?? each.token_address, text: (each) => each.token },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => formatWhole(each.amount),
    text: (each) => each.amount,
  },
  {
    title: 'Transaction',
    cell: (each) => <code>{each.tx_hash.slice(0, 14)}…</code>,
    text: (each) => each.tx_hash,
  },
  { title: 'State', cell: (each) => state(each.status), text: (each) => each.status },
];
const withdrawalColumns: readonly Column<Withdrawal>[] = [
  {
    title: 'Asked for',
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  { title: 'Token', cell: (each) => each.token, text: (each) => each.token },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => formatWhole(each.amount),
    text: (each) => each.amount,
  },
  { title: 'State', cell: (each) => state(each.status), text: (each) => each.status },
];
const transferColumns: readonly Column<Transfer>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  {
    title: 'Direction',
    cell: (each) => each.direction.replaceAll('_', ' '),
    text: (each) => each.direction,
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => `${formatWhole(each.amount)} ${each.token}`,
    text: (each) => each.amount,
  },
];

function Histories({ withdrawals }: { withdrawals: readonly Withdrawal[] }) {
  const deposits = useApi('GET /api/v1/spot/deposits', { query: { limit: 50 } });
  const transfers = useApi('GET /api/v1/spot/transfers', { query: { limit: 50 } });
  return (
    <div class="columns">
      <section class="panel" aria-label="Deposits">
        <header>
          <h2>Newest deposits</h2>
          <CsvButton name="deposits" columns={depositColumns} rows={deposits.data?.items ?? []} />
        </header>
        <Loaded query={deposits}>
          {({ items }) => (
            <Table
              caption="Deposits"
              columns={depositColumns}
              rows={items}
              keyOf={(each) => each.tx_hash + each.number}
              empty="No deposits yet."
            />
          )}
        </Loaded>
      </section>
      <section class="panel" aria-label="Withdrawals">
        <header>
          <h2>Newest withdrawals</h2>
          <CsvButton name="withdrawals" columns={withdrawalColumns} rows={withdrawals} />
        </header>
        <Table
          caption="Withdrawals"
          columns={withdrawalColumns}
          rows={withdrawals}
          keyOf={(each) => each.id}
          empty="No withdrawals yet."
        />
      </section>
      <section class="panel" aria-label="Transfers">
        <header>
          <h2>Newest transfers</h2>
          <CsvButton
            name="transfers"
            columns={transferColumns}
            rows={transfers.data?.items ?? []}
          />
        </header>
        <Loaded query={transfers}>
          {({ items }) => (
            <Table
              caption="Transfers"
              columns={transferColumns}
              rows={items}
              keyOf={(each) => each.transfer_id}
              empty="No transfers yet."
            />
          )}
        </Loaded>
      </section>
    </div>
  );
}

export function WalletPage() {
  const isIn = isSignedIn.value;
  const query = useApi(
    'GET /api/v1/spot/withdrawals',
    { query: { limit: 50 } },
    { isEnabled: isIn, every: 5_000 },
  );
  const own = [...balances.value.values()];
  if (!isIn) {
    return (
      <main class="page" id="main">
        <h1>Wallet</h1>
        <p>
          <button type="button" class="primary" onClick={openSignIn}>
            Sign in to see your wallet
          </button>
        </p>
      </main>
    );
  }
  return (
    <main class="page" id="main">
      <div class="row">
        <h1>Wallet</h1>
        <FaucetButton />
      </div>
      <section class="panel" aria-label="Balances">
        <header>
          <h2>Balances</h2>
          <CsvButton name="balances" columns={balanceColumns} rows={own} />
        </header>
        <Table
          caption="Balances"
          columns={balanceColumns}
          rows={own}
          keyOf={(each) => each.market + each.token}
          empty="Nothing here yet. Deposit below, or get test money."
        />
      </section>
      <div class="columns">
        <DepositPanel />
        <WithdrawPanel items={query.data?.items ?? []} />
        <TransferPanel />
      </div>
      <Histories withdrawals={query.data?.items ?? []} />
    </main>
  );
}
