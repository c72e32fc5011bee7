import type { FuturesMarketStatus } from '../../domain/futures-market.ts';

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

/** The delivery time of a perpetual, as Binance writes it: the year 2100. */
export const perpetualDelivery = 4_133_404_800_000;
