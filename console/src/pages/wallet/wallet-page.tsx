import { link } from '../../api/api.ts';
import { useApi } from '../../api/query.ts';
import { accountStaleSince, balances, hasBalances } from '../../feed/account.ts';
import { isSignedIn } from '../../feed/session.ts';
import { balanceColumns } from '../../parts/balance-columns.tsx';
import { FaucetButton } from '../../parts/faucet.tsx';
import { Panel } from '../../parts/panel.tsx';
import { openSignIn } from '../../parts/sign-in-menu.ts';
import { CsvButton, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/wallet.ts';
import { DepositPanel } from './deposit-panel.tsx';
import { Histories } from './histories.tsx';
import { PerpWithdrawPanel } from './perp-withdraw-panel.tsx';
import { TransferPanel } from './transfer-panel.tsx';
import { WithdrawPanel } from './withdraw-panel.tsx';

export function WalletPage() {
  const isIn = isSignedIn.value;
  const query = useApi(
    'GET /api/v1/spot/withdrawals',
    { query: { limit: 50 } },
    { isEnabled: isIn },
  );
  const perp = useApi(
    'GET /api/v1/withdraw/history',
    { query: { limit: 50 } },
    { isEnabled: isIn },
  );
  const own = [...balances.value.values()];
  // The panels below have the height of what is in progress, so they are shown when it is known.
  const isKnown =
    !query.isPending && !perp.isPending && (hasBalances.value || link.value.kind === 'waiting');
  if (!isIn) {
    return (
      <main class="page" id="main">
        <h1>{texts.wallet}</h1>
        <p>
          <button type="button" class="primary" onClick={openSignIn}>
            {texts.signInToSeeWallet}
          </button>
        </p>
      </main>
    );
  }
  return (
    <main class="page" id="main">
      <div class="row">
        <h1>{texts.wallet}</h1>
        <FaucetButton />
      </div>
      <Panel
        title={texts.balances}
        staleSince={accountStaleSince.value}
        tools={<CsvButton name="balances" columns={balanceColumns} rows={own} />}
      >
        {hasBalances.value ? (
          <Table
            caption={texts.balances}
            columns={balanceColumns}
            rows={own}
            keyOf={(each) => each.market + each.token}
            empty={texts.noBalances}
          />
        ) : (
          <div class="skeleton" aria-busy="true" />
        )}
      </Panel>
      {isKnown ? (
        <>
          <div class="columns">
            <DepositPanel />
            <WithdrawPanel items={query.data?.items ?? []} />
            <PerpWithdrawPanel items={perp.data?.items ?? []} />
            <TransferPanel />
          </div>
          <Histories withdrawals={query} perpWithdrawals={perp} />
        </>
      ) : (
        <div class="skeleton" aria-busy="true" />
      )}
    </main>
  );
}
