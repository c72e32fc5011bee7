import { formatAmount, zeroAmount } from '../../domain/amount.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import { formatOrderId } from '../../domain/order-id.ts';
import { decimalFromLots, decimalFromTicks, type SpotMarket } from '../../domain/spot-market.ts';
import type { Side, SpotOrder, SpotTrade } from '../../domain/spot-order.ts';
import { formatAverage } from '../format-average.ts';
import { formatTime } from '../format-time.ts';

// The public JSON of orders and trades, the same from the live engine and from the database.

export interface SpotOrderView {
  readonly order_id: string;
  readonly client_order_id: string | null;
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly tif: string;
  readonly price: string | null;
  readonly quantity: string | null;
  readonly quote_quantity: string | null;
  readonly filled_quantity: string;
  readonly filled_quote_quantity: string;
  readonly avg_price: string | null;
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SpotFillView {
  readonly trade_id: string;
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly fee_token: string;
  readonly role: 'maker' | 'taker';
}

export interface SpotTradeView extends SpotFillView {
  readonly order_id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly quote_quantity: string;
  readonly created_at: string;
}

export function viewSpotOrder(order: SpotOrder, market: SpotMarket): SpotOrderView {
  return {
    order_id: formatOrderId(order),
    client_order_id: order.clientOrderId,
    symbol: market.symbol,
    side: order.side,
    type: order.type,
    tif: order.timeInForce,
    price: order.price === null ? null : formatDecimal(decimalFromTicks(market, order.price)),
    quantity:
      order.quantity === null ? null : formatDecimal(decimalFromLots(market, order.quantity)),
    quote_quantity: order.quoteQuantity === null ? null : formatAmount(order.quoteQuantity),
    filled_quantity: formatDecimal(decimalFromLots(market, order.filledQuantity)),
    filled_quote_quantity: formatAmount(order.filledQuote),
    avg_price: formatAveragePrice(order, market),
    status: order.status,
    created_at: formatTime(order.createdAt),
    updated_at: formatTime(order.updatedAt),
  };
}

/** Filled quote over filled quantity, cut to 8 decimals or the tick's, whichever is finer. */
function formatAveragePrice(order: SpotOrder, market: SpotMarket): string | null {
  if (order.filledQuantity === 0) return null;
  return formatAverage(
    order.filledQuote,
    decimalFromLots(market, order.filledQuantity),
    market.tickSize,
  );
}

/** One side of a trade. */
export function viewSpotFill(
  trade: SpotTrade,
  market: SpotMarket,
  role: 'maker' | 'taker',
): SpotFillView {
  const isBuyer = (trade.takerSide === 'buy') === (role === 'taker');
  const fee = role === 'taker' ? trade.takerFee : trade.makerFee;
  return {
    trade_id: String(trade.tradeId),
    price: formatDecimal(decimalFromTicks(market, trade.price)),
    quantity: formatDecimal(decimalFromLots(market, trade.quantity)),
    fee: fee === zeroAmount ? '0' : formatAmount(fee),
    fee_token: isBuyer ? market.baseToken : market.quoteToken,
    role,
  };
}
