import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Amount } from '../../parts/amount.tsx';
import { Cards } from '../../parts/cards.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { Loaded } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

type Fund = Answer<'GET /api/v1/admin/futures/insurance'>;

const sources = ['fees', 'treasury'] as const;

const usdt = (amount: string) => <Amount value={amount} token="USDT" isNamed />;

/** Why nothing leaves the perp wallets, or that it does. */
function gateText({ withdrawals_held: isHeld, withdrawals_gated: isGated, ...fund }: Fund): string {
  if (isHeld) return 'held';
  if (!isGated) return 'open';
  return fund.gated_until === null ? 'gated' : texts.gatedUntil(formatMoment(fund.gated_until));
}

async function setHeld(held: boolean): Promise<void> {
  await write(
    held ? texts.holdPerpWithdrawalsAction : texts.releasePerpWithdrawalsAction,
    () => api.call('PUT /api/v1/admin/futures/withdrawals', { body: { held } }),
    held ? 'hold' : undefined,
  );
  refresh('GET /api/v1/admin/futures/insurance');
}

async function topUp(): Promise<void> {
  const [amount, reason, reference] = [
    get('insurance-amount'),
    get('insurance-reason'),
    get('insurance-reference'),
  ];
  const source = get('insurance-source') as (typeof sources)[number];
  await write(texts.topUpFundAction(amount, source), () =>
    api.call('POST /api/v1/admin/futures/insurance', {
      body: {
        amount,
        source,
        ...(reason === '' ? {} : { reason }),
        ...(reference === '' ? {} : { reference }),
      },
    }),
  );
  refresh('GET /api/v1/admin/futures/insurance');
}

/** What covers losses of the perpetuals, and whether money leaves the perp wallets. */
export function InsuranceFund() {
  const query = useApi('GET /api/v1/admin/futures/insurance', {}, { every: 10_000 });
  const fund = query.data;
  return (
    <>
      <section class="panel" aria-label={texts.insuranceFund}>
        <header>
          <h2>{texts.insuranceFund}</h2>
          {fund !== undefined && (
            <SendButton class="small" onClick={() => void setHeld(!fund.withdrawals_held)}>
              {fund.withdrawals_held ? texts.releasePerpWithdrawals : texts.holdPerpWithdrawals}
            </SendButton>
          )}
        </header>
        <div class="body">
          <Loaded query={query}>
            {(each) => (
              <Cards
                figures={[
                  [texts.balance, usdt(each.balance)],
                  [texts.committedToLiquidations, usdt(each.held)],
                  [texts.badDebt, usdt(each.bad_debt)],
                  [texts.feeRevenue, usdt(each.fee_revenue)],
                  [texts.accountsInLiquidation, each.accounts_in_liquidation],
                  [texts.perpWithdrawals, gateText(each)],
                ]}
              />
            )}
          </Loaded>
        </div>
      </section>
      <Form
        title={texts.topUpInsuranceFund}
        names={[
          ['insurance-amount', texts.amountUSDT],
          ['insurance-source', texts.source, sources],
          ['insurance-reason', texts.reason],
          ['insurance-reference', texts.referencePaidOnce],
        ]}
        action={texts.topUp}
        onSubmit={topUp}
      />
    </>
  );
}
