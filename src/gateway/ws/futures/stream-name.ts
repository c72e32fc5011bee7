import { type KlineInterval, klineIntervals } from '../../../domain/kline-interval.ts';
import type { CommonStream } from './market-topics.ts';

// The names of Binance's USD-M market streams: symbols in lower case, speeds after an @.

/** A stream about one market; `symbol` is in upper case. */
export type MarketStream =
  | CommonStream
  | { readonly kind: 'markPrice'; readonly symbol: string; readonly intervalMs: number }
  | { readonly kind: 'forceOrder'; readonly symbol: string };

/** A stream about all markets at once. */
export type AllMarketsStream =
  | { readonly kind: 'allMarkPrices'; readonly intervalMs: number }
  | {
      readonly kind:
        | 'allBookTickers'
        | 'allTickers'
        | 'allMiniTickers'
        | 'allForceOrders'
        | 'contractInfo';
    };

export type StreamName = MarketStream | AllMarketsStream;

const depthIntervalMs = 250;
const markPriceIntervalMs = 3_000;
const secondMs = 1_000;
const depthSpeeds: ReadonlyMap<string, number> = new Map([
  ['', depthIntervalMs],
  // Every change separately, as far as the rounds of updates allow.
  ['0ms', 0],
  ['100ms', 100],
  ['250ms', depthIntervalMs],
  ['500ms', 500],
]);
const markSpeeds: ReadonlyMap<string, number> = new Map([
  ['', markPriceIntervalMs],
  ['3s', markPriceIntervalMs],
  ['1s', secondMs],
]);
const intervals: ReadonlyMap<string, KlineInterval> = new Map(
  klineIntervals.map((interval) => [interval, interval]),
);
const plainKinds = new Map(
  (['bookTicker', 'aggTrade', 'trade', 'ticker', 'miniTicker', 'forceOrder'] as const).map(
    (kind) => [kind as string, kind],
  ),
);
const allMarkets = new Map<string, AllMarketsStream>([
  ['!bookTicker', { kind: 'allBookTickers' }],
  ['!ticker@arr', { kind: 'allTickers' }],
  ['!miniTicker@arr', { kind: 'allMiniTickers' }],
  ['!forceOrder@arr', { kind: 'allForceOrders' }],
  ['!contractInfo', { kind: 'contractInfo' }],
  ['!markPrice@arr', { kind: 'allMarkPrices', intervalMs: markPriceIntervalMs }],
  ['!markPrice@arr@1s', { kind: 'allMarkPrices', intervalMs: secondMs }],
]);

/** A Binance stream for a kind of order that this exchange does not have. */
export function isNotOffered(text: string): boolean {
  return text.includes('@rpiDepth');
}

/** Parses the name; null if there is no such stream. */
export function parseStreamName(text: string): StreamName | null {
  const all = allMarkets.get(text);
  if (all !== undefined) return all;
  const [name = '', topic = '', speed = '', ...rest] = text.split('@');
  if (rest.length > 0 || name === '' || name !== name.toLowerCase()) return null;
  return parseMarketStream(name.toUpperCase(), topic, speed);
}

function parseMarketStream(symbol: string, topic: string, speed: string): MarketStream | null {
  const depth = /^depth(5|10|20)?$/.exec(topic);
  if (depth !== null) {
    const intervalMs = depthSpeeds.get(speed);
    if (intervalMs === undefined) return null;
    const [, levels] = depth;
    return levels === undefined
      ? { kind: 'depth', symbol, intervalMs }
      : { kind: 'partialDepth', symbol, levels: Number(levels), intervalMs };
  }
  if (topic === 'markPrice') {
    const intervalMs = markSpeeds.get(speed);
    return intervalMs === undefined ? null : { kind: 'markPrice', symbol, intervalMs };
  }
  if (speed !== '') return null;
  const [, word = '', length = ''] = /^(kline|continuousKline)_(.+)$/.exec(topic) ?? [];
  const interval = intervals.get(length);
  if (interval !== undefined) return parseKline(symbol, word, interval);
  const kind = plainKinds.get(topic);
  return kind === undefined ? null : { kind, symbol };
}

const perpetualSuffix = '_PERPETUAL';

function parseKline(name: string, word: string, interval: KlineInterval): MarketStream | null {
  if (word === 'kline') return { kind: 'kline', symbol: name, interval };
  if (!name.endsWith(perpetualSuffix)) return null;
  const symbol = name.slice(0, -perpetualSuffix.length);
  return { kind: 'continuousKline', symbol, interval };
}
