import type { Selectable } from 'kysely';
import type { PastFuturesOrder } from '../../application/ports/futures-history.ts';
import { assert } from '../../domain/assert.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type {
  CallbackBps,
  FuturesOrderStatus,
  FuturesOrderType,
  FuturesTimeInForce,
  FuturesTrade,
  OrderOrigin,
  PriceMatch,
  SelfTradeMode,
  TriggerPriceKind,
} from '../../domain/futures-order.ts';
import type {
  AccountId,
  OrderNumber,
  TimestampMs,
  TradeId,
  TradeNumber,
} from '../../domain/identifiers.ts';
import {
  type Lots,
  lotsFromDecimal,
  type PriceGrid,
  type QuantityGrid,
  type Ticks,
  ticksFromDecimal,
} from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';
import type { FuturesOrderEnd } from '../../engine/futures-events.ts';
import { decimalOf, timeOf } from '../column-values.ts';
import { amountOf } from './futures-market-rows.ts';
import type { FuturesOrdersTable, FuturesTradesTable } from './futures-tables.ts';

// Rows are converted back to the engine's types, so that one function makes the public view of an
// order whether it is live or only in the database.

type Grid = PriceGrid & QuantityGrid;

export function futuresOrderFromRow(
  row: Selectable<FuturesOrdersTable>,
  market: Grid,
): PastFuturesOrder {
  return {
    orderNumber: Number(row.order_number) as OrderNumber,
    accountId: Number(row.account_id) as AccountId,
    marketId: row.market_id as FuturesMarketId,
    clientOrderId: row.client_order_id,
    side: row.side as Side,
    type: row.type as FuturesOrderType,
    timeInForce: row.time_in_force as FuturesTimeInForce,
    price: ticksOf(row.price, market),
    priceMatch: row.price_match as PriceMatch,
    quantity: lotsOf(row.quantity, market),
    filledQuantity: lotsOf(row.filled_quantity, market),
    filledQuote: amountOf(row.filled_quote),
    status: row.status as FuturesOrderStatus,
    stopPrice: ticksOf(row.stop_price, market),
    triggerPriceKind: row.trigger_price_kind as TriggerPriceKind,
    activationPrice: ticksOf(row.activation_price, market),
    callback: row.callback_bps as CallbackBps | null,
    isReduceOnly: row.is_reduce_only,
    isClosePosition: row.is_close_position,
    isPriceProtected: row.is_price_protected,
    selfTradeMode: row.self_trade_mode as SelfTradeMode,
    goodTill: timeOf(row.good_till),
    parentOrderNumber: numberOf(row.parent_order_number) as OrderNumber | null,
    isAlgo: row.is_algo,
    origin: row.origin as OrderOrigin,
    triggeredAt: timeOf(row.triggered_at),
    createdAt: row.created_at.getTime() as TimestampMs,
    updatedAt: row.updated_at.getTime() as TimestampMs,
    end: row.end_reason as FuturesOrderEnd | null,
  };
}

export function futuresTradeFromRow(
  row: Selectable<FuturesTradesTable>,
  market: Grid,
): FuturesTrade {
  const price = ticksOf(row.price, market);
  assert(price !== null, 'a trade has a price');
  return {
    tradeNumber: Number(row.trade_number) as TradeNumber,
    tradeId: Number(row.trade_id) as TradeId,
    marketId: row.market_id as FuturesMarketId,
    price,
    quantity: lotsOf(row.quantity, market),
    quoteAmount: amountOf(row.quote_quantity),
    takerSide: row.taker_side as Side,
    isOffBook: row.is_off_book,
    maker: {
      orderNumber: Number(row.maker_order_number) as OrderNumber,
      accountId: Number(row.maker_account_id) as AccountId,
      fee: amountOf(row.maker_fee),
      realizedProfit: amountOf(row.maker_profit),
    },
    taker: {
      orderNumber: Number(row.taker_order_number) as OrderNumber,
      accountId: Number(row.taker_account_id) as AccountId,
      fee: amountOf(row.taker_fee),
      realizedProfit: amountOf(row.taker_profit),
    },
  };
}

function ticksOf(text: string | null, market: PriceGrid): Ticks | null {
  if (text === null) return null;
  const ticks = ticksFromDecimal(market, decimalOf(text));
  assert(ticks !== null, `${text} in the database is a price of its market`);
  return ticks;
}

function lotsOf(text: string, market: QuantityGrid): Lots {
  const lots = lotsFromDecimal(market, decimalOf(text));
  assert(lots !== null, `${text} in the database is a quantity of its market`);
  return lots;
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}
