import type { StreamError } from '../protocol/stream-error.ts';
import type { SpotFeed } from '../spot-feed.ts';
import type { SpotMarketStreams } from '../spot-market-streams.ts';
import type { Topic } from '../topic.ts';
import type { ChannelRequest, PublicChannel } from './channel.ts';

type TopicChoice = (streams: SpotMarketStreams, request: ChannelRequest) => Topic | StreamError;

/** A public channel with one stream a spot market. */
export function spotMarketChannel(feed: SpotFeed, choose: TopicChoice): PublicChannel {
  return {
    kind: 'public',
    findTopic: (request) => {
      const { symbol, market = 'spot' } = request;
      if (symbol === undefined) {
        return { code: 'INVALID_PARAMETER', message: 'symbol is required' };
      }
      if (!feed.isReady) {
        return { code: 'ENGINE_RESTARTING', message: 'the engine is restarting; retry soon' };
      }
      const streams = market === 'spot' ? feed.findMarket(symbol) : null;
      if (streams === null) {
        return { code: 'MARKET_NOT_FOUND', message: `no ${market} market ${symbol}` };
      }
      return choose(streams, request);
    },
  };
}

/** The candles of the interval that the request names. */
export function findKline(
  streams: SpotMarketStreams,
  { interval }: ChannelRequest,
): Topic | StreamError {
  const topic = interval === undefined ? undefined : streams.klines.get(interval);
  return topic ?? { code: 'INVALID_PARAMETER', message: 'interval is required' };
}
