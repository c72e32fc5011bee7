import type { EngineState } from '../../engine-state.ts';
import type { ByRules } from '../../rules.ts';
import { perpFundsMax } from '../risk-limits.ts';
import { perpToken } from './perp-cells.ts';

const isLimited: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** Whether the amount can be added to what the perp wallets and the cells behind them hold. */
export function fitsPerpFunds({ tokens, ledger, rules }: EngineState, amount: bigint): boolean {
  const tokenId = tokens.find(perpToken);
  const held = tokenId === null ? 0n : ledger.perpFundsOf(tokenId);
  return !isLimited[rules] || held + amount <= perpFundsMax;
}
