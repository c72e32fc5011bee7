import type { Exchange } from '../../../application/ports/exchange.ts';
import type { Amount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import { describeForAccounts, type MarketsByNumber } from './account-events.ts';
import type { FuturesFeed } from './futures-feed.ts';
import type { DescribeForAccounts } from './user-streams.ts';

/** The user events of futures, with current open orders and mark prices. */
export function futuresAccountEvents({
  exchange,
  feed,
}: {
  readonly exchange: Exchange;
  readonly feed: FuturesFeed;
}): DescribeForAccounts {
  const markPrices = new Map<FuturesMarketId, Amount>();
  feed.addListener(({ events }) => {
    for (const event of events) {
      if (event.type === 'markPriceChanged') markPrices.set(event.marketId, event.markPrice);
    }
  });
  const markets: MarketsByNumber = {
    getMarket: (marketId) => feed.getMarket(marketId).market,
    getOpenNotional: (accountId, marketId) =>
      exchange.peek(({ futures }) => futures.getOpenNotional(accountId, marketId)),
    getMarkPrice: (marketId) => markPrices.get(marketId) ?? null,
  };
  return (applied, isWatched) => describeForAccounts(applied, markets, isWatched);
}
