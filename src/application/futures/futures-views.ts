import { type Amount, formatAmount, toAmount } from '../../domain/amount.ts';
import { type Decimal, formatDecimal, formatScaled } from '../../domain/decimal.ts';
import { type FuturesMarket, type Rate, rateScale } from '../../domain/futures-market.ts';
import type { FuturesOrder } from '../../domain/futures-order.ts';
import type { FuturesPositionView } from '../../domain/futures-position.ts';
import { decimalFromLots, decimalFromTicks, type Ticks } from '../../domain/spot-market.ts';
import { upperWord } from '../../domain/upper-word.ts';
import type { BookDepth, BookLevel } from '../../engine/book-depth.ts';
import { formatAverage } from '../format-average.ts';
import { formatTime } from '../format-time.ts';
import type { FuturesView } from '../ports/exchange.ts';
import type { OwnFuturesTrade, TimedFuturesTrade } from '../ports/futures-history.ts';
import { workingTypeOf } from './order-names.ts';

// The public JSON of derivatives on the general endpoints: snake case like everything below
// /api/v1, with the spelling of /fapi (BUY, LIMIT, NEW) in values.

export interface FuturesMarketView {
  readonly symbol: string;
  readonly base_asset: string;
  readonly quote_asset: string;
  readonly status: string;
  readonly tick_size: string;
  readonly lot_size: string;
  readonly min_order_size_usd: string;
  readonly max_order_size_usd: string;
  readonly max_leverage: number;
  readonly maintenance_margin_rate: string;
  readonly maker_fee_bps: number;
  readonly taker_fee_bps: number;
  readonly mark_price: string | null;
  readonly index_price: string | null;
  readonly last_price: string | null;
  readonly funding_rate: string;
  readonly next_funding_time: string;
  readonly is_index_stale: boolean;
  readonly price_state: string;
  readonly settling: boolean;
  readonly open_interest: string;
  readonly max_open_interest: string;
  readonly delisting_at: string | null;
  readonly created_at: string;
}

export function formatRate(rate: Rate): string {
  return formatScaled(rate, rateScale);
}

export function viewFuturesMarket(market: FuturesMarket, futures: FuturesView): FuturesMarketView {
  const prices = futures.getFuturesPrices(market.marketId);
  const openInterest = BigInt(futures.getOpenInterest(market.marketId)) * market.lotSize;
  return {
    symbol: market.symbol,
    base_asset: market.baseAsset,
    quote_asset: 'USDT',
    status: market.status,
    tick_size: formatDecimal(market.tickSize),
    lot_size: formatDecimal(market.lotSize),
    min_order_size_usd: formatAmount(market.minNotional),
    max_order_size_usd: formatAmount(market.maxNotional),
    max_leverage: market.maxLeverage,
    maintenance_margin_rate: formatRate(market.maintenanceMarginRate),
    maker_fee_bps: market.makerFeeBps,
    taker_fee_bps: market.takerFeeBps,
    mark_price: formatOptional(prices.markPrice),
    index_price: formatOptional(prices.indexPrice),
    last_price: formatOptional(prices.lastPrice),
    funding_rate: formatRate(prices.fundingRate),
    next_funding_time: formatTime(prices.nextFundingTime),
    is_index_stale: prices.isIndexStale,
    price_state: prices.priceState,
    settling: futures.isFuturesMarketSettling(market.marketId),
    open_interest: formatDecimal(openInterest as Decimal),
    max_open_interest: formatAmount(market.maxOpenInterest),
    delisting_at: prices.delistingAt === null ? null : formatTime(prices.delistingAt),
    created_at: formatTime(market.createdAt),
  };
}

