import type { BinanceSpotPorts } from '../../../application/trading/binance-spot-ports.ts';
import { binanceSpotErrors } from '../../errors/binance-spot-errors.ts';
import { type Endpoint, namedError } from '../endpoint.ts';
import type { FapiFields } from '../fapi/fapi-fields.ts';
import { rollingTicker, tradingDayTicker } from './reference/spot-market-answers.ts';
import { publicSpot } from './spot-endpoint.ts';
import { byListedMarkets } from './spot-weights.ts';
import {
  changeStatistics,
  describeMarkets,
  idsOf,
  miniStatistics,
  type TickerSpan,
  tickerReasons,
} from './tickers.ts';

// Statistics over a span that the caller chooses: a rolling window, or the day of a time zone.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const fields = { symbol: 'One market', symbols: 'A JSON list of markets' };
const type = 'FULL, or MINI for fewer fields';
const reasons = [...tickerReasons, 'parameter_missing', 'parameter_malformed'] as const;

type SpanAt = (now: number) => TickerSpan;

export function rollingTickerEndpoints(ports: BinanceSpotPorts): readonly Endpoint[] {
  return [
    publicSpot({
      method: 'GET',
      path: '/api/v3/ticker',
      summary: 'A rolling window',
      description: 'Starts at a whole minute and ends now: up to a minute longer than requested.',
      weight: 200,
      weighs: byListedMarkets(4, 200),
      fields: { ...fields, windowSize: '1m to 59m, 1h to 23h, 1d to 7d; absent: 1d', type },
      answer: rollingTicker,
      reasons,
      namedRows: [binanceSpotErrors.invalidTickerType],
      handle: (request) => {
        const windowMs = readWindow(request);
        return answerSpan(ports, request, (now) => ({
          openTime: now - (now % minuteMs) - windowMs,
          closeTime: now,
        }));
      },
    }),
    publicSpot({
      method: 'GET',
      path: '/api/v3/ticker/tradingDay',
      summary: 'The day of a time zone',
      weight: 200,
      weighs: byListedMarkets(4, 200),
      fields: { ...fields, timeZone: 'Hours from UTC, -12:00 to 14:00; absent: 0', type },
      answer: tradingDayTicker,
      reasons,
      namedRows: [binanceSpotErrors.invalidTickerType],
      handle: (request) => {
        const offset = readTimeZone(request);
        return answerSpan(ports, request, (now) => {
          const openTime = now - ((now + offset) % dayMs);
          return { openTime, closeTime: openTime + dayMs - 1 };
        });
      },
    }),
  ];
}

function answerSpan(ports: BinanceSpotPorts, request: FapiFields, spanAt: SpanAt) {
  const kind = request.text('type') ?? 'FULL';
  if (kind !== 'FULL' && kind !== 'MINI') return namedError(binanceSpotErrors.invalidTickerType);
  if (!request.has('symbol') && !request.has('symbols')) {
    request.fail('parameter_missing', 'symbol');
  }
  return describeMarkets(ports, request, async (markets) => {
    const now = ports.now();
    const span = spanAt(now);
    const days = await ports.spotRecords.listDays(idsOf(markets), now, span.openTime);
    return markets.map((market) => {
      const found = days.get(market.marketId) ?? null;
      const mini = miniStatistics(market, found, span);
      return kind === 'MINI' ? mini : { ...mini, ...changeStatistics(found) };
    });
  });
}

const units: Readonly<Record<string, { readonly ms: number; readonly most: number }>> = {
  m: { ms: minuteMs, most: 59 },
  h: { ms: hourMs, most: 23 },
  d: { ms: dayMs, most: 7 },
};

function readWindow(request: FapiFields): number {
  const [, digits = '', letter = ''] =
    /^([1-9]\d?)([mhd])$/.exec(request.text('windowSize') ?? '1d') ?? [];
  const unit = units[letter];
  if (unit !== undefined && Number(digits) <= unit.most) return Number(digits) * unit.ms;
  request.fail('parameter_malformed', 'windowSize');
  return dayMs;
}

/** Milliseconds that the time zone is ahead of UTC. */
function readTimeZone(request: FapiFields): number {
  const [, sign = '', hours = '', minutes = '0'] =
    /^([+-]?)(\d{1,2})(?::([0-5]\d))?$/.exec(request.text('timeZone') ?? '0') ?? [];
  const ahead = Number(hours) * hourMs + Number(minutes) * minuteMs;
  const isBehind = sign === '-';
  if (hours !== '' && ahead <= (isBehind ? 12 : 14) * hourMs) return isBehind ? -ahead : ahead;
  request.fail('parameter_malformed', 'timeZone');
  return 0;
}
