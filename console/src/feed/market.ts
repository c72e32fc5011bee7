import { type ChannelName, type Channels, OrderBook, type TopicListener } from '@openbourse/client';
import { type Signal, signal } from '@preact/signals';
import { stream } from '../api/api.ts';

// One market's channels: book, trades, ticker, mark price. Signals, no markup.

export type MarketKind = 'spot' | 'futures';

export type Trade = Channels['trades']['snapshot'][number] & {
  /** The row of the tape that shows it: a new trade takes the one of the trade that drops out. */
  readonly row: number;
};

export type Ticker = Channels['tickers']['snapshot'][number];

type MarkPrice = NonNullable<Channels['mark_price']['snapshot']>;

export interface BookFeed {
  readonly book: OrderBook;
  /** Rises with each change of the book; painting code reads the book itself. */
  readonly bookVersion: Signal<number>;
  readonly close: () => void;
}

export interface MarketFeed extends BookFeed {
  /** Null while the book is up to date; otherwise since when it is not, 0 until its first levels. */
  readonly staleSince: Signal<number | null>;
  readonly tape: Signal<readonly Trade[]>;
  readonly ticker: Signal<Ticker | null>;
  readonly mark: Signal<MarkPrice | null>;
}

const tapeMax = 60;
/** Trades that follow one another closely are shown together. */
const tapeEveryMs = 250;

export interface GroupedMarket {
  readonly kind: MarketKind;
  readonly symbol: string;
  /** The step of the prices, as decimal text. */
  readonly group: string;
}

/** Subscribes to a market's book with grouped prices until it is closed. */
export function openGroupedBook({ kind, symbol, group }: GroupedMarket): BookFeed {
  const book = new OrderBook();
  const bookVersion = signal(0);
  const close = stream.subscribe(
    { channel: 'orderbook', symbol, market: kind, group },
    {
      onMessage: ({ type, data }) => {
        book.apply(type, data);
        bookVersion.value += 1;
      },
    },
  );
  return { book, bookVersion, close };
}

/** Subscribes to a market's channels until the feed is closed. */
export function openMarketFeed(kind: MarketKind, symbol: string): MarketFeed {
  const book = new OrderBook();
  const bookVersion = signal(0);
  const staleSince = signal<number | null>(0);
  let tradeCount = 0;
  const tape = signal<readonly Trade[]>([]);
  let news: readonly Trade[] = [];
  let showing = 0;
  const ticker = signal<Ticker | null>(null);
  const mark = signal<MarkPrice | null>(null);
  const listen = <Name extends ChannelName>(
    channel: Name,
    onMessage: TopicListener<Name>['onMessage'],
  ): (() => void) => stream.subscribe({ channel, symbol, market: kind }, { onMessage });
  const endings = [
    stream.subscribe(
      { channel: 'orderbook', symbol, market: kind },
      {
        onMessage: ({ type, data }) => {
          book.apply(type, data);
          bookVersion.value += 1;
          staleSince.value = null;
        },
        onStale: () => {
          staleSince.value ??= Date.now();
        },
      },
    ),
    listen('trades', ({ type, data }) => {
      const rows = data
        .map((trade) => {
          tradeCount += 1;
          return { ...trade, row: tradeCount % tapeMax };
        })
        .toReversed();
      news = [...rows, ...(type === 'snapshot' ? [] : news)].slice(0, tapeMax);
      if (type === 'snapshot') {
        tape.value = news;
        news = [];
      } else {
        showing ||= window.setTimeout(() => {
          showing = 0;
          tape.value = [...news, ...tape.value].slice(0, tapeMax);
          news = [];
        }, tapeEveryMs);
      }
    }),
    listen('ticker', ({ data }) => {
      ticker.value = data;
    }),
  ];
  if (kind === 'futures') {
    endings.push(
      listen('mark_price', ({ data }) => {
        mark.value = data;
      }),
    );
  }
  const close = (): void => endings.forEach((end) => end());
  return { book, bookVersion, staleSince, tape, ticker, mark, close };
}
