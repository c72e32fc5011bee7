import { toAmount } from '../../domain/amount.ts';
import type { PriceState } from '../../domain/futures-market.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { FuturesCommand } from '../futures-commands.ts';
import type { SettlementPhase } from '../futures-events.ts';
import type { ByRules } from '../rules.ts';
import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';
import { badDebtOf } from './accounts/house-money.ts';
import { isGateShut } from './accounts/withdrawal-gate.ts';
import type { FuturesState } from './futures-state.ts';
import type { FuturesMarketState } from './markets/futures-market-state.ts';
import { priceStateOf } from './pricing/price-state.ts';
import { readBig, writeBig } from './snapshot-values.ts';

// Price states, settlements, bad debt and the gate of withdrawals change by many causes, time among
// them. Each is therefore compared at the end of a command with what was last reported.

const isTold: ByRules<boolean> = { 11: false, 12: true };

/** What was last reported of a market. */
export interface ToldMarket {
  priceState: PriceState;
  phase: SettlementPhase | null;
}

/** What was last reported of the exchange. */
export interface ToldRisk {
  badDebt: bigint;
  isGateShut: boolean;
}

/** Reports the changes since the last report. */
export function tellRisk(state: FuturesState, command: FuturesCommand): void {
  if (!isTold[state.rules] || isCalm(state, command)) return;
  for (const market of state.markets) tellMarket(state, market);
  tellDebt(state);
  tellGate(state);
}

/** Takes everything as it is for reported. */
export function forgetChanges(state: FuturesState): void {
  for (const market of state.markets) market.told = describe(state, market);
  state.told = { badDebt: badDebtOf(state), isGateShut: isGateShut(state) };
}

/** An order that moved no price and closed nobody changes none of these. */
function isCalm(state: FuturesState, { type }: FuturesCommand): boolean {
  if (state.hasUnsettled || state.closeOuts.size > 0 || state.told.isGateShut) return false;
  return type === 'placeFuturesOrder' || type === 'cancelFuturesOrder';
}

function describe(state: FuturesState, market: FuturesMarketState): ToldMarket {
  const isOver = market.terms.status === 'delisted' ? 'done' : null;
  const phase = market.delisting?.phase ?? isOver;
  return { priceState: priceStateOf(market, state.now), phase };
}

function tellMarket(state: FuturesState, market: FuturesMarketState): void {
  const { priceState, phase } = describe(state, market);
  const { told } = market;
  const { marketId } = market.terms;
  if (priceState !== told.priceState) {
    told.priceState = priceState;
    state.engine.outcome.push({ type: 'priceStateChanged', marketId, priceState });
  }
  if (phase === told.phase || phase === null) return;
  told.phase = phase;
  const settlementPrice = market.markPrice === null ? null : toAmount(market.markPrice);
  const type = 'marketSettlementProgressed';
  state.engine.outcome.push({ type, marketId, phase, settlementPrice });
}

function tellDebt(state: FuturesState): void {
  const balance = badDebtOf(state);
  const change = balance - state.told.badDebt;
  if (change === 0n) return;
  state.told.badDebt = balance;
  const type = 'badDebtChanged';
  state.engine.outcome.push({ type, balance: toAmount(balance), change: toAmount(change) });
}

function tellGate(state: FuturesState): void {
  const isShut = isGateShut(state);
  if (isShut === state.told.isGateShut) return;
  state.told.isGateShut = isShut;
  const until = state.gateUntil > state.now ? (state.gateUntil as TimestampMs) : null;
  state.engine.outcome.push({ type: 'withdrawalGateChanged', isShut, until });
}

const priceStateCodes = ['unpriced', 'fresh', 'held', 'stale', 'final'] as const;
const phaseCodes = [null, 'orders', 'judging', 'closing', 'done'] as const;

export function encodeTold(writer: ByteWriter, { markets, told }: FuturesState): void {
  for (const market of markets) {
    writer.writeByte(priceStateCodes.indexOf(market.told.priceState));
    writer.writeByte(phaseCodes.indexOf(market.told.phase));
  }
  writeBig(writer, told.badDebt);
  writer.writeByte(told.isGateShut ? 1 : 0);
}

export function decodeTold(reader: ByteReader, state: FuturesState): void {
  for (const market of state.markets) {
    const priceState = priceStateCodes[reader.readByte()] ?? 'unpriced';
    market.told = { priceState, phase: phaseCodes[reader.readByte()] ?? null };
  }
  state.told = { badDebt: readBig(reader) ?? 0n, isGateShut: reader.readByte() === 1 };
}
