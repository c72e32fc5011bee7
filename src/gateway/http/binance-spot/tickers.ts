import type { BookLevel } from '../../../application/ports/exchange.ts';
import type { SpotDay } from '../../../application/ports/spot-records.ts';
import { type BinanceSpotPorts } from '../../../application/trading/binance-spot-ports.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import { done } from '../../../domain/outcome.ts';
import { decimalFromLots, decimalFromTicks, type SpotMarket } from '../../../domain/spot-market.ts';
import { binanceSpotErrors } from '../../errors/binance-spot-errors.ts';
import { type Answer, type Endpoint, namedError } from '../endpoint.ts';
import { badSymbol, failed } from '../fapi/fapi-answers.ts';
import type { FapiFields } from '../fapi/fapi-fields.ts';
import { readMarkets } from './read-symbols.ts';
import * as answers from './reference/spot-market-answers.ts';
import { publicSpot } from './spot-endpoint.ts';
import { byMarkets, dayTickerWeight } from './spot-weights.ts';

const fields = { symbol: 'One market', symbols: 'A JSON list of markets; absent: all of them' };
const reasons = ['market_not_found', 'parameter_combination', 'database_failed'] as const;
const millisPerDay = 86_400_000;

type Describe = (markets: readonly SpotMarket[]) => Promise<readonly object[]>;
export const tickerReasons = reasons;

/** Each market's statistics of the last day, its last price and its best prices. */
export function tickerEndpoints(ports: BinanceSpotPorts): readonly Endpoint[] {
  const path = (name: string) => `/api/v3/ticker/${name}`;
  const text = { method: 'GET', reasons, fields } as const;
  return [
    publicSpot({
      ...text,
      path: path('24hr'),
      summary: 'The last 24 hours',
      weight: 80,
      weighs: dayTickerWeight,
      answer: answers.dayTicker,
      fields: { ...fields, type: 'FULL, or MINI for fewer fields' },
      namedRows: [binanceSpotErrors.invalidTickerType],
      handle: (request) => {
        const type = request.text('type') ?? 'FULL';
        if (type !== 'FULL' && type !== 'MINI') {
          return namedError(binanceSpotErrors.invalidTickerType);
        }
        return describeMarkets(ports, request, (markets) =>
          listDays(ports, markets, type === 'FULL'),
        );
      },
    }),
    publicSpot({
      ...text,
      path: path('price'),
      summary: 'Last prices',
      weight: 4,
      weighs: byMarkets(2, 4),
      answer: answers.priceTicker,
      handle: (request) =>
        describeMarkets(ports, request, (markets) => listLastPrices(ports, markets)),
    }),
    publicSpot({
      ...text,
      path: path('bookTicker'),
      summary: 'Best prices',
      weight: 4,
      weighs: byMarkets(2, 4),
      answer: answers.bookTicker,
      handle: (request) =>
        describeMarkets(ports, request, async (markets) => {
          const bests = await listBestPrices(ports, markets);
          return markets.map(({ symbol }, index) => ({ symbol, ...bests[index] }));
        }),
    }),
  ];
}

export async function describeMarkets(
  ports: BinanceSpotPorts,
  request: FapiFields,
  describe: Describe,
): Promise<Answer<unknown>> {
  const asked = await readMarkets(ports, request);
  const failure = failed(request);
  if (failure !== null) return failure;
  if (asked === null) return badSymbol;
  await waitForDatabase(ports);
  const described = await describe(asked.markets);
  return done(asked.isOne ? described[0] : described);
}

async function listDays(
  ports: BinanceSpotPorts,
  markets: readonly SpotMarket[],
  isFull: boolean,
): Promise<readonly object[]> {
  const now = ports.now();
  const span = { openTime: now - millisPerDay, closeTime: now };
  const days = await ports.spotRecords.listDays(idsOf(markets), now, span.openTime);
  const bests = isFull ? await listBestPrices(ports, markets) : [];
  return markets.map((market, index) => {
    const found = days.get(market.marketId) ?? null;
    const mini = miniStatistics(market, found, span);
    if (!isFull) return mini;
    return {
      ...mini,
      ...changeStatistics(found),
      prevClosePrice: found?.previousClose ?? '0',
      lastQty: found?.lastQuantity ?? '0',
      ...bests[index],
    };
  });
}

export function idsOf(markets: readonly SpotMarket[]) {
  return markets.map(({ marketId }) => marketId);
}

export interface TickerSpan {
  readonly openTime: number;
  readonly closeTime: number;
}

/** A market's statistics over a time span; zeros before its first trade. */
export function miniStatistics({ symbol }: SpotMarket, found: SpotDay | null, span: TickerSpan) {
  return {
    symbol,
    openPrice: found?.openPrice ?? '0',
    highPrice: found?.highPrice ?? '0',
    lowPrice: found?.lowPrice ?? '0',
    lastPrice: found?.lastPrice ?? '0',
    volume: found?.volume ?? '0',
    quoteVolume: found?.quoteVolume ?? '0',
    openTime: span.openTime,
    closeTime: span.closeTime,
    firstId: found?.firstTradeId ?? -1,
    lastId: found?.lastTradeId ?? -1,
    count: found?.tradeCount ?? 0,
  };
}

export function changeStatistics(found: SpotDay | null) {
  return {
    priceChange: found?.priceChange ?? '0',
    priceChangePercent: found?.priceChangePercent ?? '0',
    weightedAvgPrice: found?.weightedAveragePrice ?? '0',
  };
}

async function listLastPrices(
  { spotRecords }: BinanceSpotPorts,
  markets: readonly SpotMarket[],
): Promise<readonly object[]> {
  const prices = await spotRecords.listLastPrices(idsOf(markets));
  return markets.map(({ marketId, symbol }) => ({ symbol, price: prices.get(marketId) ?? '0' }));
}

function listBestPrices(
  { exchange }: BinanceSpotPorts,
  markets: readonly SpotMarket[],
): Promise<readonly object[]> {
  return exchange.read((view) =>
    markets.map((market) => {
      const { bids, asks } = view.getDepth(market.marketId, 1);
      return bestPrices(market, bids[0], asks[0]);
    }),
  );
}

function bestPrices(market: SpotMarket, bid: BookLevel | undefined, ask: BookLevel | undefined) {
  const price = (level: BookLevel | undefined): string =>
    level === undefined ? '0' : formatDecimal(decimalFromTicks(market, level.price));
  const quantity = (level: BookLevel | undefined): string =>
    level === undefined ? '0' : formatDecimal(decimalFromLots(market, level.quantity));
  return {
    bidPrice: price(bid),
    bidQty: quantity(bid),
    askPrice: price(ask),
    askQty: quantity(ask),
  };
}
