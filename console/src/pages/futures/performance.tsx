import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useApi } from '../../api/query.ts';
import { runningSums } from '../../forms/profit.ts';
import { directionOf } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { LineChart } from '../../parts/line-chart.tsx';
import { SelectField } from '../../parts/number-field.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/futures.ts';

type Period = Answer<'GET /api/v1/account/equity-history'>['items'][number];
type Amount = Exclude<keyof Period, 'start_time' | 'end_time'>;

const spans = {
  '1d': { name: texts.dayUTC, periods: 90, digits: 10, text: texts.byDay90Days },
  '1h': { name: texts.hourUTC, periods: 168, digits: 16, text: texts.byHour7Days },
} as const;
const interval = signal<keyof typeof spans>('1d');

/** "2026-01-31", or "2026-01-31 14:00". */
function nameOf({ start_time: start }: Period): string {
  return start.slice(0, spans[interval.value].digits).replace('T', ' ');
}

const changed = (title: string, field: Amount): Column<Period> => ({
  title,
  isNumber: true,
  cell: (each) => (
    <span class={directionOf(each[field])}>
      <Usdt value={each[field]} isSigned />
    </span>
  ),
  text: (each) => each[field],
});

const held = (title: string, field: Amount): Column<Period> => ({
  title,
  isNumber: true,
  cell: (each) => <Usdt value={each[field]} />,
  text: (each) => each[field],
});

function columnsOf(): readonly Column<Period>[] {
  return [
    { title: spans[interval.value].name, cell: nameOf, text: ({ start_time: start }) => start },
    held(texts.equity, 'equity'),
    changed(texts.profit, 'profit'),
    changed(texts.realized, 'realized_profit'),
    changed(texts.funding, 'funding'),
    changed(texts.fees, 'fees'),
    changed(texts.movedIn, 'transfers'),
    held(texts.walletBalance, 'wallet_balance'),
    changed(texts.unrealized, 'unrealized_profit'),
  ];
}

function Lines({ items }: { items: readonly Period[] }) {
  const oldestFirst = items.toReversed();
  const sums = runningSums(oldestFirst.map(({ profit }) => profit));
  return (
    <div class="columns">
      <LineChart
        label={texts.equityUsdt}
        points={oldestFirst.map((each) => ({ name: nameOf(each), value: each.equity }))}
      />
      <LineChart
        label={texts.profitSinceStart}
        points={oldestFirst.map((each, at) => ({ name: nameOf(each), value: sums[at] ?? '0' }))}
      />
    </div>
  );
}

/** Equity and profit over time, as lines and as a table. */
export function Performance() {
  const { periods: limit } = spans[interval.value];
  const query = useApi(
    'GET /api/v1/account/equity-history',
    { query: { interval: interval.value, limit } },
    { every: 30_000 },
  );
  const columns = columnsOf();
  return (
    <>
      <div class="row list-end">
        <SelectField
          label={texts.equityAndProfit}
          value={interval.value}
          options={Object.entries(spans).map(([value, { text }]) => ({ value, text }))}
          onChange={(value) => {
            interval.value = value === '1h' ? '1h' : '1d';
          }}
        />
        <CsvButton name="equity-and-profit" columns={columns} rows={query.data?.items ?? []} />
      </div>
      <Loaded query={query}>
        {({ items }) => (
          <>
            <Lines items={items} />
            <Table
              caption={texts.equityAndProfit}
              columns={columns}
              rows={items}
              keyOf={({ start_time: start }) => start}
              empty={texts.noEquityYet}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
