import type { Amount } from '../../domain/amount.ts';
import {
  type FuturesMarketStatus,
  type FuturesMarketTerms,
  futuresMarketStatuses,
} from '../../domain/futures-market.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { EngineEvent } from '../../engine/events.ts';
import { type AdminWritePorts, submitWrite } from '../admin/admin-write.ts';
import { findMarket } from './futures-ports.ts';

// Administration of futures markets. Symbols are accepted in any letter case and stored in upper
// case.

const symbolPattern = /^[A-Z0-9]{2,20}$/;

/**
 * Creates a market, listed at once; returns its symbol.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing was created.
 */
export async function createFuturesMarket(
  ports: AdminWritePorts,
  terms: FuturesMarketTerms,
): Promise<Outcome<string>> {
  const symbol = terms.symbol.toUpperCase();
  if (!symbolPattern.test(symbol)) {
    return refused({ reason: 'parameter_invalid', detail: 'symbol: 2 to 20 letters and digits' });
  }
  const isTaken = ports.exchange.peek((view) => findMarket(view, symbol)) !== null;
  if (isTaken) return refused({ reason: 'market_exists' });
  const applied = await submitWrite(ports, {
    type: 'createFuturesMarket',
    terms: { ...terms, symbol },
  });
  return applied.kind === 'refused' ? applied : done(symbol);
}

export interface StatusChange {
  readonly status: string;
  /** Only for a delisting; null to settle by the market's own prices. */
  readonly settlementPrice: Amount | null;
  /** Only for a delisting; null for now. */
  readonly effectiveAt: TimestampMs | null;
}

/**
 * Halts, relists or delists a market. Setting the current status succeeds.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing changed.
 */
export async function setFuturesMarketStatus(
  ports: AdminWritePorts,
  symbolText: string,
  change: StatusChange,
): Promise<Outcome<FuturesMarketStatus>> {
  const { settlementPrice, effectiveAt } = change;
  const status = futuresMarketStatuses.find((known) => known === change.status);
  if (status === undefined) return refused({ reason: 'market_status_not_allowed' });
  if (status !== 'delisted' && (settlementPrice !== null || effectiveAt !== null)) {
    const detail = 'settlement_price and effective_at belong to a delisting';
    return refused({ reason: 'parameter_invalid', detail });
  }
  const market = ports.exchange.peek((view) => findMarket(view, symbolText));
  if (market === null) return refused({ reason: 'market_not_found' });
  const { symbol } = market;
  const applied = await submitWrite(ports, {
    type: 'setFuturesMarketStatus',
    symbol,
    status,
    settlementPrice,
    effectiveAt,
  });
  return applied.kind === 'refused' ? applied : done(status);
}

/**
 * Pushes a market's index price, which is applied, or held until another push confirms it.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing changed.
 */
export async function setIndexPrice(
  ports: AdminWritePorts,
  symbolText: string,
  price: Amount,
): Promise<Outcome<'taken' | 'held'>> {
  const market = ports.exchange.peek((view) => findMarket(view, symbolText));
  if (market === null) return refused({ reason: 'market_not_found' });
  const { symbol } = market;
  const applied = await submitWrite(ports, { type: 'setIndexPrice', symbol, price });
  return applied.kind === 'refused'
    ? applied
    : done(wasHeld(applied.value.events) ? 'held' : 'taken');
}

function wasHeld(events: readonly EngineEvent[]): boolean {
  return events.some(({ type }) => type === 'indexPriceHeld');
}
