import type { Hub } from '../hub.ts';
import type { StreamError } from '../protocol/stream-error.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { PublicChannel } from './channel.ts';
import type { MarketFeeds } from './market-channel.ts';
import { MarketsTopic } from './markets-topic.ts';
import { TickersTopic } from './tickers-topic.ts';

const restarting: StreamError = {
  code: 'ENGINE_RESTARTING',
  message: 'the engine is restarting; retry soon',
};

/** The public topics that cover all markets. */
export class WholeTopics {
  readonly markets: MarketsTopic;
  readonly tickers: Readonly<Record<'spot' | 'futures', TickersTopic>>;

  constructor(hub: Hub, clock: StreamClock) {
    this.markets = new MarketsTopic(hub, clock);
    this.tickers = {
      spot: new TickersTopic('spot', clock),
      futures: new TickersTopic('futures', clock),
    };
  }

  /** Their channels; `feeds` determine whether their data is complete. */
  channels({ spot, futures }: MarketFeeds): Record<'markets' | 'tickers', PublicChannel> {
    return {
      markets: {
        kind: 'public',
        findTopic: () => (spot.isReady && futures.isReady ? this.markets : restarting),
      },
      tickers: {
        kind: 'public',
        findTopic: ({ market = 'spot' }) => {
          const { isReady } = market === 'spot' ? spot : futures;
          return isReady ? this.tickers[market] : restarting;
        },
      },
    };
  }
}
