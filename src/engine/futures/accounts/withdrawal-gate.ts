import type { HoldWithdrawals } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';
import { isSettling } from '../pricing/settling.ts';
import { gateDeficit, gateMs, pauseMs } from '../risk-limits.ts';
import { badDebtOf } from './house-money.ts';

// Nothing leaves the perp wallets while somebody's loss has no payer yet, or never found one, for a
// minute after a large one, and while an audit or a person holds it back. Deposits, transfers in
// and money that was set aside before are never held up.

export function isGateShut(state: FuturesState): boolean {
  if (state.areWithdrawalsHeld || state.now < state.gateUntil) return true;
  if (badDebtOf(state) < 0n) return true;
  for (const { deficit } of state.closeOuts.values()) if (deficit > 0n) return true;
  return state.markets.some((market) => isSettling(market));
}

/** Shuts the gate, or opens it again, for a reason that the engine does not know of. */
export function holdWithdrawals(state: FuturesState, { isHeld, reason }: HoldWithdrawals): void {
  if (state.areWithdrawalsHeld === isHeld) return;
  state.areWithdrawalsHeld = isHeld;
  state.engine.outcome.push({ type: 'withdrawalsHeld', isHeld, reason });
}

/** The minute after an event that shuts the gate begins now. */
export function keepGateShut(state: FuturesState): void {
  state.gateUntil = state.now + gateMs;
}

/** A deficit that was large keeps the gate shut beyond the end of its close-out. */
export function followDeficit(state: FuturesState, deficit: bigint): void {
  if (deficit > gateDeficit) keepGateShut(state);
}

/** After a pause of the whole exchange nobody takes out before the others could act. */
export function followPause(state: FuturesState, lastCommandAt: number): void {
  if (lastCommandAt > 0 && state.now - lastCommandAt > pauseMs) keepGateShut(state);
}
