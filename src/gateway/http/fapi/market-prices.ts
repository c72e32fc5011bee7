import { type FuturesPorts } from '../../../application/futures/futures-ports.ts';
import type { FuturesView } from '../../../application/ports/exchange.ts';
import type { FuturesTicker } from '../../../application/ports/futures-history.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { formatDecimal, formatScaled } from '../../../domain/decimal.ts';
import { type FuturesMarket, type Rate, rateScale } from '../../../domain/futures-market.ts';
import { done } from '../../../domain/outcome.ts';
import { decimalFromLots, decimalFromTicks } from '../../../domain/spot-market.ts';
import type { Answer, Endpoint } from '../endpoint.ts';
import { badSymbol, failed, oneOrAll, optionalMarket } from './fapi-answers.ts';
import { publicEndpoint } from './fapi-endpoint.ts';
import type { FapiFields } from './fapi-fields.ts';
import { bySymbol, fundingRateWeight } from './request-weights.ts';

const interestRate = '0.0001';
const dayMs = 86_400_000;
const fundingLimitDefault = 100;
const fundingLimitMax = 1_000;
const symbolText = 'The market; absent: a list of all markets';

type Describe = (market: FuturesMarket, futures: FuturesView) => object;

/** An object for one symbol, or a list for all. */
async function describeMarkets(
  ports: FuturesPorts,
  fields: FapiFields,
  describe: Describe,
): Promise<Answer<unknown>> {
  const asked = optionalMarket(ports, fields);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (asked === undefined) return badSymbol;
  const described = await ports.exchange.read(({ futures }) => {
    const markets = asked === null ? futures.listFuturesMarkets() : [asked];
    return markets.map((market) => describe(market, futures));
  });
  return oneOrAll(asked !== null, described);
}

/** Mark and index prices, past and upcoming funding. */
export function fundingEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  return [
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/premiumIndex',
      summary: 'Mark price and funding rate',
      weight: 10,
      weighs: bySymbol(1, 10),
      fields: { symbol: symbolText },
      answers: 'Mark and index price, the last rate and the time of the next funding',
      handle: (fields) =>
        describeMarkets(ports, fields, (market, futures) =>
          premiumIndex(market, futures, ports.now()),
        ),
    }),
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/fundingRate',
      summary: 'Funding rate history',
      weight: 5,
      weighs: fundingRateWeight,
      fields: {
        symbol: symbolText,
        startTime: 'Milliseconds',
        endTime: 'Milliseconds',
        limit: `${fundingLimitDefault}, at most ${fundingLimitMax}`,
      },
      answers: 'Rates, oldest first',
      handle: (fields) => fundingRates(ports, fields),
    }),
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/fundingInfo',
      summary: 'Funding terms',
      weight: 1,
      fields: {},
      answers: 'Cap, floor and interval of each market',
      handle: async () => {
        const markets = await ports.exchange.read(({ futures }) => futures.listFuturesMarkets());
        return done(markets.map(fundingInfo));
      },
    }),
  ];
}

function premiumIndex(market: FuturesMarket, futures: FuturesView, time: number) {
  const prices = futures.getFuturesPrices(market.marketId);
  const price = (amount: typeof prices.markPrice) => (amount === null ? '0' : formatAmount(amount));
  return {
    symbol: market.symbol,
    markPrice: price(prices.markPrice),
    indexPrice: price(prices.indexPrice),
    estimatedSettlePrice: price(prices.indexPrice),
    lastFundingRate: formatRate(prices.fundingRate),
    interestRate,
    nextFundingTime: prices.nextFundingTime,
    time,
  };
}

async function fundingRates(ports: FuturesPorts, fields: FapiFields): Promise<Answer<unknown>> {
  const market = optionalMarket(ports, fields);
  const startTime = fields.time('startTime');
  const endTime = fields.time('endTime');
  const limit = fields.limit(fundingLimitDefault, fundingLimitMax);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (market === undefined) return badSymbol;
  await waitForDatabase(ports);
  const isForward = startTime !== null;
  const entries = await ports.futuresHistory.listFundingRates({
    marketId: market?.marketId ?? null,
    startTime,
    endTime,
    limit,
    order: isForward ? 'oldest_first' : 'newest_first',
  });
  const symbolOf = (marketId: FuturesMarket['marketId']) =>
    ports.exchange.peek(({ futures }) => futures.getFuturesMarket(marketId).symbol);
  const rates = entries.map(({ marketId, fundingTime, fundingRate, markPrice }) => ({
    symbol: symbolOf(marketId),
    fundingRate: formatRate(fundingRate),
    fundingTime,
    markPrice: formatAmount(markPrice),
  }));
  return done(isForward ? rates : rates.reverse());
}

