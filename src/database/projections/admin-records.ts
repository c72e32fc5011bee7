import type { AppliedCommand } from '../../application/ports/exchange.ts';
import { formatAmount } from '../../domain/amount.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import type { FuturesMarket } from '../../domain/futures-market.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import { integerArray, plainArray, quotedArray } from '../array-parameters.ts';
import { formatRate } from '../futures/futures-market-rows.ts';
import type { Directory } from '../projector/directory.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { timestampFrom } from './timestamps.ts';

// Test credits, and every other administrator's command that changed the exchange. There is one
// administrator key, so the actor of an audit row is always the same.

export const adminActor = 'admin_api_key';

const insertCredits = `
  INSERT INTO spot_admin_credits
    (sequence, user_address, token, amount, reason, reference, admin_actor, created_at)
  SELECT sequence, user_address, token, amount, reason, reference, admin_actor,
    ${timestampFrom('created_at')}
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::numeric[], $5::text[], $6::text[],
    $7::text[], $8::bigint[])
    AS batch (sequence, user_address, token, amount, reason, reference, admin_actor, created_at)`;

const insertAudit = `
  INSERT INTO admin_audit (action, detail, admin_actor, sequence, created_at)
  SELECT action, detail, '${adminActor}', sequence, ${timestampFrom('created_at')}
  FROM unnest($1::text[], $2::jsonb[], $3::bigint[], $4::bigint[])
    AS batch (action, detail, sequence, created_at)`;

export const adminCreditsProjection: Projection = {
  name: 'spot_admin_credits',
  async project(batch, { statements, directory }) {
    const credits = creditsOf(batch, directory);
    if (credits.length === 0) return 0;
    await statements.run({
      name: 'insert-admin-credits',
      text: insertCredits,
      values: [
        integerArray(credits.map((credit) => credit.sequence)),
        plainArray(credits.map((credit) => credit.address)),
        quotedArray(credits.map((credit) => credit.token)),
        plainArray(credits.map((credit) => credit.amount)),
        quotedArray(credits.map((credit) => credit.reason)),
        quotedArray(credits.map((credit) => credit.reference)),
        quotedArray(credits.map((credit) => credit.actor)),
        integerArray(credits.map((credit) => credit.timestamp)),
      ],
    });
    return credits.length;
  },
};

export const adminAuditProjection: Projection = {
  name: 'admin_audit',
  async project(batch, { statements, directory }) {
    const rows = auditRowsOf(batch, directory);
    if (rows.length === 0) return 0;
    await statements.run({
      text: insertAudit,
      values: [
        plainArray(rows.map((row) => row.action)),
        quotedArray(rows.map((row) => JSON.stringify(row.detail))),
        integerArray(rows.map((row) => row.outcome.sequence)),
        integerArray(rows.map((row) => row.outcome.timestamp)),
      ],
    });
    return rows.length;
  },
};

function creditsOf(batch: OutcomeBatch, directory: Directory) {
  return batch.eventsOf('balanceCredited').map(({ event, outcome }) => ({
    sequence: outcome.sequence,
    timestamp: outcome.timestamp,
    address: directory.getAddress(event.accountId),
    token: directory.getTokenSymbol(event.tokenId),
    amount: formatAmount(event.amount),
    reason: event.reason,
    reference: event.reference,
    actor: event.actor,
  }));
}

interface AuditRow {
  readonly action: string;
  readonly detail: object;
  readonly outcome: AppliedCommand;
}

function auditRowsOf(batch: OutcomeBatch, directory: Directory): readonly AuditRow[] {
  const created = batch.eventsOf('spotMarketCreated').map(({ event, outcome }) => ({
    action: 'create_spot_market',
    outcome,
    detail: describeMarket(event.market),
  }));
  const changed = batch.eventsOf('spotMarketStatusChanged').map(({ event, outcome }) => ({
    action: 'set_spot_market_status',
    outcome,
    detail: { market: directory.getMarket(event.marketId).symbol, status: event.status },
  }));
  return [...created, ...changed, ...futuresAuditRows(batch, directory)];
}

// A pushed price is not an event, so these rows are derived from the accepted commands.
function futuresAuditRows(batch: OutcomeBatch, directory: Directory): readonly AuditRow[] {
  const created = batch.eventsOf('futuresMarketCreated').map(({ event, outcome }) => ({
    action: 'create_futures_market',
    outcome,
    detail: describeFuturesMarket(event.market),
  }));
  const changed = batch.eventsOf('futuresMarketStatusChanged').map(({ event, outcome }) => ({
    action: 'set_futures_market_status',
    outcome,
    detail: { market: directory.getFuturesMarket(event.marketId).symbol, status: event.status },
  }));
  const moved = batch.eventsOf('houseFundsMoved').map(({ event, outcome }) => ({
    action: 'top_up_insurance_fund',
    outcome,
    detail: {
      amount: formatAmount(event.amount),
      source: event.source,
      repaid: formatAmount(event.repaid),
      reason: event.reason,
      reference: event.reference,
    },
  }));
  const held = batch.eventsOf('withdrawalsHeld').map(({ event, outcome }) => ({
    action: event.isHeld ? 'hold_withdrawals' : 'release_withdrawals',
    outcome,
    detail: { reason: event.reason },
  }));
  const pushed: AuditRow[] = [];
  for (const outcome of batch.outcomes) {
    const { command, rejection } = outcome;
    if (command.type !== 'setIndexPrice' || rejection !== null) continue;
    const detail = { market: command.symbol, price: formatAmount(command.price) };
    pushed.push({ action: 'set_index_price', outcome, detail });
  }
  return [...created, ...changed, ...moved, ...held, ...pushed];
}

function describeFuturesMarket(market: FuturesMarket): object {
  return {
    symbol: market.symbol,
    base_asset: market.baseAsset,
    tick_size: formatDecimal(market.tickSize),
    lot_size: formatDecimal(market.lotSize),
    min_notional: formatAmount(market.minNotional),
    max_notional: formatAmount(market.maxNotional),
    max_leverage: market.maxLeverage,
    maintenance_margin_rate: formatRate(market.maintenanceMarginRate),
    maker_fee_bps: market.makerFeeBps,
    taker_fee_bps: market.takerFeeBps,
  };
}

function describeMarket(market: SpotMarket): object {
  return {
    id: market.symbol,
    base_token: market.baseToken,
    quote_token: market.quoteToken,
    tick_size: formatDecimal(market.tickSize),
    lot_size: formatDecimal(market.lotSize),
    min_notional: formatAmount(market.minNotional),
    maker_fee_bps: market.makerFeeBps,
    taker_fee_bps: market.takerFeeBps,
  };
}
