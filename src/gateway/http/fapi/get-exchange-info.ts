import {
  contractStatusNow,
  perpetualDelivery,
} from '../../../application/futures/contract-status.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { formatDecimal, formatScaled } from '../../../domain/decimal.ts';
import { type FuturesMarket, rateScale } from '../../../domain/futures-market.ts';
import type { Endpoint } from '../endpoint.ts';
import { KeptList, listAnswer } from '../kept-list.ts';
import type { RequestLimits } from '../request-limiter.ts';
import type { FapiPorts } from './dialect/fapi-dialect.ts';
import { publicEndpoint } from './fapi-endpoint.ts';
import { largestPrice, largestQuantity } from './market-filters.ts';
import { orderTypes, timesInForce } from './reference/order-words.ts';

// GTD is for algo orders; a regular order with it is refused.
const regularTimesInForce = timesInForce.filter((each) => each !== 'GTD');
/** Per account and market, including orders that wait for a trigger price. */
export const openOrdersMax = 200;
const percentScale = rateScale - 2;

/** Markets with their filters, and the request limits. */
export function exchangeInfoEndpoint(ports: FapiPorts, limits: RequestLimits): Endpoint {
  const symbols = new KeptList<ListedMarket>(
    (kept, { market, status }) => kept.market === market && kept.status === status,
    ({ market, status }) => symbolObject(market, status, ports.dialect?.filtersOf(market) ?? []),
  );
  return publicEndpoint({
    method: 'GET',
    path: '/fapi/v1/exchangeInfo',
    summary: 'Exchange information',
    weight: 1,
    fields: {},
    answers:
      'Limits, assets, and symbols with PRICE_FILTER, LOT_SIZE, MARKET_LOT_SIZE, MIN_NOTIONAL',
    handle: async () => {
      const markets = await ports.exchange.read(({ futures }) =>
        futures
          .listFuturesMarkets()
          .map((market) => ({ market, status: contractStatusNow(futures, market) })),
      );
      const general = {
        timezone: 'UTC',
        serverTime: ports.now(),
        futuresType: 'U_MARGINED',
        rateLimits: rateLimits(limits),
        exchangeFilters: [],
        assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '0' }],
      };
      return listAnswer(general, 'symbols', symbols.write(markets));
    },
  });
}

/** The engine replaces the market's object whenever it changes. */
interface ListedMarket {
  readonly market: FuturesMarket;
  readonly status: string;
}

export function rateLimits({
  requestWeightPerMinute,
  ordersPerMinute,
  ordersPerTenSeconds,
}: RequestLimits) {
  const limit = (rateLimitType: string, interval: string, intervalNum: number, most: number) => ({
    rateLimitType,
    interval,
    intervalNum,
    limit: most,
  });
  return [
    limit('REQUEST_WEIGHT', 'MINUTE', 1, requestWeightPerMinute),
    limit('ORDERS', 'MINUTE', 1, ordersPerMinute),
    limit('ORDERS', 'SECOND', 10, ordersPerTenSeconds),
  ];
}

function symbolObject(market: FuturesMarket, status: string, moreFilters: readonly object[]) {
  const required = 100 / market.maxLeverage;
  return {
    symbol: market.symbol,
    pair: market.symbol,
    contractType: 'PERPETUAL',
    deliveryDate: perpetualDelivery,
    onboardDate: market.createdAt,
    status,
    maintMarginPercent: formatScaled(market.maintenanceMarginRate, percentScale),
    requiredMarginPercent: String(Number(required.toFixed(4))),
    baseAsset: market.baseAsset,
    quoteAsset: 'USDT',
    marginAsset: 'USDT',
    pricePrecision: decimalsOf(formatDecimal(market.tickSize)),
    quantityPrecision: decimalsOf(formatDecimal(market.lotSize)),
    baseAssetPrecision: 8,
    quotePrecision: 8,
    underlyingType: 'COIN',
    underlyingSubType: [],
    settlePlan: 0,
    triggerProtect: '0.05',
    liquidationFee: '0.0125',
    marketTakeBound: '0.05',
    filters: [...filtersOf(market), ...moreFilters],
    orderTypes,
    timeInForce: regularTimesInForce,
  };
}

function filtersOf(market: FuturesMarket): readonly object[] {
  const tickSize = formatDecimal(market.tickSize);
  const stepSize = formatDecimal(market.lotSize);
  const maxQty = formatDecimal(largestQuantity(market));
  const lots = { minQty: stepSize, maxQty, stepSize };
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: tickSize,
      maxPrice: formatDecimal(largestPrice(market)),
      tickSize,
    },
    { filterType: 'LOT_SIZE', ...lots },
    { filterType: 'MARKET_LOT_SIZE', ...lots },
    { filterType: 'MAX_NUM_ORDERS', limit: openOrdersMax },
    {
      filterType: 'MIN_NOTIONAL',
      notional: formatAmount(market.minNotional),
      maxNotional: formatAmount(market.maxNotional),
    },
  ];
}

function decimalsOf(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}
