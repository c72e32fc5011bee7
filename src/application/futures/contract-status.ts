import type { FuturesMarket, FuturesMarketStatus } from '../../domain/futures-market.ts';
import type { FuturesView } from '../ports/exchange.ts';

/** A market's status in Binance's spelling. */
export function contractStatus(status: FuturesMarketStatus): string {
  switch (status) {
    case 'listed':
      return 'TRADING';
    case 'halted':
      return 'PENDING_TRADING';
    case 'delisted':
      return 'CLOSE';
  }
}

/** The current status: SETTLING while a price move or a delisting is being settled. */
export function contractStatusNow(
  futures: Pick<FuturesView, 'isFuturesMarketSettling' | 'getOpenInterest'>,
  { marketId, status }: FuturesMarket,
): string {
  const isSettling =
    status === 'delisted'
      ? futures.getOpenInterest(marketId) > 0
      : status === 'listed' && futures.isFuturesMarketSettling(marketId);
  return isSettling ? 'SETTLING' : contractStatus(status);
}

/** The delivery time of a perpetual, as Binance writes it: the year 2100. */
export const perpetualDelivery = 4_133_404_800_000;
