import { type Amount, formatAmount, toAmount } from '../../domain/amount.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { clearedAmount } from '../../domain/insurance.ts';
import type { FundingSettled, LiquidationProgressed } from '../../engine/futures-events.ts';
import {
  BatchInsert,
  integerColumn,
  numberColumn,
  signedColumn,
  timeColumn,
  wordColumn,
} from '../batch-insert.ts';
import { formatRate } from '../futures/futures-market-rows.ts';
import type { Directory } from '../projector/directory.ts';
import type { OutcomeBatch, PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { formatPrice, formatQuantity } from './market-decimals.ts';

// Changes of a perp wallet besides fees and realized profit, which are stored with the trades:
// funding, transfers, and what the insurance fund covered.

type IncomeType = 'FUNDING_FEE' | 'TRANSFER' | 'INSURANCE_CLEAR';

interface IncomeRow {
  readonly type: IncomeType;
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId | null;
  readonly amount: Amount;
  readonly sequence: number;
  readonly timestamp: number;
  /** For funding: the size of the position. */
  readonly positionText: string | null;
}

const income = new BatchInsert<IncomeRow>({
  table: 'futures_income',
  columns: [
    integerColumn('account_id', ({ accountId }) => accountId),
    wordColumn('type', ({ type }) => type),
    signedColumn('market_id', ({ marketId }) => marketId),
    numberColumn('amount', ({ amount }) => formatAmount(amount)),
    numberColumn('position_quantity', ({ positionText }) => positionText),
    timeColumn('created_at', ({ timestamp }) => timestamp),
    integerColumn('sequence', ({ sequence }) => sequence),
  ],
});

export const futuresIncomeProjection: Projection = {
  name: 'futures_income',
  async project(batch, { statements, directory }) {
    const rows = [...fundingOf(batch, directory), ...transfersOf(batch), ...insuranceOf(batch)];
    if (rows.length === 0) return 0;
    await statements.run(income.statement(rows));
    return rows.length;
  },
};

function fundingOf(batch: OutcomeBatch, directory: Directory): readonly IncomeRow[] {
  return batch.eventsOf('fundingPaid').map(({ event, outcome }) => {
    const { lotSize } = directory.getFuturesMarket(event.marketId);
    const held = formatDecimal((BigInt(event.positionQuantity) * lotSize) as Decimal);
    return {
      type: 'FUNDING_FEE',
      accountId: event.accountId,
      marketId: event.marketId,
      amount: event.amount,
      positionText: held,
      sequence: outcome.sequence,
      timestamp: outcome.timestamp,
    };
  });
}

function transfersOf(batch: OutcomeBatch): readonly IncomeRow[] {
  return batch
    .eventsOf('fundsTransferred')
    .filter(({ event }) => !event.isRepeated)
    .map(({ event, outcome }) => ({
      type: 'TRANSFER',
      accountId: event.accountId,
      marketId: null,
      amount: event.direction === 'spot_to_perp' ? event.amount : toAmount(0n - event.amount),
      positionText: null,
      sequence: outcome.sequence,
      timestamp: outcome.timestamp,
    }));
}

function insuranceOf(batch: OutcomeBatch): readonly IncomeRow[] {
  const rows: IncomeRow[] = [];
  for (const { event, outcome } of batch.eventsOf('insuranceFundChanged')) {
    const amount = clearedAmount(event);
    if (event.accountId === null || amount === 0n) continue;
    rows.push({
      type: 'INSURANCE_CLEAR',
      accountId: event.accountId,
      marketId: null,
      amount,
      positionText: null,
      sequence: outcome.sequence,
      timestamp: outcome.timestamp,
    });
  }
  return rows;
}

const fundingRates = new BatchInsert<PlacedEvent<FundingSettled>>({
  table: 'futures_funding_rates',
  columns: [
    integerColumn('market_id', ({ event }) => event.marketId),
    timeColumn('funding_time', ({ event }) => event.fundingTime),
    numberColumn('funding_rate', ({ event }) => formatRate(event.fundingRate)),
    numberColumn('mark_price', ({ event }) => formatAmount(event.markPrice)),
    integerColumn('sequence', ({ outcome }) => outcome.sequence),
  ],
});

export const futuresFundingRatesProjection: Projection = {
  name: 'futures_funding_rates',
  async project(batch, { statements }) {
    const settled = batch.eventsOf('fundingSettled');
    if (settled.length === 0) return 0;
    await statements.run(fundingRates.statement(settled));
    return settled.length;
  },
};

interface StepRow extends PlacedEvent<LiquidationProgressed> {
  readonly bankruptcyPrice: string | null;
  /** In the market's base asset. */
  readonly quantity: string | null;
}

const steps = new BatchInsert<StepRow>({
  table: 'futures_liquidation_steps',
  columns: [
    integerColumn('account_id', ({ event }) => event.accountId),
    signedColumn('market_id', ({ event }) => event.marketId),
    wordColumn('step', ({ event }) => event.step),
    numberColumn('equity', ({ event }) => formatAmount(event.equity)),
    numberColumn('maintenance_margin', ({ event }) => formatAmount(event.maintenanceMargin)),
    numberColumn('bankruptcy_price', ({ bankruptcyPrice }) => bankruptcyPrice),
    timeColumn('created_at', ({ outcome }) => outcome.timestamp),
    integerColumn('sequence', ({ outcome }) => outcome.sequence),
    integerColumn('close_out_number', ({ event }) => event.number),
    wordColumn('stage', ({ event }) => event.stage),
    numberColumn('quantity', ({ quantity }) => quantity),
    numberColumn('paid_by_fund', ({ event: { paid } }) =>
      paid === undefined ? null : formatAmount(paid),
    ),
  ],
});

/** Every step of a liquidation, so that its account can read what happened. */
export const futuresLiquidationsProjection: Projection = {
  name: 'futures_liquidation_steps',
  async project(batch, { statements, directory }) {
    const rows = batch.eventsOf('liquidationProgressed').map((placed) => {
      const { marketId, bankruptcyPrice: price, lots = null } = placed.event;
      if (marketId === null) return { ...placed, bankruptcyPrice: null, quantity: null };
      const market = directory.getFuturesMarket(marketId);
      return {
        ...placed,
        bankruptcyPrice: price === null ? null : formatPrice(market, price),
        quantity: lots === null ? null : formatQuantity(market, lots),
      };
    });
    if (rows.length === 0) return 0;
    await statements.run(steps.statement(rows));
    return rows.length;
  },
};
