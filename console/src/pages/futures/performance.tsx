import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useApi } from '../../api/query.ts';
import { runningSums } from '../../forms/profit.ts';
import { directionOf } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { LineChart } from '../../parts/line-chart.tsx';
import { SelectField } from '../../parts/number-field.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';

type Period = Answer<'GET /api/v1/account/equity-history'>['items'][number];
type Amount = Exclude<keyof Period, 'start_time' | 'end_time'>;

const spans = {
  '1d': { name: 'Day (UTC)', periods: 90, digits: 10, text: 'by day, 90 days' },
  '1h': { name: 'Hour (UTC)', periods: 168, digits: 16, text: 'by hour, 7 days' },
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
    held('Equity', 'equity'),
    changed('Profit', 'profit'),
    changed('Realized', 'realized_profit'),
    changed('Funding', 'funding'),
    changed('Fees', 'fees'),
    changed('Moved in', 'transfers'),
    held('Wallet balance', 'wallet_balance'),
    changed('Unrealized', 'unrealized_profit'),
  ];
}

function Lines({ items }: { items: readonly Period[] }) {
  const oldestFirst = items.toReversed();
  const sums = runningSums(oldestFirst.map(({ profit }) => profit));
  return (
    <div class="columns">
      <LineChart
        label="Equity, USDT"
        points={oldestFirst.map((each) => ({ name: nameOf(each), value: each.equity }))}
      />
      <LineChart
        label="Profit since the start, USDT"
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
          label="Equity and profit"
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
              caption="Equity and profit"
              columns={columns}
              rows={items}
              keyOf={({ start_time: start }) => start}
              empty="Nothing yet. The first trade or transfer begins the list."
            />
          </>
        )}
      </Loaded>
    </>
  );
}
