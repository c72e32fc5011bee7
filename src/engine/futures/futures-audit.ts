import type { Amount } from '../../domain/amount.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { FuturesOrder } from '../../domain/futures-order.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { Side } from '../../domain/spot-order.ts';
import type { FuturesView } from '../futures-view.ts';

/** What an audit of the futures side reads beyond the ordinary view. */
export interface FuturesAudit
  extends Omit<
    FuturesView,
    | 'judgeFuturesOrder'
    | 'isFuturesMarketSettling'
    | 'areWithdrawalsHeld'
    | 'findCloseOut'
    | 'closingSince'
  > {
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
  /** The side's resting orders in matching order. */
  listRestingFuturesOrders(marketId: FuturesMarketId, side: Side): readonly FuturesOrder[];
}
