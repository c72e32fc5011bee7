import type {
  KlineView,
  PublicSpotTradeView,
} from '../../../application/market-data/market-views.ts';
import { viewKline } from '../../../application/market-data/view-kline.ts';
import type { ReadBarrier } from '../../../application/ports/database.ts';
import type { FuturesHistory } from '../../../application/ports/futures-history.ts';
import type { KlineFilter } from '../../../application/ports/spot-history.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import { decimalFromLots, decimalFromTicks } from '../../../domain/spot-market.ts';
import type { StreamHistory } from '../stream-history.ts';

/** Past trades of perpetuals, in the shapes that the spot streams read. */
export interface PerpetualHistory {
  readonly futuresHistory: Pick<FuturesHistory, 'listMarketTrades' | 'listKlines'>;
  readonly barrier: ReadBarrier;
}

/** The history of one perpetual, whichever symbol is requested. */
export function historyOfPerpetual(
  { futuresHistory, barrier }: PerpetualHistory,
  market: FuturesMarket,
): StreamHistory {
  const { marketId } = market;
  return {
    barrier,
    history: {
      listRecentTrades: async (_symbol, limit): Promise<readonly PublicSpotTradeView[]> => {
        const span = { from: null, startTime: null, endTime: null } as const;
        const order = 'newest_first' as const;
        const trades = await futuresHistory.listMarketTrades({ marketId, ...span, order, limit });
        return trades.map(({ trade, createdAt }) => ({
          trade_id: String(trade.tradeId),
          price: formatDecimal(decimalFromTicks(market, trade.price)),
          quantity: formatDecimal(decimalFromLots(market, trade.quantity)),
          quote_quantity: formatAmount(trade.quoteAmount),
          side: trade.takerSide,
          created_at: new Date(createdAt).toISOString(),
        }));
      },
      listKlines: async (filter: KlineFilter): Promise<readonly KlineView[]> => {
        const { interval, startTime, endTime, limit } = filter;
        const span = { interval, startTime, endTime, limit };
        const klines = await futuresHistory.listKlines({ marketId, ...span });
        return klines.map(viewKline);
      },
    },
  };
}
