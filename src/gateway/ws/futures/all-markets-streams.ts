import type { Hub } from '../hub.ts';
import type { StreamClock } from '../stream-clock.ts';
import {
  type EventFields,
  type EventForm,
  type EventTopic,
  eventText,
  ListTopic,
  QueueTopic,
} from './event-topic.ts';
import { type RollingWindow, rollingWindows } from './market-topics.ts';
import type { AllMarketsStream } from './stream-name.ts';

const listIntervalMs = 1_000;

/** The streams that only spot has. */
interface RollingTickers {
  readonly kind: `allRollingTickers_${RollingWindow}`;
}

type AllStream = AllMarketsStream | RollingTickers;
type Kind = AllStream['kind'];

/** Each event of these is sent separately; those of the others in one list per round. */
const singleKinds: ReadonlySet<Kind> = new Set([
  'allBookTickers',
  'allForceOrders',
  'contractInfo',
]);

/** The streams with statistics of each market. */
const dayKinds: readonly Kind[] = [
  'allTickers',
  'allMiniTickers',
  ...rollingWindows.map((window) => `allRollingTickers_${window}` as const),
];

/** What the streams over all markets read from each market. */
export interface ListedMarket {
  readonly market: { readonly symbol: string };
  readBookTicker(): EventFields;
  readTicker(): EventFields | null;
  readMiniTicker(): EventFields | null;
  /** Absent: there are no such streams. */
  readRolling?(window: RollingWindow): EventFields | null;
  /** Null if the day is loaded; otherwise resolves when it is. */
  prepareDay(): Promise<void> | null;
}

export interface AllMarketsParts<Market extends ListedMarket> {
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly markets: () => Iterable<Market>;
  /** The name of the event; null: best prices are sent without name and time. */
  readonly bookTickerName: string | null;
}

/** Binance's streams over all markets, spot or futures, fed by those of each market. */
export class AllMarketsStreams<Market extends ListedMarket> {
  readonly #parts: AllMarketsParts<Market>;
  readonly #topics = new Map<string, ListTopic | QueueTopic>();
  readonly #byKind = new Map<Kind, (ListTopic | QueueTopic)[]>();

  constructor(parts: AllMarketsParts<Market>) {
    this.#parts = parts;
  }

  /** True if any of them was ever subscribed to. */
  get isAsked(): boolean {
    return this.#topics.size > 0;
  }

  findTopic(name: AllStream, form: EventForm): EventTopic {
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

  #listTopic(name: AllStream, form: EventForm): ListTopic {
    if (name.kind === 'allMarkPrices') return new ListTopic(form, name.intervalMs, () => null);
    return new ListTopic(form, listIntervalMs, () => prepareDays(this.#parts.markets()));
  }

  bookChanged(market: Market): void {
    const { bookTickerName } = this.#parts;
    this.#put('allBookTickers', bookTickerName, market, () => market.readBookTicker());
  }

  markChanged(market: Market & { readMark(): EventFields | null }): void {
    this.#put('allMarkPrices', 'markPriceUpdate', market, () => market.readMark());
  }

  traded(market: Market): void {
    const hasSubscribers = dayKinds.some((kind) => this.#subscribed(kind).length > 0);
    const preparing = hasSubscribers ? market.prepareDay() : null;
    if (preparing === null) return this.#putDay(market);
    // The market was listed after the list was joined. If its day cannot be read now, the next
    // trade tries again.
    preparing.then(
      () => this.#putDay(market),
      () => {},
    );
  }

  #putDay(market: Market): void {
    this.#put('allTickers', '24hrTicker', market, () => market.readTicker());
    this.#put('allMiniTickers', '24hrMiniTicker', market, () => market.readMiniTicker());
    for (const window of rollingWindows) {
      const read = (): EventFields | null => market.readRolling?.(window) ?? null;
      this.#put(`allRollingTickers_${window}`, `${window}Ticker`, market, read);
    }
  }

  forced(market: Market, fields: EventFields): void {
    this.#put('allForceOrders', 'forceOrder', market, () => fields);
  }

  contractChanged(market: Market, fields: EventFields): void {
    this.#put('contractInfo', 'contractInfo', market, () => fields);
  }

  #put(kind: Kind, event: string | null, { market }: Market, read: () => EventFields | null): void {
    const subscribed = this.#subscribed(kind);
    const fields = subscribed.length === 0 ? null : read();
    if (fields === null) return;
    const payload = eventText(event, this.#parts.clock.now(), fields);
    for (const topic of subscribed) {
      if (topic instanceof ListTopic) topic.put(market.symbol, payload);
      else topic.push(payload);
      this.#parts.hub.markDirty(topic);
    }
  }

  #subscribed(kind: Kind): readonly (ListTopic | QueueTopic)[] {
    return (this.#byKind.get(kind) ?? []).filter(({ hasAudience }) => hasAudience);
  }
}

/** Null if the day of each market is loaded; otherwise resolves when it is. */
function prepareDays(markets: Iterable<ListedMarket>): Promise<void> | null {
  const preparing = [...markets].flatMap((market) => market.prepareDay() ?? []);
  return preparing.length === 0 ? null : Promise.all(preparing).then(() => {});
}
