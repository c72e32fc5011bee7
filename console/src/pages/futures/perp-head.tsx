import { useLocation } from 'preact-iso/router';
import { useApi } from '../../api/query.ts';
import { now } from '../../feed/clock.ts';
import type { MarketFeed } from '../../feed/market.ts';
import {
  decimalsOf,
  formatCountdown,
  formatDecimal,
  formatFraction,
  formatWhole,
} from '../../number/format.ts';
import { DayFigures, Stat } from '../../parts/desk.tsx';
import type { PerpMarket } from '../../parts/perp-ticket/perp-draft.ts';
import * as texts from '../../text/en/futures.ts';

const openInterestMs = 15_000;

function OpenInterest({ market: { symbol, base_asset: base } }: { market: PerpMarket }) {
  const { data } = useApi(
    'GET /fapi/v1/openInterest',
    { query: { symbol } },
    { every: openInterestMs },
  );
  return (
    <Stat label={texts.openInterest} isOptional>
      {data === undefined ? '–' : `${formatWhole(data.openInterest)} ${base}`}
    </Stat>
  );
}

export function PerpHead({
  market,
  all,
  feed,
}: {
  market: PerpMarket;
  all: readonly PerpMarket[];
  feed: MarketFeed;
}) {
  const { route } = useLocation();
  const decimals = decimalsOf(market.tick_size);
  const mark = feed.mark.value;
  return (
    <>
      <h1>
        <span class="hidden">{texts.perpetual}</span>
        <select
          aria-label={texts.market}
          value={market.symbol}
          onChange={(event) => route(`/futures/${event.currentTarget.value}`)}
        >
          {all.map((each) => (
            <option key={each.symbol} value={each.symbol}>
              {texts.perpetualOf(each.base_asset)}
            </option>
          ))}
        </select>
      </h1>
      <DayFigures feed={feed} decimals={decimals} />
      <Stat label={texts.mark}>{formatDecimal(mark?.mark_price, decimals)}</Stat>
      <Stat label={texts.index} isOptional>
        {formatDecimal(mark?.index_price, decimals)}
      </Stat>
      <OpenInterest market={market} />
      <Stat label={texts.fundingIn}>
        {formatFraction(mark?.funding_rate, 4)} ·{' '}
        {mark === null ? '–' : formatCountdown(mark.next_funding_time - now.value)}
      </Stat>
      {market.status !== 'listed' && <span class="tag warn">{market.status}</span>}
      {mark?.is_index_stale === true && <span class="tag warn">{texts.indexIsStale}</span>}
    </>
  );
}
