import { AccountEventsChannel } from './channels/account-events-channel.ts';
import { BalancesChannel } from './channels/balances-channel.ts';
import type { Channel } from './channels/channel.ts';
import {
  findKline,
  findOrderbook,
  marketChannel,
  perpetualChannel,
} from './channels/market-channel.ts';
import { OrdersChannel } from './channels/orders-channel.ts';
import { PositionsChannel } from './channels/positions-channel.ts';
import { VipTierChannel } from './channels/vip-tier-channel.ts';
import { WholeTopics } from './channels/whole-topics.ts';
import type { EventSessionParts } from './futures/event-session.ts';
import { futuresAccountEvents } from './futures/futures-account-events.ts';
import { FuturesFeed } from './futures/futures-feed.ts';
import { HistoryFailureLog } from './futures/history-failure-log.ts';
import { UserStreams } from './futures/user-streams.ts';
import type { Hub } from './hub.ts';
import type { Outbox } from './outbox.ts';
import { PerpetualFeed } from './perpetuals/perpetual-feed.ts';
import type { ChannelName } from './protocol/channel-names.ts';
import { spotAccountEvents } from './spot/spot-account-events.ts';
import { SpotTopics } from './spot/spot-topics.ts';
import { SpotFeed } from './spot-feed.ts';
import type { StreamOptions } from './stream-options.ts';
import type { StreamMarkets } from './stream-route.ts';

export interface StreamSourcesParts {
  readonly options: StreamOptions;
  readonly hub: Hub;
  readonly outbox: Outbox;
  /** Called when what clients received can no longer be trusted; they have to start over. */
  readonly onFailure: () => void;
}

/** The source of all streams: the feeds of the engine's durable commands. */
export class StreamSources {
  /** The channels of the exchange's own protocol. */
  readonly channels: ReadonlyMap<string, Channel>;
  /** What Binance-style sessions are made of. */
  readonly events: Readonly<Record<StreamMarkets, EventSessionParts>>;
  readonly #spot: SpotFeed;
  readonly #futures: FuturesFeed;
  readonly #perpetuals: PerpetualFeed;
  readonly #spotTopics: SpotTopics;

  constructor({ options, hub, outbox, onFailure }: StreamSourcesParts) {
    const { exchange } = options;
    const common = { ...options, hub, onFailure };
    const whole = new WholeTopics(hub, options.clock);
    const { markets, tickers } = whole;
    const spot = new SpotFeed({ ...common, markets, tickers: tickers.spot });
    const futures = new FuturesFeed({ ...common, history: options.futuresHistory });
    const perpetuals = new PerpetualFeed({ ...common, markets, tickers: tickers.futures });
    const spotTopics = new SpotTopics({ ...common, feed: spot, candles: options.spotCandles });
    const historyFailures = new HistoryFailureLog(options);
    const futuresEvents = futuresAccountEvents({ exchange, feed: futures });
    const spotEvents = spotAccountEvents({
      feed: spot,
      tokenSymbol: (tokenId) => exchange.peek((view) => view.getTokenSymbol(tokenId)),
    });
    this.events = {
      futures: {
        ...common,
        historyFailures,
        feed: futures,
        userStreams: new UserStreams({
          ...options,
          outbox,
          feed: futures,
          describe: futuresEvents,
        }),
      },
      spot: {
        ...common,
        historyFailures,
        feed: spotTopics,
        userStreams: new UserStreams({ ...options, outbox, feed: spot, describe: spotEvents }),
      },
    };
    this.channels = makeChannels(options, outbox, whole, { spot, futures: perpetuals });
    this.#spot = spot;
    this.#futures = futures;
    this.#perpetuals = perpetuals;
    this.#spotTopics = spotTopics;
  }

  start(): void {
    for (const feed of this.#feeds()) void feed.start();
  }

  stop(): void {
    for (const feed of this.#feeds()) feed.stop();
  }

  /** To be called every second. */
  tick(): void {
    for (const feed of this.#feeds()) feed.tick();
    this.#spotTopics.tick();
  }

  #feeds(): readonly (SpotFeed | FuturesFeed | PerpetualFeed)[] {
    return [this.#spot, this.#futures, this.#perpetuals];
  }
}

function makeChannels(
  { exchange, balanceFeed, clock, vip, events }: StreamOptions,
  outbox: Outbox,
  whole: WholeTopics,
  feeds: { readonly spot: SpotFeed; readonly futures: PerpetualFeed },
): ReadonlyMap<string, Channel> {
  const feed = feeds.spot;
  const channels: Readonly<Record<ChannelName, Channel>> = {
    orderbook: marketChannel(feeds, findOrderbook),
    trades: marketChannel(feeds, ({ trades }) => trades),
    ticker: marketChannel(feeds, ({ ticker }) => ticker),
    kline: marketChannel(feeds, findKline),
    mark_price: perpetualChannel(feeds, ({ markPrice }) => markPrice),
    ...whole.channels(feeds),
    orders: new OrdersChannel({ exchange, feed, outbox, clock }),
    balances: new BalancesChannel({ exchange, balanceFeed, outbox, clock }),
    positions: new PositionsChannel({ exchange, feed, outbox, clock }),
    vip_tier: new VipTierChannel({ exchange, vip, outbox, clock }),
    wallet: new AccountEventsChannel('wallet', { events, outbox, clock }),
    referral: new AccountEventsChannel('referral', { events, outbox, clock }),
  };
  return new Map(Object.entries(channels));
}
