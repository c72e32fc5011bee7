import { amountMax } from '../domain/amount.ts';
import type { TokenId } from '../domain/identifiers.ts';
import type { EngineState } from './engine-state.ts';
import { perpToken } from './futures/accounts/perp-cells.ts';
import { perpTokenMax } from './futures/risk-limits.ts';
import type { ByRules } from './rules.ts';

/** The most that can be issued of the token that perpetuals are settled in. */
const perpTokenLimit: ByRules<bigint> = { 11: amountMax, 12: perpTokenMax };

/** Whether the amount can be issued in addition to what has been issued of the token. */
export function mayIssue(
  { ledger, tokens, rules }: EngineState,
  token: string,
  amount: bigint,
): boolean {
  const tokenId: TokenId | null = tokens.find(token);
  const issued = tokenId === null ? 0n : ledger.issuedOf(tokenId);
  return issued + amount <= (token === perpToken ? perpTokenLimit[rules] : amountMax);
}