function fundingInfo({ symbol, maintenanceMarginRate }: FuturesMarket) {
  const cap = ((maintenanceMarginRate * 3n) / 4n) as Rate;
  return {
    symbol,
    adjustedFundingRateCap: formatRate(cap),
    adjustedFundingRateFloor: `-${formatRate(cap)}`,
    fundingIntervalHours: 1,
    disclaimer: false,
  };
}

/** Each market's statistics of the last day, its last price and its best prices. */
export function tickerEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  const ticker = (
    path: string,
    summary: string,
    weights: readonly [one: number, all: number],
    answers: string,
    handle: (fields: FapiFields) => Promise<Answer<unknown>>,
  ) =>
    publicEndpoint({
      method: 'GET',
      path,
      summary,
      weight: weights[1],
      answers,
      weighs: bySymbol(...weights),
      fields: { symbol: symbolText },
      handle,
    });
  const { now } = ports;
  const price = (fields: FapiFields) =>
    describeMarkets(ports, fields, (market, futures) => lastPrice(market, futures, now()));
  const best = (fields: FapiFields) =>
    describeMarkets(ports, fields, (market, futures) => bookTicker(market, futures, now()));
  return [
    ticker('/fapi/v1/ticker/24hr', '24-hour statistics', [1, 40], 'The last day', (fields) =>
      dayTickers(ports, fields),
    ),
    ticker('/fapi/v1/ticker/price', 'Last price', [1, 2], 'The last price', price),
    ticker('/fapi/v2/ticker/price', 'Last price', [1, 2], 'The last price', price),
    ticker('/fapi/v1/ticker/bookTicker', 'Best prices', [2, 5], 'Best bid and ask', best),
  ];
}

async function dayTickers(ports: FuturesPorts, fields: FapiFields): Promise<Answer<unknown>> {
  const asked = optionalMarket(ports, fields);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (asked === undefined) return badSymbol;
  const markets =
    asked === null
      ? await ports.exchange.read(({ futures }) => futures.listFuturesMarkets())
      : [asked];
  await waitForDatabase(ports);
  const now = ports.now();
  const ids = markets.map(({ marketId }) => marketId);
  const days = await ports.futuresHistory.listTickers(ids, now);
  const described = markets.map((market) => dayTicker(market, days.get(market.marketId), now));
  return oneOrAll(asked !== null, described);
}

function dayTicker(market: FuturesMarket, day: FuturesTicker | undefined, now: number) {
  if (day === undefined) return emptyDay(market, now - dayMs, now);
  return {
    symbol: market.symbol,
    priceChange: day.priceChange,
    priceChangePercent: day.priceChangePercent,
    weightedAvgPrice: day.weightedAveragePrice,
    lastPrice: day.lastPrice,
    lastQty: day.lastQuantity,
    openPrice: day.openPrice,
    highPrice: day.highPrice,
    lowPrice: day.lowPrice,
    volume: day.volume,
    quoteVolume: day.quoteVolume,
    openTime: day.openTime,
    closeTime: day.closeTime,
    firstId: day.firstTradeId ?? 0,
    lastId: day.lastTradeId ?? 0,
    count: day.tradeCount,
  };
}

/** A market that has never traded has a day of zeros, so that lists contain every market. */
function emptyDay({ symbol }: FuturesMarket, openTime: number, closeTime: number) {
  const none = '0';
  return {
    symbol,
    priceChange: none,
    priceChangePercent: none,
    weightedAvgPrice: none,
    lastPrice: none,
    lastQty: none,
    openPrice: none,
    highPrice: none,
    lowPrice: none,
    volume: none,
    quoteVolume: none,
    openTime,
    closeTime,
    firstId: 0,
    lastId: 0,
    count: 0,
  };
}

function lastPrice(market: FuturesMarket, futures: FuturesView, time: number) {
  const prices = futures.getFuturesPrices(market.marketId);
  const last = prices.lastPrice ?? prices.markPrice;
  return { symbol: market.symbol, price: last === null ? '0' : formatAmount(last), time };
}

function bookTicker(market: FuturesMarket, futures: FuturesView, time: number) {
  const { bids, asks, lastUpdateId } = futures.getFuturesDepth(market.marketId, 1);
  const [bid] = bids;
  const [ask] = asks;
  return {
    symbol: market.symbol,
    bidPrice: bid === undefined ? '0' : formatDecimal(decimalFromTicks(market, bid.price)),
    bidQty: bid === undefined ? '0' : formatDecimal(decimalFromLots(market, bid.quantity)),
    askPrice: ask === undefined ? '0' : formatDecimal(decimalFromTicks(market, ask.price)),
    askQty: ask === undefined ? '0' : formatDecimal(decimalFromLots(market, ask.quantity)),
    time,
    lastUpdateId,
  };
}

function formatRate(rate: Rate): string {
  return formatScaled(rate, rateScale);
}
