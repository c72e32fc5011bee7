import { formatAmount } from '../../domain/amount.ts';
import { type Decimal, formatDecimal, parseDecimal } from '../../domain/decimal.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { MarkPriceChanged } from '../../engine/futures-events.ts';
import { integerArray } from '../array-parameters.ts';
import { BatchInsert, integerColumn, numberColumn, timeColumn } from '../batch-insert.ts';
import { amountOf, type StoredFuturesMarket } from '../futures/futures-market-rows.ts';
import type { OutcomeBatch, PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { type SpreadPosition, spreadOf } from './position-spread.ts';
import { timestampFrom } from './timestamps.ts';

// The distribution of a market's positions every five minutes: as of before the command that was
// the first to compute the mark price in them. The state before the batch is read from the tables,
// so this projection comes before those that write them.

const sampleMs = 300_000;

interface Sample {
  readonly market: StoredFuturesMarket;
  readonly sampledAt: number;
  readonly mark: PlacedEvent<MarkPriceChanged>;
}

interface SampleRow extends Sample {
  readonly spread: ReturnType<typeof spreadOf>;
}

interface StoredRow {
  /** What the row contains: a missing sample, a position, or the wallet of an account. */
  readonly kind: 'missing' | 'position' | 'wallet';
  readonly market_id: number | null;
  readonly account_id: string | null;
  readonly amount: string | null;
  readonly sampled_at: string | null;
}

const samples = new BatchInsert<SampleRow>({
  table: 'futures_position_samples',
  columns: [
    integerColumn('market_id', ({ market }) => market.marketId),
    timeColumn('sampled_at', ({ sampledAt }) => sampledAt),
    numberColumn('open_interest', ({ market, spread }) => sizeOf(market, spread.openInterest)),
    numberColumn('mark_price', ({ mark }) => formatAmount(mark.event.markPrice)),
    integerColumn('long_accounts', ({ spread }) => spread.longAccounts),
    integerColumn('short_accounts', ({ spread }) => spread.shortAccounts),
    integerColumn('top_long_accounts', ({ spread }) => spread.topLongAccounts),
    integerColumn('top_short_accounts', ({ spread }) => spread.topShortAccounts),
    numberColumn('top_long_quantity', ({ market, spread }) => sizeOf(market, spread.topLongs)),
    numberColumn('top_short_quantity', ({ market, spread }) => sizeOf(market, spread.topShorts)),
  ],
});

const storedText = `WITH missing AS (
    SELECT market_id, sampled_at FROM unnest($1::bigint[], $2::bigint[]) AS asked (market_id, at),
      LATERAL (SELECT ${timestampFrom('at')} AS sampled_at) AS time
    WHERE NOT EXISTS (SELECT FROM futures_position_samples AS sample
      WHERE sample.market_id = asked.market_id AND sample.sampled_at = time.sampled_at)
  ), held AS (
    SELECT market_id, account_id, quantity FROM futures_positions
    WHERE quantity <> 0 AND market_id IN (SELECT market_id FROM missing)
  )
  SELECT 'missing' AS kind, market_id::integer, NULL::bigint AS account_id, NULL::text AS amount,
    (extract(epoch FROM sampled_at) * 1000)::bigint AS sampled_at FROM missing
  UNION ALL SELECT 'position', market_id, account_id, trim_scale(quantity)::text, NULL FROM held
  UNION ALL SELECT 'wallet', NULL, account_id, trim_scale(wallet_balance)::text, NULL
    FROM accounts JOIN perp_balances ON user_address = address
    WHERE EXISTS (SELECT FROM missing)
      AND (account_id IN (SELECT account_id FROM held) OR account_id = ANY ($3::bigint[]))`;

export const futuresPositionSamplesProjection: Projection = {
  name: 'futures_position_samples',
  async project(batch, { statements, directory }) {
    const due = samplesDue(batch, (marketId) => directory.getFuturesMarket(marketId));
    if (due.length === 0) return 0;
    const touched = batch.eventsOf('positionChanged').map(({ event }) => event.position.accountId);
    const { rows } = await statements.run<StoredRow>({
      name: 'load-position-samples',
      text: storedText,
      values: [
        integerArray(due.map(({ market }) => market.marketId)),
        integerArray(due.map(({ sampledAt }) => sampledAt)),
        integerArray([...new Set(touched)]),
      ],
    });
    const missing = new Set(
      rows.flatMap((row) =>
        row.kind === 'missing' ? [keyOf(row.market_id ?? 0, Number(row.sampled_at))] : [],
      ),
    );
    const taken = due
      .filter(({ market, sampledAt }) => missing.has(keyOf(market.marketId, sampledAt)))
      .map((sample) => ({ ...sample, spread: spreadOf(positionsAt(sample, batch, rows)) }));
    if (taken.length > 0) await statements.run(samples.statement(taken));
    return taken.length;
  },
};

function keyOf(marketId: number, sampledAt: number): string {
  return `${marketId} ${sampledAt}`;
}

/** The first computation of each market's mark price in each five minutes of the batch. */
function samplesDue(
  batch: OutcomeBatch,
  marketOf: (marketId: FuturesMarketId) => StoredFuturesMarket,
): readonly Sample[] {
  const due = new Map<string, Sample>();
  for (const mark of batch.eventsOf('markPriceChanged')) {
    const { marketId } = mark.event;
    const sampledAt = Math.floor(mark.outcome.timestamp / sampleMs) * sampleMs;
    const key = keyOf(marketId, sampledAt);
    if (!due.has(key)) due.set(key, { market: marketOf(marketId), sampledAt, mark });
  }
  return [...due.values()];
}

/** The market's positions right before the sample's command. */
function positionsAt(
  { market, mark }: Sample,
  batch: OutcomeBatch,
  stored: readonly StoredRow[],
): readonly SpreadPosition[] {
  const lots = new Map<AccountId, bigint>();
  const wallets = new Map<AccountId, bigint>();
  for (const { kind, market_id, account_id, amount } of stored) {
    const accountId = Number(account_id) as AccountId;
    if (kind === 'wallet') wallets.set(accountId, amountOf(amount ?? '0'));
    if (kind !== 'position' || market_id !== market.marketId) continue;
    lots.set(accountId, (parseDecimal(amount ?? '0') ?? 0n) / market.lotSize);
  }
  const { sequence } = mark.outcome;
  for (const { event, outcome } of batch.eventsOf('positionChanged')) {
    const { marketId, accountId, quantity } = event.position;
    if (outcome.sequence >= sequence || marketId !== market.marketId) continue;
    lots.set(accountId, BigInt(quantity));
  }
  for (const { event, outcome } of batch.eventsOf('perpBalanceChanged')) {
    if (outcome.sequence < sequence) wallets.set(event.accountId, event.walletBalance);
  }
  return [...lots].map(([accountId, quantity]) => ({
    accountId,
    quantity,
    walletBalance: wallets.get(accountId) ?? 0n,
  }));
}

function sizeOf({ lotSize }: StoredFuturesMarket, lots: bigint): string {
  return formatDecimal((lots * lotSize) as Decimal);
}
