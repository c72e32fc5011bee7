import { toAmount } from '../../domain/amount.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { FuturesCommand } from '../futures-commands.ts';
import type { ByRules } from '../rules.ts';
import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';
import { badDebtOf } from './accounts/house-money.ts';
import { isGateShut } from './accounts/withdrawal-gate.ts';
import type { FuturesState } from './futures-state.ts';
import type { FuturesMarketState } from './markets/futures-market-state.ts';
import { priceStateOf } from './pricing/price-state.ts';
import { type ReportedMarket } from './reported-risk.ts';
import { readBig, writeBig } from './snapshot-values.ts';

// Price states, settlements, bad debt and the gate of withdrawals change by many causes, time among
// them. Each is therefore compared at the end of a command with what was last reported.

const isReported: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** Reports the changes since the last report. */
export function reportRisk(state: FuturesState, command: FuturesCommand): void {
  if (!isReported[state.rules] || isCalm(state, command)) return;
  for (const market of state.markets) reportMarket(state, market);
  reportDebt(state);
  reportGate(state);
}

/** Takes everything as it is for reported. */
export function forgetChanges(state: FuturesState): void {
  for (const market of state.markets) market.reported = describe(state, market);
  state.reported = { badDebt: badDebtOf(state), isGateShut: isGateShut(state) };
}

/** An order that moved no price and closed nobody changes none of these. */
function isCalm(state: FuturesState, { type }: FuturesCommand): boolean {
  if (state.hasUnsettled || state.closeOuts.size > 0 || state.reported.isGateShut) return false;
  return type === 'placeFuturesOrder' || type === 'cancelFuturesOrder';
}

function describe(state: FuturesState, market: FuturesMarketState): ReportedMarket {
  const isOver = market.terms.status === 'delisted' ? 'done' : null;
  const phase = market.delisting?.phase ?? isOver;
  return { priceState: priceStateOf(market, state.now), phase };
}

function reportMarket(state: FuturesState, market: FuturesMarketState): void {
  const { priceState, phase } = describe(state, market);
  const { reported } = market;
  const { marketId } = market.terms;
  if (priceState !== reported.priceState) {
    reported.priceState = priceState;
    state.engine.outcome.push({ type: 'priceStateChanged', marketId, priceState });
  }
  if (phase === reported.phase || phase === null) return;
  reported.phase = phase;
  const settlementPrice = market.markPrice === null ? null : toAmount(market.markPrice);
  const type = 'marketSettlementProgressed';
  state.engine.outcome.push({ type, marketId, phase, settlementPrice });
}

function reportDebt(state: FuturesState): void {
  const balance = badDebtOf(state);
  const change = balance - state.reported.badDebt;
  if (change === 0n) return;
  state.reported.badDebt = balance;
  const type = 'badDebtChanged';
  state.engine.outcome.push({ type, balance: toAmount(balance), change: toAmount(change) });
}

function reportGate(state: FuturesState): void {
  const isShut = isGateShut(state);
  if (isShut === state.reported.isGateShut) return;
  state.reported.isGateShut = isShut;
  const until = state.gateUntil > state.now ? (state.gateUntil as TimestampMs) : null;
  state.engine.outcome.push({ type: 'withdrawalGateChanged', isShut, until });
}

const priceStateCodes = ['unpriced', 'fresh', 'held', 'stale', 'final'] as const;
const phaseCodes = [null, 'orders', 'judging', 'closing', 'done'] as const;

/** Encodes what has been reported last, so that a restored engine reports only changes. */
export function encodeReported(writer: ByteWriter, { markets, reported }: FuturesState): void {
  for (const market of markets) {
    writer.writeByte(priceStateCodes.indexOf(market.reported.priceState));
    writer.writeByte(phaseCodes.indexOf(market.reported.phase));
  }
  writeBig(writer, reported.badDebt);
  writer.writeByte(reported.isGateShut ? 1 : 0);
}

/** Decodes what `encodeReported` wrote. */
export function decodeReported(reader: ByteReader, state: FuturesState): void {
  for (const market of state.markets) {
    const priceState = priceStateCodes[reader.readByte()] ?? 'unpriced';
    market.reported = { priceState, phase: phaseCodes[reader.readByte()] ?? null };
  }
  state.reported = { badDebt: readBig(reader) ?? 0n, isGateShut: reader.readByte() === 1 };
}
