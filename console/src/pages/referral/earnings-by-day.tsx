import type { Answer } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { Usdt } from '../../parts/amount.tsx';
import { LineChart } from '../../parts/line-chart.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/referral.ts';

type Day = Answer<'GET /api/v1/referral/earnings'>['items'][number];

const amount = (title: string, of: (each: Day) => string): Column<Day> => ({
  title,
  isNumber: true,
  cell: (each) => <Usdt value={of(each)} />,
  text: of,
});

const columns: readonly Column<Day>[] = [
  { title: texts.dayUTC, cell: ({ day }) => day, text: ({ day }) => day },
  amount(texts.spot, (each) => each.spot_commission),
  amount(texts.futures, (each) => each.futures_commission),
  amount(texts.spread, (each) => each.spread_commission),
  amount(texts.total, (each) => each.total_commission),
];

const dayMs = 86_400_000;
const days = 90;

/** Every day from the first with earnings to the last one, so that the line shows gaps. */
function pointsOf(
  items: readonly Day[],
): readonly { readonly name: string; readonly value: string }[] {
  const totals = new Map(items.map((each) => [each.day, each.total_commission]));
  const [first, last] = [items.at(-1)?.day, items[0]?.day];
  if (first === undefined || last === undefined) return [];
  const count = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  return Array.from({ length: count }, (_, index) => {
    const name = new Date(Date.parse(first) + index * dayMs).toISOString().slice(0, 10);
    return { name, value: totals.get(name) ?? '0' };
  });
}

/** Commission of the last days as a line and as a table. */
export function EarningsByDay() {
  const query = useApi(
    'GET /api/v1/referral/earnings',
    { query: { by: 'day', days } },
    { every: 60_000 },
  );
  return (
    <section class="panel" aria-label={texts.earningsByDay}>
      <header>
        <h2>{texts.earningsByDay}</h2>
        <CsvButton name="earnings-by-day" columns={columns} rows={query.data?.items ?? []} />
      </header>
      <Loaded query={query}>
        {({ items }) => (
          <>
            <LineChart label={texts.commissionByDayUSDT} points={pointsOf(items)} />
            <Table
              caption={texts.earningsByDay}
              columns={columns}
              rows={items}
              keyOf={({ day }) => day}
              empty={texts.nothingEarned(days)}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}
