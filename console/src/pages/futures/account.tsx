import type { Answer } from '@openbourse/client';
import { toUnits } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { formatDecimal, formatFraction } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { Cards } from '../../parts/cards.tsx';
import { Loaded } from '../../parts/table.tsx';
import * as texts from '../../text/en/futures.ts';

type Unified = Answer<'GET /api/v1/unified/account'>;

const safeFrom = toUnits('1.5');

/** How far equity is from maintenance margin, in a word; liquidation begins at 1. */
function Safety({ account: { uniMMR: ratio, liquidation } }: { account: Unified }) {
  if (liquidation !== null)
    return <span class="tag bad">{texts.inLiquidation(liquidation.stage)}</span>;
  if (ratio === null) return <span class="tag good">{texts.noPositions}</span>;
  const isSafe = toUnits(ratio) >= safeFrom;
  return (
    <span class={`tag ${isSafe ? 'good' : 'warn'}`}>
      {isSafe ? texts.safe : texts.closeToLiquidation}
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
              [texts.vipTier, account?.is_override === true ? texts.setByExchange(tier) : tier],
              [texts.volume14Days, <Usdt value={account?.volume_14d} />],
              [
                texts.volumeToNextTier,
                next ? <Usdt value={next.missing_volume} /> : texts.highestTier,
              ],
              [texts.makerFee(symbol), formatFraction(own?.maker_rate ?? maker, 4)],
              [texts.takerFee(symbol), formatFraction(own?.taker_rate ?? taker, 4)],
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
              [texts.equityUsdt, <Usdt value={account.equity} />],
              [texts.availableUsdt, <Usdt value={account.available_balance} />],
              [texts.withdrawableUsdt, <Usdt value={account.withdrawable} />],
              [texts.positionMargin, <Usdt value={account.position_margin} />],
              [texts.orderMargin, <Usdt value={account.order_margin} />],
              [texts.maintenanceMargin, <Usdt value={account.maintenance_margin} />],
              [texts.unrealizedUsdt, <Usdt value={account.unrealized_profit} />],
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
