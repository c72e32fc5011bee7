import { type FuturesPorts, readAccount } from '../../../application/futures/futures-ports.ts';
import {
  type IncomeType,
  incomeTypes,
  type OwnFuturesTrade,
} from '../../../application/ports/futures-history.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { OrderNumber, TradeId } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { decimalFromLots, decimalFromTicks } from '../../../domain/spot-market.ts';
import { accountReads, type Endpoint } from '../endpoint.ts';
import {
  badSymbol,
  failed,
  fromIdOn,
  optionalMarket,
  readWindow,
  requireMarket,
} from './fapi-answers.ts';
import { accountEndpoint } from './fapi-endpoint.ts';
import { orderObject } from './order-object.ts';
import { bySymbol, incomeWeight, incomeWeightMax } from './request-weights.ts';

const tradeLimitDefault = 500;
const incomeLimitDefault = 100;
const forcedLimitDefault = 50;
const forcedLimitMax = 100;
const limitMax = 1_000;
const pageMax = 1_000_000;
const windowFields = { startTime: 'Milliseconds', endTime: 'At most 7 days after startTime' };
/** Binance's other types, which never occur here. */
const otherIncomeTypes = [
  'WELCOME_BONUS',
  'REFERRAL_KICKBACK',
  'COMMISSION_REBATE',
  'API_REBATE',
  'CONTEST_REWARD',
  'CROSS_COLLATERAL_TRANSFER',
  'OPTIONS_PREMIUM_FEE',
  'OPTIONS_SETTLE_PROFIT',
  'INTERNAL_TRANSFER',
  'AUTO_EXCHANGE',
  'DELIVERED_SETTELMENT',
  'COIN_SWAP_DEPOSIT',
  'COIN_SWAP_WITHDRAW',
  'POSITION_LIMIT_INCREASE_FEE',
  'STRATEGY_UMFUTURES_TRANSFER',
  'FEE_RETURN',
  'BFUSD_REWARD',
];
const incomeWords: Readonly<Record<string, IncomeType | 'none'>> = {
  ...Object.fromEntries(otherIncomeTypes.map((type) => [type, 'none'] as const)),
  ...Object.fromEntries(incomeTypes.map((type) => [type, type] as const)),
};

/** The caller's trades, income, forced orders and auto-deleveraging rank. */
export function accountHistory(ports: FuturesPorts): readonly Endpoint[] {
  return [userTrades(ports), income(ports), forceOrders(ports), adlQuantile(ports)];
}

function userTrades(ports: FuturesPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/userTrades',
    summary: 'The caller’s trades',
    weight: 5,
    fields: {
      symbol: 'The market',
      orderId: 'Only trades of this order',
      fromId: 'This trade and later ones',
      ...windowFields,
      limit: `${tradeLimitDefault}, at most ${limitMax}`,
    },
    answers: 'Trades, oldest first',
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const orderNumber = fields.integer('orderId', 1) as OrderNumber | null;
      const from = fields.integer('fromId') as TradeId | null;
      const isTimed = fields.has('startTime') || fields.has('endTime');
      if (from !== null && isTimed) fields.fail('parameter_combination', 'fromId');
      const window = readWindow(fields, ports.now());
      const limit = fields.limit(tradeLimitDefault, limitMax);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      const accountId = await readAccount(ports, address, (_view, found) => found);
      if (accountId === null) return done([]);
      await waitForDatabase(ports);
      const span = from === null ? window : fromIdOn;
      const page = await ports.futuresHistory.listTrades({
        accountId,
        marketId: market.marketId,
        orderNumber,
        from,
        limit,
        ...span,
        cursor: null,
        offset: 0,
      });
      const trades = span.order === 'newest_first' ? [...page.items].reverse() : page.items;
      return done(trades.map((trade) => tradeObject(market, trade)));
    },
  });
}

function tradeObject(market: FuturesMarket, { trade, role, createdAt }: OwnFuturesTrade) {
  const party = trade[role];
  const isBuyer = (trade.takerSide === 'buy') === (role === 'taker');
  return {
    id: trade.tradeId,
    orderId: party.orderNumber,
    symbol: market.symbol,
    side: isBuyer ? 'BUY' : 'SELL',
    positionSide: 'BOTH',
    price: formatDecimal(decimalFromTicks(market, trade.price)),
    qty: formatDecimal(decimalFromLots(market, trade.quantity)),
    quoteQty: formatAmount(trade.quoteAmount),
    realizedPnl: formatAmount(party.realizedProfit),
    commission: formatAmount(party.fee),
    commissionAsset: 'USDT',
    marginAsset: 'USDT',
    buyer: isBuyer,
    maker: role === 'maker',
    time: createdAt,
  };
}

