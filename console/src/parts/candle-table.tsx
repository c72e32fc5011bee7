import { useEffect, useState } from 'preact/hooks';
import { type Candle, loadCandles } from '../feed/candles.ts';
import { sayError } from '../feed/notices.ts';
import { formatDecimal, formatMoment, formatWhole } from '../number/format.ts';
import * as texts from '../text/en/candle-table.ts';
import { type ChartProps, nameOf } from './chart-props.ts';
import { type Column, CsvButton, Table } from './table.tsx';

const readMs = 15_000;
const rowsMax = 100;

function columnsOf(decimals: number): readonly Column<Candle>[] {
  const price = (title: string, of: (candle: Candle) => string): Column<Candle> => ({
    title,
    isNumber: true,
    cell: (candle) => formatDecimal(of(candle), decimals),
    text: of,
  });
  return [
    {
      title: texts.from,
      cell: (candle) => formatMoment(candle.open_time),
      text: (candle) => new Date(candle.open_time).toISOString(),
    },
    price(texts.open, ({ open }) => open),
    price(texts.high, ({ high }) => high),
    price(texts.low, ({ low }) => low),
    price(texts.close, ({ close }) => close),
    {
      title: texts.volume,
      isNumber: true,
      cell: ({ volume }) => formatWhole(volume),
      text: ({ volume }) => volume,
    },
  ];
}

/** The newest candles as a table, newest first, for those who do not see the chart. */
export function CandleTable({ source, decimals }: ChartProps) {
  const { kind, symbol, interval, price } = source;
  const [candles, setCandles] = useState<readonly Candle[]>([]);
  useEffect(() => {
    let isOver = false;
    const read = (): void => {
      loadCandles(source, null).then(
        (newest) => !isOver && setCandles(newest.toReversed()),
        sayError,
      );
    };
    read();
    const timer = setInterval(read, readMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [kind, symbol, interval, price]);
  const columns = columnsOf(decimals);
  return (
    <div class="candle-table">
      <p class="dim small-text list-end">
        {texts.newestCandles(Math.min(rowsMax, candles.length), interval)}{' '}
        <CsvButton
          name={`candles-${symbol}-${price}-${interval}`}
          columns={columns}
          rows={candles}
        />
      </p>
      <Table
        caption={nameOf(source)}
        columns={columns}
        rows={candles.slice(0, rowsMax)}
        keyOf={({ open_time: at }) => at}
        empty={texts.noCandlesYet}
      />
    </div>
  );
}
