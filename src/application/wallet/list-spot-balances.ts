import { formatAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Exchange } from '../ports/exchange.ts';

export interface SpotBalanceView {
  readonly token: string;
  readonly available: string;
  readonly locked: string;
}

/**
 * The caller's balances of every token that was ever non-zero.
 * @throws EngineBusyError, EngineRestartingError
 */
export async function listSpotBalances(
  exchange: Exchange,
  caller: Address,
): Promise<readonly SpotBalanceView[]> {
  return exchange.read((view) => {
    const accountId = view.findAccount(caller);
    if (accountId === null) return [];
    return view.listBalances(accountId).map(({ tokenId, available, locked }) => ({
      token: view.getTokenSymbol(tokenId),
      available: formatAmount(available),
      locked: formatAmount(locked),
    }));
  });
}
