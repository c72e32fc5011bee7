import type { HoldWithdrawals } from '../../futures-commands.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesState } from '../futures-state.ts';
import { isSettling } from '../pricing/settling.ts';
import { gateDeficit, gateMs, pauseMs } from '../risk-limits.ts';
import { badDebtOf } from './house-money.ts';

// No money leaves the perp wallets while a loss has no payer yet or never found one, for a minute
// after a large loss, while a broken rule, an audit or a person holds it back, and for a minute
// after that. Deposits, transfers in and money already set aside are never blocked.

/** Whether the gate stays shut for the minute after a hold as well. */
const staysShutAfterHold: ByRules<boolean> = { 11: false, 12: false, 13: true };

/** Whether money can leave the perp wallets now. */
export function isGateShut(state: FuturesState): boolean {
  if (state.areWithdrawalsHeld || state.now < state.gateUntil) return true;
  if (badDebtOf(state) < 0n) return true;
  for (const { deficit } of state.closeOuts.values()) if (deficit > 0n) return true;
  return state.markets.some((market) => isSettling(market));
}

/**
 * Shuts the gate for a broken rule or a reason outside the engine, or ends that: what was wrong can
 * still be paid for, so the gate opens a minute later.
 */
export function holdWithdrawals(state: FuturesState, { isHeld, reason }: HoldWithdrawals): void {
  if (state.areWithdrawalsHeld === isHeld) return;
  state.areWithdrawalsHeld = isHeld;
  if (!isHeld && staysShutAfterHold[state.rules]) shutGate(state);
  state.engine.outcome.push({ type: 'withdrawalsHeld', isHeld, reason });
}

/** Starts the minute for which an event keeps the gate shut. */
export function shutGate(state: FuturesState): void {
  state.gateUntil = state.now + gateMs;
}

/** Keeps the gate shut after a large deficit, even beyond the end of its close-out. */
export function followDeficit(state: FuturesState, deficit: bigint): void {
  if (deficit > gateDeficit) shutGate(state);
}

/** After a pause of the whole exchange, keeps money in until everyone has had time to act. */
export function followPause(state: FuturesState, lastCommandAt: number): void {
  if (lastCommandAt > 0 && state.now - lastCommandAt > pauseMs) shutGate(state);
}
