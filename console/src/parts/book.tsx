import type { Level } from '@openbourse/client';
import { fromUnits, toUnits } from '@openbourse/client';
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { liveOrders } from '../feed/account.ts';
import type { BookFeed, MarketFeed, MarketKind } from '../feed/market.ts';
import { formatUnits } from '../number/format.ts';
import * as texts from '../text/en/desk.ts';

// The book draws itself outside the component tree: fixed rows of two texts each, painted at most
// ten times a second, and never while the page is hidden. The middle stays where it is.

const rowsPerSide = 15;
const paintIntervalMs = 100;

export interface BookProps {
  readonly kind: MarketKind;
  readonly symbol: string;
  readonly feed: MarketFeed;
  /** The levels that are shown: those of the feed, or grouped ones. */
  readonly levels: BookFeed;
  /** The step of the shown prices; null: every price has its row. */
  readonly group: string | null;
  readonly priceDecimals: number;
  readonly middleDecimals: number;
  readonly quantityDecimals: number;
  readonly onPick: (price: string) => void;
}

interface RowParts {
  readonly row: HTMLElement;
  readonly price: Text;
  readonly rest: Text;
}

interface Painter {
  readonly asks: readonly RowParts[];
  readonly bids: readonly RowParts[];
}

function makeRows(group: HTMLElement): readonly RowParts[] {
  return Array.from({ length: rowsPerSide }, () => {
    const row = document.createElement('div');
    row.setAttribute('role', 'row');
    row.tabIndex = -1;
    const cells = [0, 1].map(() => {
      const cell = document.createElement('span');
      cell.setAttribute('role', 'gridcell');
      const text = document.createTextNode(' ');
      cell.append(text);
      row.append(cell);
      return text;
    });
    group.append(row);
    return { row, price: cells[0] as Text, rest: cells[1] as Text };
  });
}

/** The prices of the rows that hold the account's own orders. */
function ownPrices({ kind, symbol, group }: BookProps): ReadonlySet<bigint> {
  const step = group === null ? 1n : toUnits(group);
  const rowOf = (price: bigint, isAsk: boolean): bigint => {
    const above = price % step;
    return isAsk && above > 0n ? price - above + step : price - above;
  };
  const own = [...liveOrders.value.values()].filter(
    (order) => order.market === kind && order.symbol === symbol && order.price !== null,
  );
  return new Set(
    own.map(({ price, side }) => rowOf(toUnits(price ?? '0'), side.toLowerCase() === 'sell')),
  );
}

function paintSide(
  rows: readonly RowParts[],
  levels: readonly Level[],
  { priceDecimals, quantityDecimals }: BookProps,
  own: ReadonlySet<bigint>,
): void {
  const shown = levels.slice(0, rowsPerSide);
  const total = shown.reduce((sum, { quantity }) => sum + quantity, 0n);
  let sum = 0n;
  rows.forEach(({ row, price, rest }, index) => {
    const level = shown[index];
    if (level === undefined) {
      price.data = ' ';
      rest.data = ' ';
      row.style.setProperty('--depth', '0');
      delete row.dataset['price'];
      return;
    }
    sum += level.quantity;
    const mark = own.has(level.price) ? '◆' : ' ';
    price.data = mark + formatUnits(level.price, priceDecimals);
    const quantity = formatUnits(level.quantity, quantityDecimals);
    rest.data = `${quantity} ${formatUnits(sum, Math.min(5, quantityDecimals)).padStart(9)}`;
    row.style.setProperty(
      '--depth',
      String(Number((sum * 1000n) / (total === 0n ? 1n : total)) / 1000),
    );
    row.dataset['price'] = fromUnits(level.price);
  });
}

function middleText(
  { bids, asks }: MarketFeed['book'],
  decimals: number,
): readonly [string, string] {
  const [bid] = bids;
  const [ask] = asks;
  if (bid === undefined || ask === undefined) return ['–', ''];
  const spread = ask.price - bid.price;
  return [
    formatUnits((ask.price + bid.price) / 2n, decimals),
    texts.spread(formatUnits(spread, decimals)),
  ];
}

/** Moves the focus with the arrow keys, and picks the price of a row with Enter. */
function onKeys(event: KeyboardEvent, onPick: (price: string) => void): void {
  const rows = [
    ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role="row"]'),
  ].filter((row) => row.dataset['price'] !== undefined);
  const at = rows.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'Enter' && at >= 0) return onPick(rows[at]?.dataset['price'] ?? '');
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const start = at < 0 ? Math.floor(rows.length / 2) : at + step;
  rows[Math.max(0, Math.min(rows.length - 1, start))]?.focus();
}

/** Paints when the book has changed, at most once per interval and animation frame. */
function keepPainted(
  props: BookProps,
  painter: Painter,
  middle: readonly [Text, Text],
): () => void {
  let paintedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  const paint = (): void => {
    timer = undefined;
    frame = requestAnimationFrame(() => {
      paintedAt = performance.now();
      const own = ownPrices(props);
      const { book } = props.levels;
      paintSide(painter.asks, book.asks, props, own);
      paintSide(painter.bids, book.bids, props, own);
      [middle[0].data, middle[1].data] = middleText(props.feed.book, props.middleDecimals);
    });
  };
  const stop = effect(() => {
    const version = props.feed.bookVersion.value + props.levels.bookVersion.value;
    if (version < 0 || liveOrders.value.size < 0) return;
    if (timer !== undefined) return;
    timer = setTimeout(paint, Math.max(0, paintedAt + paintIntervalMs - performance.now()));
  });
  return () => {
    stop();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
}

export function Book(props: BookProps) {
  const { levels, symbol, onPick } = props;
  const asks = useRef<HTMLDivElement>(null);
  const bids = useRef<HTMLDivElement>(null);
  const price = useRef<HTMLSpanElement>(null);
  const spread = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (asks.current === null || bids.current === null) return;
    asks.current.replaceChildren();
    bids.current.replaceChildren();
    // The best ask is at the bottom of its side, next to the middle.
    const painter = { asks: makeRows(asks.current).toReversed(), bids: makeRows(bids.current) };
    const places = [price.current, spread.current].map((place) => {
      const text = document.createTextNode('–');
      place?.replaceChildren(text);
      return text;
    });
    return keepPainted(props, painter, places as unknown as readonly [Text, Text]);
  }, [levels]);
  const pick = (event: MouseEvent): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[role="row"]');
    if (row?.dataset['price'] !== undefined) onPick(row.dataset['price']);
  };
  return (
    <>
      <div class="ladder-head" aria-hidden="true">
        <span>{texts.price}</span>
        <span>{texts.quantitySum}</span>
      </div>
      <div
        class="ladder"
        role="grid"
        aria-label={texts.bookWithKeys(symbol)}
        tabIndex={0}
        onClick={pick}
        onKeyDown={(event) => onKeys(event, onPick)}
      >
        <div class="asks" role="rowgroup" ref={asks} aria-label={texts.asks} />
        <div class="middle" role="presentation">
          <strong ref={price} />
          <span class="dim" ref={spread} />
        </div>
        <div class="bids" role="rowgroup" ref={bids} aria-label={texts.bids} />
      </div>
    </>
  );
}
