import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refresh, useApi } from '../../api/query.ts';
import type { Position } from '../../feed/account.ts';
import { marks } from '../../feed/marks.ts';
import { formatPrice } from '../../feed/prices.ts';
import { percentOf, profitAt, sizeOf } from '../../forms/profit.ts';
import { directionOf, formatSigned, formatWhole } from '../../number/format.ts';
import { readNumber } from '../../number/read-number.ts';
import { Usdt } from '../../parts/amount.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { ListEnd } from '../../parts/list-end.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import {
  closeAt,
  closePosition,
  prepareReduction,
  reversePosition,
} from '../../parts/perp-ticket/perp-actions.ts';
import { SendButton } from '../../parts/send-button.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/futures.ts';

type FullPosition = Answer<'GET /api/v1/positions/active'>[number];

const takeProfit = signal('');
const stopLoss = signal('');

function ExitFields({ position }: { position: FullPosition }) {
  const fields = [
    [texts.takeProfitAt, takeProfit],
    [texts.stopLossAt, stopLoss],
  ] as const;
  return (
    <>
      <p class="dim small-text">
        {texts.exitsExplained(
          formatPrice('futures', position.symbol, position.entry_price),
          formatPrice('futures', position.symbol, position.mark_price),
        )}
      </p>
      {fields.map(([label, text]) => (
        <NumberField
          key={label}
          label={label}
          unit="USDT"
          value={text.value}
          step="0.00000001"
          onInput={(next) => {
            text.value = next;
          }}
        />
      ))}
    </>
  );
}

async function askExits(position: FullPosition): Promise<void> {
  takeProfit.value = '';
  stopLoss.value = '';
  const isYes = await confirm({
    title: texts.exitsOf(position.symbol),
    text: <ExitFields position={position} />,
    action: texts.placeThem,
    isMoney: true,
  });
  if (!isYes) return;
  const gain = readNumber(takeProfit.value);
  const loss = readNumber(stopLoss.value);
  if (gain !== null) await closeAt(position, 'TAKE_PROFIT_MARKET', gain);
  if (loss !== null) await closeAt(position, 'STOP_MARKET', loss);
  refresh('GET /api/v1/trigger-orders');
}

/** The streamed mark price; until there is one, the price that was read with the position. */
function markOf({ symbol, mark_price: read }: FullPosition): string | null {
  return marks.value.get(symbol) ?? read;
}

function Profit({ position }: { position: FullPosition }) {
  const profit = profitAt(position, markOf(position)) ?? position.unrealized_profit;
  const percent = percentOf(profit, position.initial_margin);
  return (
    <span class={directionOf(profit)}>
      <Usdt value={profit} isSigned />
      {percent === null ? '' : ` (${formatSigned(percent, 2)} %)`}
    </span>
  );
}

/** The position's rank in the auto-deleveraging queue: 0 to 4. */
function QueueMark({ rank }: { rank: number }) {
  return (
    <span role="img" aria-label={texts.rankOfFour(rank)}>
      {'▮'.repeat(rank)}
      {'▯'.repeat(Math.max(0, 4 - rank))}
    </span>
  );
}

function Buttons({ position }: { position: FullPosition }) {
  return (
    <span class="row">
      <SendButton class="small" onClick={() => void askExits(position)}>
        {texts.tpSL}
      </SendButton>
      <button type="button" class="small" onClick={() => prepareReduction(position)}>
        {texts.reduce}
      </button>
      <SendButton class="small" onClick={() => void closePosition(position)}>
        {texts.close}
      </SendButton>
      <SendButton class="small" onClick={() => void reversePosition(position)}>
        {texts.reverse}
      </SendButton>
    </span>
  );
}

const price = (
  title: string,
  read: (position: FullPosition) => string | null,
): Column<FullPosition> => ({
  title,
  isNumber: true,
  text: read,
  cell: (each) => formatPrice('futures', each.symbol, read(each)),
});

const positionColumns: readonly Column<FullPosition>[] = [
  { title: texts.market, cell: (each) => each.symbol, text: (each) => each.symbol },
  {
    title: texts.side,
    cell: (each) => (
      <span class={each.side === 'LONG' ? 'up' : 'down'}>
        {each.side === 'LONG' ? texts.long : texts.short} {each.leverage}×
      </span>
    ),
    text: (each) => each.side,
  },
  { title: texts.size, isNumber: true, cell: (each) => formatWhole(sizeOf(each)), text: sizeOf },
  price(texts.entryPrice, (each) => each.entry_price),
  price(texts.mark, markOf),
  price(texts.liquidation, (each) => each.liquidation_price),
  {
    title: texts.margin,
    isNumber: true,
    cell: (each) => <Usdt value={each.initial_margin} />,
    text: (each) => each.initial_margin,
  },
  {
    title: 'PnL',
    isNumber: true,
    cell: (each) => <Profit position={each} />,
    text: (each) => profitAt(each, markOf(each)) ?? each.unrealized_profit,
  },
  {
    title: 'ADL',
    cell: (each) => <QueueMark rank={each.deleverage_rank} />,
    text: (each) => each.deleverage_rank,
  },
  { title: '', cell: (each) => <Buttons position={each} /> },
];

export function Positions({ live }: { live: ReadonlyMap<string, Position> }) {
  // Prices and profit are streamed; margins depend on the account's other activity.
  const query = useApi('GET /api/v1/positions/active', {}, { every: 15_000 });
  useEffect(() => refresh('GET /api/v1/positions/active'), [live]);
  return (
    <Loaded query={query}>
      {(rows) => (
        <>
          <Table
            caption={texts.positions}
            columns={positionColumns}
            rows={rows}
            keyOf={(each) => each.symbol}
            empty={texts.noPositionsYet}
          />
          <ListEnd
            count={rows.length}
            isWhole
            csv={<CsvButton name="positions" columns={positionColumns} rows={rows} />}
          />
        </>
      )}
    </Loaded>
  );
}
