import { formatAmount } from '../../domain/amount.ts';
import type { PerpAccountView } from '../../domain/futures-position.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Exchange } from '../ports/exchange.ts';

/** A balance of one wallet, as the `balances` channel also sends it. */
export interface AccountBalanceView {
  readonly market: 'spot' | 'futures';
  readonly token: string;
  readonly available: string;
  readonly locked: string;
  /** Set for the perp wallet only, which has positions. */
  readonly wallet_balance: string | null;
  readonly unrealized_profit: string | null;
  readonly equity: string | null;
  readonly available_balance: string | null;
}

/**
 * The perp wallet and every spot balance that was ever non-zero, all at one moment.
 * @throws EngineBusyError, EngineRestartingError
 */
export async function listAccountBalances(
  exchange: Exchange,
  caller: Address,
): Promise<readonly AccountBalanceView[]> {
  return exchange.read((view) => {
    const accountId = view.findAccount(caller);
    if (accountId === null) return [emptyPerp];
    const spot = view.listBalances(accountId).map(({ tokenId, available, locked }) => ({
      ...noMargin,
      market: 'spot' as const,
      token: view.getTokenSymbol(tokenId),
      available: formatAmount(available),
      locked: formatAmount(locked),
    }));
    return [viewPerpBalance(view.futures.getPerpAccount(accountId)), ...spot];
  });
}

function viewPerpBalance(account: PerpAccountView): AccountBalanceView {
  return {
    ...perpWalletBalance(account),
    wallet_balance: formatAmount(account.walletBalance),
    unrealized_profit: formatAmount(account.unrealizedProfit),
    equity: formatAmount(account.equity),
    available_balance: formatAmount(account.available),
  };
}

/** The perp wallet as money: what is set aside for withdrawals is locked, margin is not. */
export function perpWalletBalance({
  walletBalance,
  reserved,
}: Pick<PerpAccountView, 'walletBalance' | 'reserved'>) {
  return {
    market: 'futures' as const,
    token: 'USDT',
    available: formatAmount(walletBalance),
    locked: formatAmount(reserved),
  };
}

const noMargin = {
  wallet_balance: null,
  unrealized_profit: null,
  equity: null,
  available_balance: null,
};

const emptyPerp: AccountBalanceView = {
  market: 'futures',
  token: 'USDT',
  available: '0',
  locked: '0',
  wallet_balance: '0',
  unrealized_profit: '0',
  equity: '0',
  available_balance: '0',
};
