import { type Amount, formatAmount, zeroAmount } from '../../domain/amount.ts';
import { formatScaled } from '../../domain/decimal.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { CloseOutView } from '../../engine/futures-view.ts';
import { formatTime } from '../format-time.ts';
import type { EngineView } from '../ports/exchange.ts';
import type { FuturesReadPorts } from './futures-ports.ts';
import { type PositionView, sumAmounts, viewPosition } from './futures-views.ts';

// The perp wallet, its positions and their current values, all at one moment.

export interface UnifiedAccountView {
  readonly wallet_balance: string;
  readonly unrealized_profit: string;
  readonly equity: string;
  readonly available_balance: string;
  readonly withdrawable: string;
  readonly initial_margin: string;
  readonly position_margin: string;
  readonly order_margin: string;
  readonly maintenance_margin: string;
  readonly uniMMR: string | null;
  readonly margin_mode: string;
  readonly liquidation: LiquidationView | null;
  readonly positions: readonly PositionView[];
}

/** The stage of the account's close-out: its orders, slices on the book, or everything. */
interface LiquidationView {
  readonly number: number;
  readonly stage: string;
  readonly begun_at: string;
}

/**
 * The account as margin sees it. Margin of resting orders is part of the equity and of
 * `initial_margin`, and is not available.
 * @throws EngineBusyError, EngineRestartingError
 */
export async function loadUnifiedAccount(
  { exchange }: FuturesReadPorts,
  caller: Address,
): Promise<UnifiedAccountView> {
  return exchange.read((view) => {
    const accountId = view.findAccount(caller);
    if (accountId === null) return emptyAccount;
    const account = view.futures.getPerpAccount(accountId);
    const { positionMargin, orderMargin, maintenanceMargin, equity } = account;
    return {
      wallet_balance: formatAmount(account.walletBalance),
      unrealized_profit: formatAmount(account.unrealizedProfit),
      equity: formatAmount(equity),
      available_balance: formatAmount(account.available),
      withdrawable: formatAmount(account.withdrawable),
      initial_margin: formatAmount(sumAmounts(positionMargin, orderMargin)),
      position_margin: formatAmount(positionMargin),
      order_margin: formatAmount(orderMargin),
      maintenance_margin: formatAmount(maintenanceMargin),
      uniMMR: formatMarginRatio(equity, maintenanceMargin),
      margin_mode: 'cross',
      liquidation: viewLiquidation(view.futures.findCloseOut(accountId)),
      positions: viewPositions(view, caller),
    };
  });
}

/** @throws EngineBusyError, EngineRestartingError */
export async function listActivePositions(
  { exchange }: FuturesReadPorts,
  caller: Address,
): Promise<readonly PositionView[]> {
  return exchange.read((view) => viewPositions(view, caller));
}

function viewPositions(view: EngineView, caller: Address): readonly PositionView[] {
  const accountId = view.findAccount(caller);
  if (accountId === null) return [];
  return view.futures
    .listPositions(accountId)
    .filter(({ quantity }) => quantity !== 0)
    .map((position) => viewPosition(position, view.futures.getFuturesMarket(position.marketId)));
}

function viewLiquidation(closeOut: CloseOutView | null): LiquidationView | null {
  if (closeOut === null) return null;
  const { number, stage, begunAt } = closeOut;
  return { number, stage, begun_at: formatTime(begunAt) };
}

const ratioDecimals = 8;

/** Equity over maintenance margin, rounded down; at 1 the account is liquidated. */
function formatMarginRatio(equity: Amount, maintenanceMargin: Amount): string | null {
  if (maintenanceMargin === zeroAmount) return null;
  return formatScaled((equity * 10n ** BigInt(ratioDecimals)) / maintenanceMargin, ratioDecimals);
}

const emptyAccount: UnifiedAccountView = {
  wallet_balance: '0',
  unrealized_profit: '0',
  equity: '0',
  available_balance: '0',
  withdrawable: '0',
  initial_margin: '0',
  position_margin: '0',
  order_margin: '0',
  maintenance_margin: '0',
  uniMMR: null,
  margin_mode: 'cross',
  liquidation: null,
  positions: [],
};
