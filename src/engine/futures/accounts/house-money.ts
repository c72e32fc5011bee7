import type { FuturesState } from '../futures-state.ts';
import { perpToken } from './perp-cells.ts';

/**
 * The losses that nobody has paid, never above zero; zero before the wallet's token first came in.
 */
export function badDebtOf({ cells, engine }: FuturesState): bigint {
  return engine.tokens.find(perpToken) === null ? 0n : cells.ledger.balance(cells.badDebt());
}