export interface FuturesOrderView {
  readonly order_id: number;
  readonly client_order_id: string | null;
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly time_in_force: string;
  readonly price: string | null;
  readonly quantity: string;
  readonly filled_quantity: string;
  readonly filled_quote_quantity: string;
  readonly avg_price: string | null;
  readonly stop_price: string | null;
  readonly working_type: string;
  readonly reduce_only: boolean;
  readonly close_position: boolean;
  readonly status: string;
  readonly parent_order_id: number | null;
  readonly origin: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export function viewFuturesOrder(order: FuturesOrder, market: FuturesMarket): FuturesOrderView {
  const filled = decimalFromLots(market, order.filledQuantity);
  const isFilled = order.filledQuantity > 0;
  return {
    order_id: order.orderNumber,
    client_order_id: order.clientOrderId,
    symbol: market.symbol,
    side: upperWord(order.side),
    type: upperWord(order.type),
    time_in_force: upperWord(order.timeInForce),
    price: formatTicks(market, order.price),
    quantity: formatDecimal(decimalFromLots(market, order.quantity)),
    filled_quantity: formatDecimal(filled),
    filled_quote_quantity: formatAmount(order.filledQuote),
    avg_price: isFilled ? formatAverage(order.filledQuote, filled, market.tickSize) : null,
    stop_price: formatTicks(market, order.stopPrice),
    working_type: workingTypeOf(order.triggerPriceKind),
    reduce_only: order.isReduceOnly,
    close_position: order.isClosePosition,
    status: upperWord(order.status),
    parent_order_id: order.parentOrderNumber,
    origin: order.origin,
    created_at: formatTime(order.createdAt),
    updated_at: formatTime(order.updatedAt),
  };
}

export interface OwnTradeView {
  readonly trade_id: number;
  readonly order_id: number;
  readonly symbol: string;
  readonly side: string;
  readonly role: string;
  readonly price: string;
  readonly quantity: string;
  readonly quote_quantity: string;
  readonly fee: string;
  readonly fee_asset: string;
  readonly realized_profit: string;
  readonly created_at: string;
}

export function viewOwnTrade(
  { trade, role, createdAt }: OwnFuturesTrade,
  market: FuturesMarket,
): OwnTradeView {
  const party = trade[role];
  const isBuyer = (trade.takerSide === 'buy') === (role === 'taker');
  return {
    trade_id: trade.tradeId,
    order_id: party.orderNumber,
    symbol: market.symbol,
    side: isBuyer ? 'BUY' : 'SELL',
    role,
    price: formatDecimal(decimalFromTicks(market, trade.price)),
    quantity: formatDecimal(decimalFromLots(market, trade.quantity)),
    quote_quantity: formatAmount(trade.quoteAmount),
    fee: formatAmount(party.fee),
    fee_asset: 'USDT',
    realized_profit: formatAmount(party.realizedProfit),
    created_at: formatTime(createdAt),
  };
}

export interface MarketTradeView {
  readonly trade_id: number;
  readonly price: string;
  readonly quantity: string;
  readonly quote_quantity: string;
  readonly side: string;
  readonly created_at: string;
}

export function viewMarketTrade(
  { trade, createdAt }: TimedFuturesTrade,
  market: FuturesMarket,
): MarketTradeView {
  return {
    trade_id: trade.tradeId,
    price: formatDecimal(decimalFromTicks(market, trade.price)),
    quantity: formatDecimal(decimalFromLots(market, trade.quantity)),
    quote_quantity: formatAmount(trade.quoteAmount),
    side: upperWord(trade.takerSide),
    created_at: formatTime(createdAt),
  };
}

export interface PositionView {
  readonly symbol: string;
  readonly side: string;
  readonly quantity: string;
  readonly entry_price: string | null;
  readonly mark_price: string | null;
  readonly liquidation_price: string | null;
  readonly leverage: number;
  readonly margin_mode: string;
  readonly notional: string;
  readonly unrealized_profit: string;
  readonly realized_profit: string;
  readonly initial_margin: string;
  readonly order_margin: string;
  readonly maintenance_margin: string;
  readonly deleverage_rank: number;
  readonly updated_at: string;
}

export function viewPosition(position: FuturesPositionView, market: FuturesMarket): PositionView {
  const { quantity, entryNotional } = position;
  const size = (BigInt(Math.abs(quantity)) * market.lotSize) as Decimal;
  return {
    symbol: market.symbol,
    side: quantity === 0 ? 'NONE' : quantity > 0 ? 'LONG' : 'SHORT',
    quantity: formatDecimal((BigInt(quantity) * market.lotSize) as Decimal),
    entry_price: quantity === 0 ? null : formatAverage(entryNotional, size, market.tickSize),
    mark_price: formatOptional(position.markPrice),
    liquidation_price: formatOptional(position.liquidationPrice),
    leverage: position.leverage,
    margin_mode: 'cross',
    notional: formatAmount(position.notional),
    unrealized_profit: formatAmount(position.unrealizedProfit),
    realized_profit: formatAmount(position.realizedProfit),
    initial_margin: formatAmount(position.initialMargin),
    order_margin: formatAmount(position.orderMargin),
    maintenance_margin: formatAmount(position.maintenanceMargin),
    deleverage_rank: position.deleverageRank,
    updated_at: formatTime(position.updatedAt),
  };
}

export interface FuturesDepthView {
  readonly symbol: string;
  readonly last_update_id: number;
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
}

export function viewFuturesDepth(market: FuturesMarket, depth: BookDepth): FuturesDepthView {
  const viewLevel = ({ price, quantity }: BookLevel): readonly [string, string] => [
    formatDecimal(decimalFromTicks(market, price)),
    formatDecimal(decimalFromLots(market, quantity)),
  ];
  return {
    symbol: market.symbol,
    last_update_id: depth.lastUpdateId,
    bids: depth.bids.map(viewLevel),
    asks: depth.asks.map(viewLevel),
  };
}

export function formatTicks(market: FuturesMarket, price: Ticks | null): string | null {
  return price === null ? null : formatDecimal(decimalFromTicks(market, price));
}

export function formatOptional(amount: Amount | null): string | null {
  return amount === null ? null : formatAmount(amount);
}

export function sumAmounts(...amounts: readonly Amount[]): Amount {
  return toAmount(amounts.reduce((sum, amount) => sum + amount, 0n));
}
