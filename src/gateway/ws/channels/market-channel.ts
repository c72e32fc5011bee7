import type { MarketStreams } from '../market-streams.ts';
import type { PerpetualStreams } from '../perpetuals/perpetual-feed.ts';
import type { StreamError } from '../protocol/stream-error.ts';
import type { Topic } from '../topic.ts';
import type { ChannelRequest, PublicChannel } from './channel.ts';

type Line = 'spot' | 'futures';

/** Finds the streams of a business line's markets. */
interface MarketFeed<S> {
  readonly isReady: boolean;
  findMarket(symbol: string): S | null;
}

export interface MarketFeeds {
  readonly spot: MarketFeed<MarketStreams>;
  readonly futures: MarketFeed<PerpetualStreams>;
}

type TopicChoice<S> = (streams: S, request: ChannelRequest) => Topic | StreamError;

/** A public channel with one stream per market, spot unless the request says otherwise. */
export function marketChannel(
  feeds: MarketFeeds,
  choose: TopicChoice<MarketStreams>,
): PublicChannel {
  return {
    kind: 'public',
    findTopic: (request) => {
      const { market = 'spot' } = request;
      return findTopic(feeds[market], market, request, choose);
    },
  };
}

/** A public channel that only perpetuals have. */
export function perpetualChannel(
  { futures }: MarketFeeds,
  choose: TopicChoice<PerpetualStreams>,
): PublicChannel {
  return {
    kind: 'public',
    findTopic: (request) => {
      const { market = 'futures', symbol = '' } = request;
      if (market === 'spot') {
        return { code: 'MARKET_NOT_FOUND', message: `no futures market ${symbol}` };
      }
      return findTopic(futures, market, request, choose);
    },
  };
}

function findTopic<S>(
  feed: MarketFeed<S>,
  line: Line,
  request: ChannelRequest,
  choose: TopicChoice<S>,
): Topic | StreamError {
  const { symbol } = request;
  if (symbol === undefined) return { code: 'INVALID_PARAMETER', message: 'symbol is required' };
  if (!feed.isReady) {
    return { code: 'ENGINE_RESTARTING', message: 'the engine is restarting; retry soon' };
  }
  const streams = feed.findMarket(symbol);
  if (streams === null) {
    return { code: 'MARKET_NOT_FOUND', message: `no ${line} market ${symbol}` };
  }
  return choose(streams, request);
}

/** The whole book, or the one whose prices are grouped by the step that the request names. */
export function findOrderbook(
  streams: MarketStreams,
  { group }: ChannelRequest,
): Topic | StreamError {
  if (group === undefined) return streams.orderbook;
  const steps = [...streams.groupedBooks.keys()].join(', ');
  const message = `group is one of ${steps}`;
  return streams.groupedBooks.get(group) ?? { code: 'INVALID_PARAMETER', message };
}

/** The candles of the interval that the request names. */
export function findKline(
  streams: MarketStreams,
  { interval }: ChannelRequest,
): Topic | StreamError {
  const topic = interval === undefined ? undefined : streams.klines.get(interval);
  return topic ?? { code: 'INVALID_PARAMETER', message: 'interval is required' };
}
