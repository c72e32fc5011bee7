import type { BookLevel } from '../../../application/ports/exchange.ts';
import { type Amount, formatAmount } from '../../../domain/amount.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import type { TimestampMs, TradeId } from '../../../domain/identifiers.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type PriceGrid,
  type QuantityGrid,
  type Ticks,
} from '../../../domain/spot-market.ts';
import type { Side } from '../../../domain/spot-order.ts';

// Parts of market data that are the same for spot and perpetual markets.

type MarketGrid = PriceGrid & QuantityGrid;

/** A level as its price and its quantity. */
export function levelPair(market: MarketGrid, { price, quantity }: BookLevel): readonly string[] {
  return [
    formatDecimal(decimalFromTicks(market, price)),
    formatDecimal(decimalFromLots(market, quantity)),
  ];
}

interface TimedTrade {
  readonly trade: {
    readonly tradeId: TradeId;
    readonly price: Ticks;
    readonly quantity: Lots;
    readonly quoteAmount: Amount;
    readonly takerSide: Side;
  };
  readonly createdAt: TimestampMs;
}

/** A trade of the market without its two sides. */
export function tradeFields(market: MarketGrid, { trade, createdAt }: TimedTrade) {
  return {
    id: trade.tradeId,
    price: formatDecimal(decimalFromTicks(market, trade.price)),
    qty: formatDecimal(decimalFromLots(market, trade.quantity)),
    quoteQty: formatAmount(trade.quoteAmount),
    time: createdAt,
    isBuyerMaker: trade.takerSide === 'sell',
  };
}
