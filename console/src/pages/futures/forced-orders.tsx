import { type ForcedOrder, forcedOrders, useForcedOrders } from '../../feed/forced-orders.ts';
import { formatPrice } from '../../feed/prices.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { Side } from '../../parts/spot-order-columns.tsx';
import { type Column, CsvButton, Table } from '../../parts/table.tsx';

const timeOf = ({ time }: ForcedOrder): string => new Date(time).toISOString();

const columns: readonly Column<ForcedOrder>[] = [
  { title: 'Time', cell: (each) => formatMoment(timeOf(each)), text: timeOf },
  { title: 'Market', cell: (each) => each.symbol, text: (each) => each.symbol },
  { title: 'Side', cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  {
    title: 'Average price',
    isNumber: true,
    cell: (each) => formatPrice('futures', each.symbol, each.price),
    text: (each) => each.price,
  },
  {
    title: 'Filled',
    isNumber: true,
    cell: (each) => formatWhole(each.quantity),
    text: (each) => each.quantity,
  },
];

/** Liquidation orders of all accounts, as they happen. */
export function ForcedOrders() {
  useForcedOrders();
  const rows = forcedOrders.value;
  return (
    <section aria-label="Liquidations of all accounts">
      <header>
        <h2>Liquidations of all accounts</h2>
        <CsvButton name="liquidations-of-all-accounts" columns={columns} rows={rows} />
      </header>
      <Table
        caption="Liquidations of all accounts, newest first"
        columns={columns}
        rows={rows}
        keyOf={(each) => each.number}
        empty="None since this tab was opened."
      />
    </section>
  );
}
