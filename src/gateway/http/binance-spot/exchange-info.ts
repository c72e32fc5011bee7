import type { BinanceSpotPorts } from '../../../application/trading/binance-spot-ports.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { type Decimal, formatDecimal } from '../../../domain/decimal.ts';
import { done } from '../../../domain/outcome.ts';
import {
  type SpotMarket,
  type SpotMarketStatus,
  spotOrdersMax,
} from '../../../domain/spot-market.ts';
import type { Endpoint } from '../endpoint.ts';
import { badSymbol, failed } from '../fapi/fapi-answers.ts';
import { rateLimits } from '../fapi/get-exchange-info.ts';
import type { RequestLimits } from '../request-limiter.ts';
import { readMarkets } from './read-symbols.ts';
import { exchangeInfo } from './reference/spot-market-answers.ts';
import { publicSpot } from './spot-endpoint.ts';

const most = 1_000_000_000n * 10n ** 18n;
const unitsMax = BigInt(Number.MAX_SAFE_INTEGER);
const statuses: Readonly<Record<SpotMarketStatus, string>> = {
  listed: 'TRADING',
  halted: 'HALT',
  delisted: 'BREAK',
};

/** GET /api/v3/exchangeInfo */
export function exchangeInfoEndpoint(ports: BinanceSpotPorts, limits: RequestLimits): Endpoint {
  return publicSpot({
    method: 'GET',
    path: '/api/v3/exchangeInfo',
    summary: 'Exchange information',
    weight: 20,
    fields: { symbol: 'One market', symbols: 'A JSON list of markets; absent: all of them' },
    answer: exchangeInfo,
    reasons: ['market_not_found', 'parameter_combination'],
    handle: async (fields) => {
      const asked = await readMarkets(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (asked === null) return badSymbol;
      return done({
        timezone: 'UTC',
        serverTime: ports.now(),
        rateLimits: rateLimits(limits),
        exchangeFilters: [],
        symbols: asked.markets.map((market) => symbolObject(market, ports.isSpotTradingEnabled)),
      });
    },
  });
}

function symbolObject(market: SpotMarket, isTradingEnabled: boolean) {
  const status = isTradingEnabled ? statuses[market.status] : 'BREAK';
  return {
    symbol: market.symbol,
    status,
    baseAsset: market.baseToken,
    baseAssetPrecision: 8,
    quoteAsset: market.quoteToken,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    baseCommissionPrecision: 8,
    quoteCommissionPrecision: 8,
    orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
    icebergAllowed: false,
    ocoAllowed: false,
    otoAllowed: false,
    opoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: false,
    cancelReplaceAllowed: true,
    amendAllowed: false,
    pegInstructionsAllowed: false,
    isSpotTradingAllowed: status === 'TRADING',
    isMarginTradingAllowed: false,
    filters: filtersOf(market),
    permissions: [],
    permissionSets: [['SPOT']],
    defaultSelfTradePreventionMode: 'EXPIRE_TAKER',
    allowedSelfTradePreventionModes: ['EXPIRE_TAKER'],
  };
}

function filtersOf({ tickSize, lotSize, minNotional }: SpotMarket): readonly object[] {
  const tick = formatDecimal(tickSize);
  const step = formatDecimal(lotSize);
  const lots = { minQty: step, maxQty: largestMultiple(lotSize), stepSize: step };
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: tick,
      maxPrice: largestMultiple(tickSize),
      tickSize: tick,
    },
    { filterType: 'LOT_SIZE', ...lots },
    { filterType: 'MARKET_LOT_SIZE', ...lots },
    {
      filterType: 'NOTIONAL',
      minNotional: formatAmount(minNotional),
      applyMinToMarket: true,
      maxNotional: '1000000000',
      applyMaxToMarket: false,
      avgPriceMins: 0,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: spotOrdersMax },
  ];
}

function largestMultiple(unit: Decimal): string {
  const units = most / unit;
  return formatDecimal(((units < unitsMax ? units : unitsMax) * unit) as Decimal);
}
