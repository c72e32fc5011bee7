import { type KlineInterval, klineIntervals } from '../../../domain/kline-interval.ts';
import {
  type CommonStream,
  type RollingWindow,
  rollingWindows,
  type SpotOnlyStream,
} from '../futures/market-topics.ts';

// The names of Binance's spot market streams: symbols in lower case, speeds after an @.

/** A stream about all markets at once. */
interface AllSpotMarkets {
  readonly kind:
    | 'allBookTickers'
    | 'allTickers'
    | 'allMiniTickers'
    | `allRollingTickers_${RollingWindow}`;
}

export type SpotStreamName = CommonStream | SpotOnlyStream | AllSpotMarkets;

const speeds: ReadonlyMap<string, number> = new Map([
  ['', 1_000],
  ['1000ms', 1_000],
  ['100ms', 100],
]);
const intervals: ReadonlyMap<string, KlineInterval> = new Map(
  klineIntervals.map((interval) => [interval, interval]),
);
const plainKinds = new Map(
  (['bookTicker', 'aggTrade', 'trade', 'ticker', 'miniTicker', 'avgPrice'] as const).map((kind) => [
    kind as string,
    kind,
  ]),
);
const allMarkets = new Map<string, AllSpotMarkets>([
  ['!bookTicker', { kind: 'allBookTickers' }],
  ['!ticker@arr', { kind: 'allTickers' }],
  ['!miniTicker@arr', { kind: 'allMiniTickers' }],
  ...rollingWindows.map((window): [string, AllSpotMarkets] => [
    `!ticker_${window}@arr`,
    { kind: `allRollingTickers_${window}` },
  ]),
]);

/** Parses the name; null if there is no such stream. */
export function parseSpotStreamName(text: string): SpotStreamName | null {
  const all = allMarkets.get(text);
  if (all !== undefined) return all;
  const [name = '', topic = '', speed = '', ...rest] = text.split('@');
  if (rest.length > 0 || name === '' || name !== name.toLowerCase()) return null;
  const symbol = name.toUpperCase();
  const [, levels] = /^depth(5|10|20)?$/.exec(topic) ?? [];
  if (topic.startsWith('depth')) return parseDepth(symbol, topic, levels, speeds.get(speed));
  if (speed !== '') return null;
  const [, length = ''] = /^kline_(.+)$/.exec(topic) ?? [];
  const interval = intervals.get(length);
  if (interval !== undefined) return { kind: 'kline', symbol, interval };
  const window = rollingWindows.find((each) => topic === `ticker_${each}`);
  if (window !== undefined) return { kind: 'rollingTicker', symbol, window };
  const kind = plainKinds.get(topic);
  return kind === undefined ? null : { kind, symbol };
}

function parseDepth(
  symbol: string,
  topic: string,
  levels: string | undefined,
  intervalMs: number | undefined,
): SpotStreamName | null {
  if (intervalMs === undefined) return null;
  if (topic === 'depth') return { kind: 'depth', symbol, intervalMs };
  if (levels === undefined) return null;
  return { kind: 'partialDepth', symbol, levels: Number(levels), intervalMs };
}
