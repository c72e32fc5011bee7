import { type ForcedOrder, forcedOrders, useForcedOrders } from '../../feed/forced-orders.ts';
import { formatPrice } from '../../feed/prices.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { Side } from '../../parts/spot-order-columns.tsx';
import { type Column, CsvButton, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/futures.ts';

const timeOf = ({ time }: ForcedOrder): string => new Date(time).toISOString();

const columns: readonly Column<ForcedOrder>[] = [
  { title: texts.time, cell: (each) => formatMoment(timeOf(each)), text: timeOf },
  { title: texts.market, cell: (each) => each.symbol, text: (each) => each.symbol },
  { title: texts.side, cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  {
    title: texts.averagePrice,
    isNumber: true,
    cell: (each) => formatPrice('futures', each.symbol, each.price),
    text: (each) => each.price,
  },
  {
    title: texts.filled,
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
    <section aria-label={texts.allLiquidations}>
      <header>
        <h2>{texts.allLiquidations}</h2>
        <CsvButton name="liquidations-of-all-accounts" columns={columns} rows={rows} />
      </header>
      <Table
        caption={texts.allLiquidationsNewestFirst}
        columns={columns}
        rows={rows}
        keyOf={(each) => each.number}
        empty={texts.noneSinceTabOpened}
      />
    </section>
  );
}
