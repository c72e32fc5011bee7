import { formatAmount } from '../../domain/amount.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import type {
  LeverageChanged,
  PerpBalanceChanged,
  PositionChanged,
} from '../../engine/futures-events.ts';
import {
  BatchInsert,
  integerColumn,
  numberColumn,
  replaceColumns,
  timeColumn,
  wordColumn,
} from '../batch-insert.ts';
import type { StoredFuturesMarket } from '../futures/futures-market-rows.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';

// An account's positions, its leverage in each market, and its perp wallet, each as of the end of
// the batch.

// More markets than an exchange lists, so that account and market make one number.
const marketsMax = 65_536;

interface PositionRow extends PlacedEvent<PositionChanged> {
  readonly market: StoredFuturesMarket;
}

const positions = new BatchInsert<PositionRow>({
  table: 'futures_positions',
  columns: [
    integerColumn('account_id', ({ event }) => event.position.accountId),
    integerColumn('market_id', ({ event }) => event.position.marketId),
    numberColumn('quantity', ({ event, market }) =>
      formatDecimal((BigInt(event.position.quantity) * market.lotSize) as Decimal),
    ),
    numberColumn('entry_notional', ({ event }) => formatAmount(event.position.entryNotional)),
    numberColumn('realized_profit', ({ event }) => formatAmount(event.position.realizedProfit)),
    timeColumn('updated_at', ({ event }) => event.position.updatedAt),
    integerColumn('updated_sequence', ({ outcome }) => outcome.sequence),
  ],
  onConflict: `(account_id, market_id) ${replaceColumns(
    'quantity',
    'entry_notional',
    'realized_profit',
    'updated_at',
    'updated_sequence',
  )}`,
});

export const futuresPositionsProjection: Projection = {
  name: 'futures_positions',
  async project(batch, { statements, directory }) {
    const last = new Map<number, PlacedEvent<PositionChanged>>();
    for (const placed of batch.eventsOf('positionChanged')) {
      const { accountId, marketId } = placed.event.position;
      last.set(accountId * marketsMax + marketId, placed);
    }
    if (last.size === 0) return 0;
    const rows = [...last.values()].map((placed) => ({
      ...placed,
      market: directory.getFuturesMarket(placed.event.position.marketId),
    }));
    await statements.run(positions.statement(rows));
    return rows.length;
  },
};

const leverages = new BatchInsert<PlacedEvent<LeverageChanged>>({
  table: 'futures_leverages',
  columns: [
    integerColumn('account_id', ({ event }) => event.accountId),
    integerColumn('market_id', ({ event }) => event.marketId),
    integerColumn('leverage', ({ event }) => event.leverage),
    integerColumn('updated_sequence', ({ outcome }) => outcome.sequence),
  ],
  onConflict: `(account_id, market_id) ${replaceColumns('leverage', 'updated_sequence')}`,
});

export const futuresLeveragesProjection: Projection = {
  name: 'futures_leverages',
  async project(batch, { statements }) {
    const last = new Map<number, PlacedEvent<LeverageChanged>>();
    for (const placed of batch.eventsOf('leverageChanged')) {
      last.set(placed.event.accountId * marketsMax + placed.event.marketId, placed);
    }
    if (last.size === 0) return 0;
    await statements.run(leverages.statement([...last.values()]));
    return last.size;
  },
};

interface BalanceRow extends PlacedEvent<PerpBalanceChanged> {
  readonly address: string;
}

const balances = new BatchInsert<BalanceRow>({
  table: 'perp_balances',
  columns: [
    wordColumn('user_address', ({ address }) => address),
    numberColumn('wallet_balance', ({ event }) => formatAmount(event.walletBalance)),
    numberColumn('reserved', ({ event }) => formatAmount(event.reserved)),
    integerColumn('updated_sequence', ({ outcome }) => outcome.sequence),
  ],
  onConflict: `(user_address)
    ${replaceColumns('wallet_balance', 'reserved', 'updated_sequence')}`,
});

export const perpBalancesProjection: Projection = {
  name: 'perp_balances',
  async project(batch, { statements, directory }) {
    const last = new Map<number, PlacedEvent<PerpBalanceChanged>>();
    for (const placed of batch.eventsOf('perpBalanceChanged')) {
      last.set(placed.event.accountId, placed);
    }
    if (last.size === 0) return 0;
    const rows = [...last.values()].map((placed) => ({
      ...placed,
      address: directory.getAddress(placed.event.accountId),
    }));
    await statements.run(balances.statement(rows));
    return rows.length;
  },
};