function income(ports: FuturesPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/income',
    summary: 'Income',
    weight: incomeWeightMax,
    weighs: incomeWeight,
    fields: {
      symbol: 'Absent: all markets',
      incomeType: incomeTypes.join(', '),
      ...windowFields,
      page: 'The page, from 1',
      limit: `${incomeLimitDefault}, at most ${limitMax}`,
    },
    answers: 'Fees, funding, realized profit and transfers, oldest first',
    handle: async (fields, { address }) => {
      const market = optionalMarket(ports, fields);
      const type = fields.member('incomeType', incomeWords) ?? null;
      const { startTime, endTime } = readWindow(fields, ports.now());
      const limit = fields.limit(incomeLimitDefault, limitMax);
      const page = fields.integer('page', 1, pageMax) ?? 1;
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === undefined) return badSymbol;
      const accountId = await readAccount(ports, address, (_view, found) => found);
      if (accountId === null || type === 'none') return done([]);
      await waitForDatabase(ports);
      const entries = await ports.futuresHistory.listIncome({
        accountId,
        marketId: market?.marketId ?? null,
        type,
        startTime,
        endTime,
        limit,
        order: 'oldest_first',
        offset: (page - 1) * limit,
      });
      const symbolOf = (marketId: FuturesMarket['marketId']) =>
        ports.exchange.peek(({ futures }) => futures.getFuturesMarket(marketId).symbol);
      return done(
        entries.map((entry) => ({
          symbol: entry.marketId === null ? '' : symbolOf(entry.marketId),
          incomeType: entry.type,
          income: formatAmount(entry.amount),
          asset: 'USDT',
          info: entry.type,
          time: entry.createdAt,
          tranId: entry.id,
          tradeId: entry.tradeId === null ? '' : String(entry.tradeId),
        })),
      );
    },
  });
}

function forceOrders(ports: FuturesPorts): Endpoint {
  const closeTypes = { LIQUIDATION: 'liquidation', ADL: 'auto_deleveraging' } as const;
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/forceOrders',
    summary: 'Forced orders',
    weight: 50,
    weighs: bySymbol(20, 50),
    fields: {
      symbol: 'Absent: all markets',
      autoCloseType: 'LIQUIDATION or ADL; absent: both',
      ...windowFields,
      limit: `${forcedLimitDefault}, at most ${forcedLimitMax}`,
    },
    answers: 'Orders with which the exchange closed positions, oldest first',
    handle: async (fields, { address }) => {
      const market = optionalMarket(ports, fields);
      const forcedBy = fields.member('autoCloseType', closeTypes);
      const window = readWindow(fields, ports.now());
      const limit = fields.limit(forcedLimitDefault, forcedLimitMax);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === undefined) return badSymbol;
      const accountId = await readAccount(ports, address, (_view, found) => found);
      if (accountId === null) return done([]);
      await waitForDatabase(ports);
      const { items } = await ports.futuresHistory.listOrders({
        accountId,
        marketId: market?.marketId ?? null,
        statuses: null,
        isTrigger: null,
        forcedBy: forcedBy ?? 'any',
        from: null,
        limit,
        cursor: null,
        offset: 0,
        ...window,
      });
      return done(
        (window.order === 'newest_first' ? [...items].reverse() : items).map((order) => {
          const own = ports.exchange.peek(({ futures }) =>
            futures.getFuturesMarket(order.marketId),
          );
          return orderObject(own, order);
        }),
      );
    },
  });
}

function adlQuantile(ports: FuturesPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/adlQuantile',
    summary: 'ADL quantile',
    weight: 5,
    fields: { symbol: 'Absent: all markets' },
    answers: '0 to 4; positions with 4 are deleveraged first',
    handle: (fields, { address }) => {
      const market = optionalMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === undefined) return badSymbol;
      return readAccount(ports, address, ({ futures }, accountId) => {
        const positions = accountId === null ? [] : futures.listPositions(accountId);
        return done(
          positions
            .filter(({ marketId }) => market === null || marketId === market.marketId)
            .filter(({ quantity }) => quantity !== 0)
            .map(({ marketId, quantity, deleverageRank }) => ({
              symbol: futures.getFuturesMarket(marketId).symbol,
              adlQuantile: {
                LONG: quantity > 0 ? deleverageRank : 0,
                SHORT: quantity < 0 ? deleverageRank : 0,
                BOTH: deleverageRank,
              },
            })),
        );
      });
    },
  });
}
