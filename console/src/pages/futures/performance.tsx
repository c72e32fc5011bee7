import { api } from '../../api/api.ts';
import { readByOffset } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { type DayOfIncome, type IncomeRow, incomeByDay } from '../../forms/profit.ts';
import {
  directionOf,
  formatDecimal,
  formatMoment,
  formatSigned,
  formatWhole,
} from '../../number/format.ts';
import { LineChart } from '../../parts/line-chart.tsx';
import { ListEnd, usePageSize } from '../../parts/list-end.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';

const pageSize = 500;

const signed = (amount: string) => (
  <span class={directionOf(amount)}>{formatSigned(amount, 4)}</span>
);

const dayColumns: readonly Column<DayOfIncome>[] = [
  { title: 'Day (UTC)', cell: ({ day }) => day, text: ({ day }) => day },
  {
    title: 'Profit',
    isNumber: true,
    cell: ({ profit }) => signed(profit),
    text: ({ profit }) => profit,
  },
  {
    title: 'Realized',
    isNumber: true,
    cell: ({ realized }) => signed(realized),
    text: ({ realized }) => realized,
  },
  {
    title: 'Funding',
    isNumber: true,
    cell: ({ funding }) => signed(funding),
    text: ({ funding }) => funding,
  },
  { title: 'Fees', isNumber: true, cell: ({ fees }) => signed(fees), text: ({ fees }) => fees },
  {
    title: 'Moved in',
    isNumber: true,
    cell: ({ transfers }) => signed(transfers),
    text: ({ transfers }) => transfers,
  },
  {
    title: 'Wallet balance',
    isNumber: true,
    cell: ({ balance }) => formatDecimal(balance, 2),
    text: ({ balance }) => balance,
  },
];

/** Profit by day and the wallet's balance over time, computed from the wallet's income. */
export function Performance() {
  const income = useApi('GET /api/v1/income', { query: { limit: pageSize } }, { every: 30_000 });
  const account = useApi('GET /api/v1/unified/account', {}, { every: 30_000 });
  const balance = account.data?.wallet_balance;
  const load = async (): Promise<readonly DayOfIncome[]> =>
    incomeByDay(
      await readByOffset((page) => api.call('GET /api/v1/income', { query: page })),
      (await api.call('GET /api/v1/unified/account')).wallet_balance,
    );
  return (
    <Loaded query={income}>
      {({ items, next_offset: next }) => {
        if (balance === undefined) return <div class="skeleton" aria-busy="true" />;
        // If this is not the last page, its oldest day can be incomplete.
        const days = incomeByDay(items, balance);
        const whole = next === null ? days : days.slice(0, -1);
        return (
          <>
            <LineChart
              label="Wallet balance at the end of each day, USDT"
              points={whole
                .toReversed()
                .map(({ day, balance: held }) => ({ name: day, value: held }))}
            />
            <Table
              caption="Profit by day"
              columns={dayColumns}
              rows={whole}
              keyOf={({ day }) => day}
              empty="Nothing yet. The first trade or transfer begins the list."
            />
            <ListEnd
              count={whole.length}
              isWhole={next === null}
              csv={<CsvButton name="profit-by-day" columns={dayColumns} rows={whole} load={load} />}
            />
          </>
        );
      }}
    </Loaded>
  );
}

interface Income extends IncomeRow {
  readonly income_id: number;
  readonly symbol: string | null;
}

const incomeColumns: readonly Column<Income>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  {
    title: 'What',
    cell: (each) => each.type.toLowerCase().replaceAll('_', ' '),
    text: (each) => each.type,
  },
  { title: 'Market', cell: (each) => each.symbol ?? '', text: (each) => each.symbol },
  {
    title: 'USDT',
    isNumber: true,
    cell: (each) => (
      <span class={directionOf(each.amount)}>
        {each.amount.startsWith('-') ? '' : '+'}
        {formatWhole(each.amount)}
      </span>
    ),
    text: (each) => each.amount,
  },
];

/** Lists each fee, funding payment, realized profit and transfer. */
export function IncomeList() {
  const { limit, onMore } = usePageSize();
  const query = useApi('GET /api/v1/income', { query: { limit } });
  const load = () => readByOffset((page) => api.call('GET /api/v1/income', { query: page }));
  return (
    <Loaded query={query}>
      {({ items, next_offset: next }) => (
        <>
          <Table
            caption="Funding and fees"
            columns={incomeColumns}
            rows={items}
            keyOf={(each) => `${each.type} ${each.income_id}`}
            empty="Nothing yet. Fees, funding and profits stand here."
          />
          <ListEnd
            count={items.length}
            isWhole={next === null}
            onMore={onMore}
            csv={<CsvButton name="income" columns={incomeColumns} rows={items} load={load} />}
          />
        </>
      )}
    </Loaded>
  );
}
