import { describe, expect, test } from 'vitest';
import { exampleSpotMarket } from '../../../test/support/scripted-exchange.ts';
import { type Amount, toAmount } from '../../domain/amount.ts';
import { requireDecimal } from '../../domain/decimal.ts';
import type {
  AccountId,
  MarketId,
  OrderNumber,
  TimestampMs,
  TradeId,
  TradeNumber,
} from '../../domain/identifiers.ts';
import { formatOrderId } from '../../domain/order-id.ts';
import { type Lots, marketUnits, type Ticks } from '../../domain/spot-market.ts';
import type { SpotOrder, SpotTrade } from '../../domain/spot-order.ts';
import { viewSpotFill, viewSpotOrder } from './spot-views.ts';

const time = Date.UTC(2026, 0, 5, 12, 0, 0, 7) as TimestampMs;
const market = exampleSpotMarket();

const order: SpotOrder = {
  orderNumber: 42 as OrderNumber,
  accountId: 1 as AccountId,
  marketId: 0 as MarketId,
  clientOrderId: 'mine',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: 6_400_050 as Ticks,
  quantity: 2500 as Lots,
  quoteQuantity: null,
  filledQuantity: 0 as Lots,
  filledQuote: 0n as Amount,
  status: 'new',
  createdAt: time,
  updatedAt: time,
};

describe('viewSpotOrder', () => {
  test('viewSpotOrder: ticks and lots become decimals, times ISO 8601 in UTC', () => {
    expect(viewSpotOrder(order, market)).toEqual({
      order_id: formatOrderId(order),
      client_order_id: 'mine',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      tif: 'gtc',
      price: '64000.5',
      quantity: '0.25',
      quote_quantity: null,
      filled_quantity: '0',
      filled_quote_quantity: '0',
      avg_price: null,
      status: 'new',
      created_at: '2026-01-05T12:00:00.007Z',
      updated_at: '2026-01-05T12:00:00.007Z',
    });
  });

  test('viewSpotOrder: the average price is cut to 8 decimals', () => {
    // 2 USDT for 0.0003 BTC is 6666.66 and so on.
    const filled = { filledQuantity: 3 as Lots, filledQuote: toAmount(200_000_000n) };
    const view = viewSpotOrder({ ...order, ...filled }, market);
    expect(view.avg_price).toBe('6666.66666666');
    expect(view.filled_quantity).toBe('0.0003');
    expect(view.filled_quote_quantity).toBe('2');
  });

  test('viewSpotOrder: a tick finer than 8 decimals keeps its own', () => {
    const tickSize = requireDecimal('0.000000000001');
    const lotSize = requireDecimal('10000');
    const units = marketUnits(tickSize, lotSize);
    expect(units).not.toBeNull();
    if (units === null) return;
    const fine = exampleSpotMarket({ tickSize, lotSize, ...units });
    // One lot at 5 ticks and two at 6: 17 / 3 ticks.
    const filled = { filledQuantity: 3 as Lots, filledQuote: toAmount(17n * units.tickLotAmount) };
    const view = viewSpotOrder({ ...order, price: 6 as Ticks, ...filled }, fine);
    expect(view.price).toBe('0.000000000006');
    expect(view.avg_price).toBe('0.000000000005');
  });
});

describe('viewSpotFill', () => {
  const trade: SpotTrade = {
    tradeNumber: 7 as TradeNumber,
    tradeId: 7 as TradeId,
    marketId: 0 as MarketId,
    price: 10_000 as Ticks,
    quantity: 5000 as Lots,
    quoteAmount: toAmount(5_000_000_000n),
    takerSide: 'sell',
    makerOrderNumber: 1 as OrderNumber,
    takerOrderNumber: 2 as OrderNumber,
    makerOrderCreatedAt: time,
    takerOrderCreatedAt: time,
    makerAccountId: 1 as AccountId,
    takerAccountId: 2 as AccountId,
    makerFee: toAmount(50_000n),
    takerFee: toAmount(10_000_000n),
  };

  test('viewSpotFill: the fee is in the token that each side receives', () => {
    const shared = { trade_id: '7', price: '100', quantity: '0.5' };
    expect(viewSpotFill(trade, market, 'taker')).toEqual({
      ...shared,
      fee: '0.1',
      fee_token: 'USDT',
      role: 'taker',
    });
    expect(viewSpotFill(trade, market, 'maker')).toEqual({
      ...shared,
      fee: '0.0005',
      fee_token: 'BTC',
      role: 'maker',
    });
  });
});
