import type { AppliedCommand } from '../../../application/ports/exchange.ts';
import type { MarketId, Sequence } from '../../../domain/identifiers.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';
import { AllMarketsStreams } from '../futures/all-markets-streams.ts';
import type { CandleHistory } from '../futures/candle-history.ts';
import type { TopicSource } from '../futures/event-session.ts';
import type { EventTopic } from '../futures/event-topic.ts';
import { MarketTopics } from '../futures/market-topics.ts';
import type { Hub } from '../hub.ts';
import type { SpotFeed } from '../spot-feed.ts';
import type { StreamClock } from '../stream-clock.ts';
import { spotEventFormats } from './spot-market-events.ts';
import { parseSpotStreamName } from './spot-stream-name.ts';

export interface SpotTopicsParts {
  readonly feed: SpotFeed;
  readonly hub: Hub;
  readonly clock: StreamClock;
  /** Null: candles and statistics begin when the process starts. */
  readonly candles: CandleHistory<MarketId> | null;
}

/** Binance's spot market streams, on the feed's books. */
export class SpotTopics implements TopicSource {
  readonly #parts: SpotTopicsParts;
  readonly #markets = new Map<MarketId, MarketTopics>();
  readonly #all: AllMarketsStreams<MarketTopics>;
  // Empty between two commands.
  readonly #traded = new Set<MarketTopics>();
  readonly #moved = new Set<MarketTopics>();

  constructor(parts: SpotTopicsParts) {
    this.#parts = parts;
    this.#all = new AllMarketsStreams({
      ...parts,
      bookTickerName: spotEventFormats.bookTickerName,
      markets: () => parts.feed.listMarkets().map((market) => this.#topicsOf(market)),
    });
    parts.feed.addListener((applied) => this.#take(applied));
  }

  get isReady(): boolean {
    return this.#parts.feed.isReady;
  }

  findTopic(streamName: string, isCombined: boolean): EventTopic | null {
    const name = parseSpotStreamName(streamName);
    if (name === null) return null;
    const form = { streamName, isCombined };
    if (!('symbol' in name)) return this.#all.findTopic(name, form);
    const market = this.#parts.feed.findTerms(name.symbol);
    if (market === null) return null;
    const topics = this.#topicsOf(market);
    return topics.findTopic(form, () => topics.makeTopic(name, form));
  }

  /** To be called every second. */
  tick(): void {
    for (const topics of this.#markets.values()) topics.tick();
  }

  // A feed that starts over has new books; topics of the old ones have no subscribers.
  #topicsOf(market: SpotMarket): MarketTopics {
    const { marketId } = market;
    const { hub, clock, candles, feed } = this.#parts;
    const { mirror } = feed.getStreams(marketId);
    const known = this.#markets.get(marketId);
    if (known?.mirror === mirror) return known;
    const sequence = (): Sequence => feed.sequence;
    const topics = new MarketTopics(market, mirror, {
      hub,
      clock,
      words: spotEventFormats,
      loadCandles:
        candles === null
          ? null
          : (interval, startTime) =>
              candles.loadCandles({ market, interval, startTime, sequence: sequence() }),
    });
    this.#markets.set(marketId, topics);
    return topics;
  }

  #take({ events, timestamp }: AppliedCommand): void {
    for (const event of events) {
      if (event.type === 'bookLevelChanged') {
        const topics = this.#find(event.marketId);
        if (topics === null) continue;
        topics.noteLevel(event, timestamp);
        this.#moved.add(topics);
      } else if (event.type === 'spotTradeExecuted') {
        const { trade } = event;
        const topics = this.#find(trade.marketId);
        if (topics === null) continue;
        topics.addTrade({ trade, time: timestamp });
        this.#traded.add(topics);
      }
    }
    if (this.#traded.size > 0) {
      for (const topics of this.#traded) this.#all.traded(topics);
      this.#traded.clear();
    }
    if (this.#moved.size > 0) {
      for (const topics of this.#moved) this.#all.bookChanged(topics);
      this.#moved.clear();
    }
  }

  // A market that nobody has subscribed to costs nothing.
  #find(marketId: MarketId): MarketTopics | null {
    const { feed } = this.#parts;
    if (this.#all.isAsked) return this.#topicsOf(feed.getMarket(marketId));
    const known = this.#markets.get(marketId);
    return known?.mirror === feed.getStreams(marketId).mirror ? known : null;
  }
}
