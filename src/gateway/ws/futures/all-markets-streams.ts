import type { Hub } from '../hub.ts';
import type { StreamClock } from '../stream-clock.ts';
import {
  type EventFields,
  type EventForm,
  type EventTopic,
  ListTopic,
  namedEvent,
  QueueTopic,
} from './event-topic.ts';
import type { FuturesMarketStreams } from './futures-market-streams.ts';
import type { AllMarketsStream } from './stream-name.ts';

const listIntervalMs = 1_000;

type Kind = AllMarketsStream['kind'];

/** Each event of these goes out on its own; those of the others in a list a round. */
const singleKinds: ReadonlySet<Kind> = new Set([
  ...(['allBookTickers', 'allForceOrders', 'contractInfo'] as const),
]);

export interface AllMarketsParts {
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly markets: ReadonlyMap<string, FuturesMarketStreams>;
}

/** Binance's streams over all futures markets, fed by those of each market. */
export class AllMarketsStreams {
  readonly #hub: Hub;
  readonly #clock: StreamClock;
  readonly #markets: AllMarketsParts['markets'];
  readonly #topics = new Map<string, ListTopic | QueueTopic>();
  readonly #byKind = new Map<Kind, (ListTopic | QueueTopic)[]>();

  constructor({ hub, clock, markets }: AllMarketsParts) {
    this.#hub = hub;
    this.#clock = clock;
    this.#markets = markets;
  }

  findTopic(name: AllMarketsStream, form: EventForm): EventTopic {
    const key = `${form.streamName} ${form.isCombined}`;
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const topic = singleKinds.has(name.kind)
      ? new QueueTopic(form, 0)
      : this.#listTopic(name, form);
    this.#topics.set(key, topic);
    this.#byKind.set(name.kind, [...(this.#byKind.get(name.kind) ?? []), topic]);
    return topic;
  }

  #listTopic(name: AllMarketsStream, form: EventForm): ListTopic {
    if (name.kind === 'allMarkPrices') return new ListTopic(form, name.intervalMs, () => null);
    return new ListTopic(form, listIntervalMs, () => prepareDays(this.#markets.values()));
  }

  bookChanged(market: FuturesMarketStreams): void {
    this.#put('allBookTickers', 'bookTicker', market, () => market.readBookTicker());
  }

  markChanged(market: FuturesMarketStreams): void {
    this.#put('allMarkPrices', 'markPriceUpdate', market, () => market.readMark());
  }

  traded(market: FuturesMarketStreams): void {
    this.#put('allTickers', '24hrTicker', market, () => market.readTicker());
    this.#put('allMiniTickers', '24hrMiniTicker', market, () => market.readMiniTicker());
  }

  forced(market: FuturesMarketStreams, fields: EventFields): void {
    this.#put('allForceOrders', 'forceOrder', market, () => fields);
  }

  contractChanged(market: FuturesMarketStreams, fields: EventFields): void {
    this.#put('contractInfo', 'contractInfo', market, () => fields);
  }

  #put(
    kind: Kind,
    event: string,
    { market }: FuturesMarketStreams,
    read: () => EventFields | null,
  ): void {
    const heard = (this.#byKind.get(kind) ?? []).filter(({ hasAudience }) => hasAudience);
    const fields = heard.length === 0 ? null : read();
    if (fields === null) return;
    const payload = namedEvent(event, this.#clock.now(), fields);
    for (const topic of heard) {
      if (topic instanceof ListTopic) topic.put(market.symbol, payload);
      else topic.push(payload);
      this.#hub.markDirty(topic);
    }
  }
}

interface WithDay {
  prepareDay(): Promise<void> | null;
}

/** Null where the day of each market is known; else resolves when it is. */
export function prepareDays(markets: Iterable<WithDay>): Promise<void> | null {
  const preparing = [...markets].flatMap((market) => market.prepareDay() ?? []);
  return preparing.length === 0 ? null : Promise.all(preparing).then(() => {});
}
