import type { Amount } from '../../domain/amount.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { FuturesOrder } from '../../domain/futures-order.ts';
import type { AccountId, OrderNumber } from '../../domain/identifiers.ts';
import type { Side } from '../../domain/spot-order.ts';
import type { FuturesView } from '../futures-view.ts';
import type { Rules } from '../rules.ts';

/** What an attached take-profit or stop-loss protects. */
export interface Protection {
  /** Null if it waits for a fill of its parent. */
  readonly positionNumber: number | null;
  /** What its parent has filled in that position, in lots. */
  readonly coveredQuantity: number;
}

/** What an audit of the futures side reads beyond the ordinary view. */
export interface FuturesAudit
  extends Omit<
    FuturesView,
    | 'judgeFuturesOrder'
    | 'getRaisedMargin'
    | 'isFuturesMarketSettling'
    | 'areWithdrawalsHeld'
    | 'findCloseOut'
    | 'closingSince'
  > {
  /** The rules by which the next command is applied. */
  readonly rules: Rules;
  /** The highest account number; accounts are numbered from 1. */
  readonly accountCount: number;
  /** USDT that came from spot wallets and has neither gone back nor been paid out. */
  readonly perpFunds: Amount;
  /** The counter cell of the market's realized profits. */
  getClearing(marketId: FuturesMarketId): Amount;
  /** Funding that the market has collected and not paid out. */
  getFundingHeld(marketId: FuturesMarketId): Amount;
  /** Funding due to the account, negative if it is due from it, and not yet booked. */
  getPendingFunding(accountId: AccountId): Amount;
  /** The number of the account's position, or of its last one if it has none; at first 0. */
  getPositionNumber(accountId: AccountId, marketId: FuturesMarketId): number;
  /** What a live attached order protects; null for all other orders. */
  findProtection(orderNumber: OrderNumber): Protection | null;
  /** The side's resting orders in matching order. */
  listRestingFuturesOrders(marketId: FuturesMarketId, side: Side): readonly FuturesOrder[];
}
