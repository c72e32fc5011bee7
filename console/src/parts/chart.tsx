import { effect } from '@preact/signals';
import type * as ChartLibrary from 'lightweight-charts';
import type { CandlestickData, IChartApi, UTCTimestamp } from 'lightweight-charts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Candle, followCandles, loadCandles } from '../feed/candles.ts';
import { sayError } from '../feed/notices.ts';
import { palette, theme } from '../feed/preferences.ts';
import * as texts from '../text/en/desk.ts';
import { type ChartProps, nameOf } from './chart-props.ts';
import { later } from './later.tsx';

// Floating point is only for pixels: what the chart draws is never used for trading.

type Charts = typeof ChartLibrary;

function point({ open_time: at, open, high, low, close }: Candle): CandlestickData<UTCTimestamp> {
  const time = (at / 1000) as UTCTimestamp;
  return { time, open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
}

function colors() {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    surface: color('surface'),
    line: color('line'),
    dim: color('dim'),
    up: color('up'),
    down: color('down'),
  };
}

function paint(chart: IChartApi, candles: ReturnType<IChartApi['addSeries']>): void {
  const { surface, line, dim, up, down } = colors();
  chart.applyOptions({
    layout: { background: { color: surface }, textColor: dim },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line },
    timeScale: { borderColor: line },
  });
  // Rising candles are hollow and falling ones filled, so that color is not the only difference.
  candles.applyOptions({
    upColor: surface,
    downColor: down,
    borderUpColor: up,
    borderDownColor: down,
    wickUpColor: up,
    wickDownColor: down,
    priceLineColor: dim,
  });
}

function draw(charts: Charts, place: HTMLElement, decimals: number) {
  const chart = charts.createChart(place, {
    autoSize: true,
    // The library inserts its logo as markup, which the page's policy forbids; the footer contains
    // the notice that its license requires.
    layout: { attributionLogo: false, fontSize: 11, fontFamily: 'inherit' },
    timeScale: { timeVisible: true, rightOffset: 4 },
    crosshair: { mode: charts.CrosshairMode.Normal },
  });
  const minMove = 1 / 10 ** decimals;
  const candles = chart.addSeries(charts.CandlestickSeries, {
    priceFormat: { type: 'price', precision: decimals, minMove },
  });
  return { chart, candles };
}

async function run(place: HTMLElement, { source, decimals }: ChartProps, isOver: () => boolean) {
  const [charts, history] = await Promise.all([
    import('lightweight-charts'),
    loadCandles(source, null),
  ]);
  if (isOver()) return () => undefined;
  const { chart, candles } = draw(charts, place, decimals);
  let held = history;
  let isLoading = false;
  let isWhole = history.length === 0;
  candles.setData(held.map(point));
  const stopPainting = effect(() => {
    if (theme.value !== '' && palette.value !== '') paint(chart, candles);
  });
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range === null || range.from > 20 || isLoading || isWhole) return;
    isLoading = true;
    loadCandles(source, held[0]?.open_time ?? null).then((older) => {
      isLoading = false;
      isWhole = older.length === 0;
      held = [...older, ...held];
      if (!isOver()) candles.setData(held.map(point));
    }, sayError);
  });
  // What happened while the link was down is read again.
  const catchUp = (): void => {
    loadCandles(source, null).then((newest) => {
      const from = newest[0]?.open_time ?? Number.POSITIVE_INFINITY;
      held = [...held.filter((each) => each.open_time < from), ...newest];
      if (!isOver()) candles.setData(held.map(point));
    }, sayError);
  };
  const unsubscribe = followCandles(source, {
    onGap: catchUp,
    onCandle: (candle) => {
      if (candle.open_time < (held.at(-1)?.open_time ?? 0)) return;
      if (candle.open_time === held.at(-1)?.open_time) held = held.slice(0, -1);
      held = [...held, candle];
      candles.update(point(candle));
    },
  });
  return () => {
    unsubscribe();
    stopPainting();
    chart.remove();
  };
}

const CandleTable = later<ChartProps>(() =>
  import('./candle-table.tsx').then((each) => each.CandleTable),
);

/** Candles of a market, live. */
export function Chart(props: ChartProps) {
  const { source, decimals } = props;
  const { kind, symbol, interval, price } = source;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isOver = false;
    let stop: () => void = () => undefined;
    if (place.current !== null) {
      run(place.current, props, () => isOver).then((end) => {
        if (isOver) end();
        else stop = end;
      }, sayError);
    }
    return () => {
      isOver = true;
      stop();
    };
  }, [kind, symbol, interval, price, decimals]);
  const [isTable, setTable] = useState(false);
  return (
    <div class={`chart ${isTable ? 'as-table' : ''}`}>
      <div ref={place} role="img" aria-label={nameOf(source)} />
      {isTable && <CandleTable {...props} />}
      <button
        type="button"
        class="small chart-view"
        aria-pressed={isTable}
        onClick={() => setTable(!isTable)}
      >
        {texts.asATable}
      </button>
    </div>
  );
}
