import type { AccountId, MarketId } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { PlaceSpotOrder } from '../../src/engine/commands.ts';

/** A limit buy of 10 lots at 100 ticks by account 1 in market 0, with the given changes. */
export function limitOrder(change: Partial<PlaceSpotOrder> = {}): PlaceSpotOrder {
  return {
    type: 'placeSpotOrder',
    accountId: 1 as AccountId,
    marketId: 0 as MarketId,
    side: 'buy',
    clientOrderId: null,
    orderType: 'limit',
    timeInForce: 'gtc',
    price: 100 as Ticks,
    quantity: 10 as Lots,
    quoteQuantity: null,
    ...change,
  };
}
