import type { Answer } from '@openbourse/client';
import { useEffect } from 'preact/hooks';
import { refresh, useApi } from '../../api/query.ts';
import type { Position } from '../../feed/account.ts';
import { directionOf, formatDecimal, formatSigned, formatWhole } from '../../number/format.ts';
import { closePosition } from '../../parts/perp-ticket/perp-actions.ts';
import { type Column, Loaded, Table } from '../../parts/table.tsx';

type FullPosition = Answer<'GET /api/v1/positions/active'>[number];

const positionColumns: readonly Column<FullPosition>[] = [
  { title: 'Market', cell: (each) => each.symbol, text: (each) => each.symbol },
  {
    title: 'Side',
    cell: (each) => (
      <span class={each.side === 'LONG' ? 'up' : 'down'}>
        {each.side === 'LONG' ? '▲ Long' : '▼ Short'} {each.leverage}×
      </span>
    ),
    text: (each) => each.side,
  },
  {
    title: 'Size',
    isNumber: true,
    cell: (each) => formatWhole(each.quantity),
    text: (each) => each.quantity,
  },
  {
    title: 'Entry',
    isNumber: true,
    cell: (each) => formatWhole(each.entry_price),
    text: (each) => each.entry_price,
  },
  {
    title: 'Mark',
    isNumber: true,
    cell: (each) => formatWhole(each.mark_price),
    text: (each) => each.mark_price,
  },
  {
    title: 'Liquidation',
    isNumber: true,
    cell: (each) => formatWhole(each.liquidation_price),
    text: (each) => each.liquidation_price,
  },
  {
    title: 'Margin',
    isNumber: true,
    cell: (each) => formatDecimal(each.initial_margin, 2),
    text: (each) => each.initial_margin,
  },
  {
    title: 'PnL',
    isNumber: true,
    cell: (each) => (
      <span class={directionOf(each.unrealized_profit)}>
        {formatSigned(each.unrealized_profit, 2)}
      </span>
    ),
    text: (each) => each.unrealized_profit,
  },
  {
    title: '',
    isNumber: true,
    cell: (each) => (
      <button
        type="button"
        class="small"
        onClick={() =>
          each.side !== 'NONE' && void closePosition(each.symbol, each.side, each.quantity)
        }
      >
        Close
      </button>
    ),
  },
];

export function Positions({ live }: { live: ReadonlyMap<string, Position> }) {
  const query = useApi('GET /api/v1/positions/active', {}, { every: 2_000 });
  useEffect(() => refresh('GET /api/v1/positions/active'), [live]);
  return (
    <Loaded query={query}>
      {(rows) => (
        <Table
          caption="Positions"
          columns={positionColumns}
          rows={rows}
          keyOf={(each) => each.symbol}
          empty="No positions. Place an order in the ticket; test money gets here by a transfer in the wallet."
        />
      )}
    </Loaded>
  );
}
