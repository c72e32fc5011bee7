import type { Selectable } from 'kysely';
import { type Amount, amountFromDecimal } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import type {
  AccountId,
  MarketId,
  OrderNumber,
  TimestampMs,
  TradeId,
  TradeNumber,
} from '../../domain/identifiers.ts';
import {
  type Lots,
  lotsFromDecimal,
  type SpotMarket,
  type Ticks,
  ticksFromDecimal,
} from '../../domain/spot-market.ts';
import type {
  Side,
  SpotOrder,
  SpotOrderStatus,
  SpotOrderType,
  SpotTimeInForce,
  SpotTrade,
} from '../../domain/spot-order.ts';
import { decimalOf } from '../column-values.ts';
import type { SpotOrdersTable, SpotTradesTable } from '../tables.ts';

// Rows are converted back to the engine's types, so that one function makes the public view of an
// order whether it rests in the book or is only in the database.

export function spotOrderFromRow(row: Selectable<SpotOrdersTable>, market: SpotMarket): SpotOrder {
  return {
    orderNumber: Number(row.order_number) as OrderNumber,
    accountId: Number(row.account_id) as AccountId,
    marketId: row.market_id as MarketId,
    clientOrderId: row.client_order_id,
    side: row.side as Side,
    type: row.type as SpotOrderType,
    timeInForce: row.tif as SpotTimeInForce,
    price: row.price === null ? null : ticksOf(row.price, market),
    quantity: row.quantity === null ? null : lotsOf(row.quantity, market),
    quoteQuantity: row.quote_quantity === null ? null : amountOf(row.quote_quantity),
    filledQuantity: lotsOf(row.filled_quantity, market),
    filledQuote: amountOf(row.filled_quote_quantity),
    status: row.status as SpotOrderStatus,
    createdAt: row.created_at.getTime() as TimestampMs,
    updatedAt: row.updated_at.getTime() as TimestampMs,
  };
}

export function spotTradeFromRow(row: Selectable<SpotTradesTable>, market: SpotMarket): SpotTrade {
  return {
    tradeNumber: Number(row.trade_number) as TradeNumber,
    tradeId: Number(row.trade_id) as TradeId,
    marketId: row.market_id as MarketId,
    price: ticksOf(row.price, market),
    quantity: lotsOf(row.quantity, market),
    quoteAmount: amountOf(row.quote_quantity),
    takerSide: row.taker_side as Side,
    makerOrderNumber: Number(row.maker_order_number) as OrderNumber,
    takerOrderNumber: Number(row.taker_order_number) as OrderNumber,
    makerOrderCreatedAt: row.maker_order_created_at.getTime() as TimestampMs,
    takerOrderCreatedAt: row.taker_order_created_at.getTime() as TimestampMs,
    makerAccountId: Number(row.maker_account_id) as AccountId,
    takerAccountId: Number(row.taker_account_id) as AccountId,
    makerFee: amountOf(row.maker_fee),
    takerFee: amountOf(row.taker_fee),
  };
}

function amountOf(text: string): Amount {
  const amount = amountFromDecimal(decimalOf(text));
  assert(amount !== null, `${text} in the database is an amount`);
  return amount;
}

function ticksOf(text: string, market: SpotMarket): Ticks {
  const ticks = ticksFromDecimal(market, decimalOf(text));
  assert(ticks !== null, `${text} in the database is a price of ${market.symbol}`);
  return ticks;
}

function lotsOf(text: string, market: SpotMarket): Lots {
  const lots = lotsFromDecimal(market, decimalOf(text));
  assert(lots !== null, `${text} in the database is a quantity of ${market.symbol}`);
  return lots;
}
