import { fromUnits, type Level, toUnits } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import {
  type BookFeed,
  type MarketFeed,
  type MarketKind,
  openGroupedBook,
} from '../feed/market.ts';
import { decimalsOf } from '../number/format.ts';
import * as texts from '../text/en/desk.ts';
import { Book } from './book.tsx';
import type { WrittenColumn } from './csv-file.ts';
import { later } from './later.tsx';
import { Panel } from './panel.tsx';
import { CsvButton } from './table.tsx';

const BookReader = later<{ feed: MarketFeed; decimals: number }>(() =>
  import('./book-reader.tsx').then((each) => each.BookReader),
);

const factors = [10n, 100n, 1_000n, 10_000n] as const;
/** The chosen step by market; absent: every price has its row. */
const chosen = signal<ReadonlyMap<string, string>>(new Map());

type Row = readonly [side: string, level: Level];

const columns: readonly WrittenColumn<Row>[] = [
  { title: texts.side, text: ([side]) => side },
  { title: texts.price, text: ([, { price }]) => fromUnits(price) },
  { title: texts.quantity, text: ([, { quantity }]) => fromUnits(quantity) },
];

/** All levels, the highest price first. */
function rowsOf({ book: { asks, bids } }: BookFeed): readonly Row[] {
  return [
    ...asks.toReversed().map((level): Row => ['sell', level]),
    ...bids.map((level): Row => ['buy', level]),
  ];
}

export interface BookPanelProps {
  readonly kind: MarketKind;
  readonly symbol: string;
  readonly feed: MarketFeed;
  readonly tickSize: string;
  readonly quantityDecimals: number;
  readonly onPick: (price: string) => void;
}

/** The book of a market, whose prices can be grouped. */
export function BookPanel(props: BookPanelProps) {
  const { kind, symbol, feed, tickSize } = props;
  const key = `${kind} ${symbol}`;
  const group = chosen.value.get(key) ?? null;
  const levels = useMemo(
    () => (group === null ? null : openGroupedBook({ kind, symbol, group })),
    [kind, symbol, group],
  );
  useEffect(() => () => levels?.close(), [levels]);
  const steps = factors.map((factor) => fromUnits(toUnits(tickSize) * factor));
  return (
    <Panel
      title={texts.book}
      area="area-book"
      staleSince={feed.staleSince.value}
      tools={
        <>
          <CsvButton
            name={`book-${symbol}`}
            columns={columns}
            rows={rowsOf(levels ?? feed)}
            load={async () => rowsOf(levels ?? feed)}
          />
          <select
            class="small"
            aria-label={texts.priceStep}
            value={group ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const next = new Map(chosen.value);
              if (value === '') next.delete(key);
              else next.set(key, value);
              chosen.value = next;
            }}
          >
            <option value="">{tickSize}</option>
            {steps.map((step) => (
              <option key={step} value={step}>
                {step}
              </option>
            ))}
          </select>
        </>
      }
    >
      <BookReader feed={feed} decimals={decimalsOf(tickSize)} />
      <Book
        kind={kind}
        symbol={symbol}
        feed={feed}
        levels={levels ?? feed}
        group={group}
        priceDecimals={decimalsOf(group ?? tickSize)}
        middleDecimals={decimalsOf(tickSize)}
        quantityDecimals={props.quantityDecimals}
        onPick={props.onPick}
      />
    </Panel>
  );
}
