import type { Answer } from '@openbourse/client';
import { toUnits } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { formatDecimal, formatFraction } from '../../number/format.ts';
import { Cards } from '../../parts/cards.tsx';
import { Loaded } from '../../parts/table.tsx';

type Unified = Answer<'GET /api/v1/unified/account'>;

const safeFrom = toUnits('1.5');

/** How far equity is from maintenance margin, in a word; liquidation begins at 1. */
function Safety({ account: { uniMMR: ratio, liquidation } }: { account: Unified }) {
  if (liquidation !== null) return <span class="tag bad">in liquidation: {liquidation.stage}</span>;
  if (ratio === null) return <span class="tag good">no positions</span>;
  const isSafe = toUnits(ratio) >= safeFrom;
  return (
    <span class={`tag ${isSafe ? 'good' : 'warn'}`}>
      {isSafe ? 'safe' : 'close to liquidation'}
    </span>
  );
}

/** The account's VIP tier and what it pays. */
function Fees({ symbol }: { symbol: string }) {
  const query = useApi('GET /api/v1/account/fee-info', {}, { every: 60_000 });
  return (
    <Loaded query={query}>
      {({ current_tier: tier, markets, maker_rate: maker, taker_rate: taker, account }) => {
        const own = markets.find((each) => each.symbol === symbol);
        const next = account?.next_tier;
        return (
          <Cards
            figures={[
              ['VIP tier', account?.is_override === true ? `${tier}, set by the exchange` : tier],
              ['Volume of 14 days, USDT', formatDecimal(account?.volume_14d, 2)],
              [
                'Missing to the next tier, USDT',
                next ? formatDecimal(next.missing_volume, 2) : 'none above',
              ],
              [`Maker fee, ${symbol}`, formatFraction(own?.maker_rate ?? maker, 4)],
              [`Taker fee, ${symbol}`, formatFraction(own?.taker_rate ?? taker, 4)],
            ]}
          />
        );
      }}
    </Loaded>
  );
}

/** The account of the perp wallet: its margin, and what its trades cost. */
export function Account({ symbol }: { symbol: string }) {
  const query = useApi('GET /api/v1/unified/account', {}, { every: 3_000 });
  return (
    <div class="body">
      <Loaded query={query}>
        {(account) => (
          <Cards
            figures={[
              ['Equity, USDT', formatDecimal(account.equity, 2)],
              ['Available, USDT', formatDecimal(account.available_balance, 2)],
              ['Withdrawable, USDT', formatDecimal(account.withdrawable, 2)],
              ['Margin of positions, USDT', formatDecimal(account.position_margin, 2)],
              ['Margin of orders, USDT', formatDecimal(account.order_margin, 2)],
              ['Maintenance margin, USDT', formatDecimal(account.maintenance_margin, 2)],
              ['Unrealized, USDT', formatDecimal(account.unrealized_profit, 2)],
              [
                'uniMMR',
                <>
                  {formatDecimal(account.uniMMR, 2)} <Safety account={account} />
                </>,
              ],
            ]}
          />
        )}
      </Loaded>
      <Fees symbol={symbol} />
    </div>
  );
}
