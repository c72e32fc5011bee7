import type { MarketFeed } from '../../feed/market.ts';
import { decimalsOf } from '../../number/format.ts';
import { Desk, useMarketFeed } from '../../parts/desk.tsx';
import { changePerpDraft, type PerpMarket } from '../../parts/perp-ticket/perp-draft.ts';
import { PerpTicket } from '../../parts/perp-ticket/perp-ticket.tsx';
import * as texts from '../../text/en/futures.ts';
import { PerpHead } from './perp-head.tsx';
import { PerpLists } from './perp-lists.tsx';

/** Shown while something keeps orders out of the market. */
function PerpBanners({ market, feed }: { market: PerpMarket; feed: MarketFeed }) {
  if (market.status !== 'listed') {
    return (
      <p class="banner" role="status">
        {texts.notTrading(market.symbol, market.status)}
      </p>
    );
  }
  if (feed.mark.value?.is_index_stale !== true) return null;
  return (
    <p class="banner" role="status">
      {texts.indexPriceIsStale}
    </p>
  );
}

export function PerpDesk({ market, all }: { market: PerpMarket; all: readonly PerpMarket[] }) {
  const feed = useMarketFeed('futures', market.symbol);
  return (
    <>
      <PerpBanners market={market} feed={feed} />
      <Desk
        kind="futures"
        symbol={market.symbol}
        feed={feed}
        tickSize={market.tick_size}
        quantityDecimals={decimalsOf(market.lot_size)}
        head={<PerpHead market={market} all={all} feed={feed} />}
        ticket={<PerpTicket market={market} feed={feed} />}
        lists={<PerpLists market={market} />}
        onPick={(price) => changePerpDraft({ price, type: 'LIMIT' })}
        onSide={(side) => changePerpDraft({ side: side === 'buy' ? 'BUY' : 'SELL' })}
      />
    </>
  );
}
