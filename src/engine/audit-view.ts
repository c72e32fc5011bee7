import type { Amount } from '../domain/amount.ts';
import type { MarketId, TokenId } from '../domain/identifiers.ts';
import type { Side, SpotOrder } from '../domain/spot-order.ts';
import type { SpotView } from './engine-view.ts';
import type { ReservedWithdrawal } from './wallet/wallet-state.ts';

/** What an audit reads beyond the ordinary view: whole sums and the books order by order. */
export interface EngineAudit extends SpotView {
  /** Accounts are numbered from 1 to this. */
  readonly accountCount: number;
  /** Tokens are numbered from 0 to one under this. */
  readonly tokenCount: number;
  /** All that was ever credited of the token, less what was withdrawn. */
  getIssued(tokenId: TokenId): Amount;
  /** What of the token lies in perp wallets, and all that stands behind these. */
  getPerpFunds(tokenId: TokenId): Amount;
  /** Fees taken in the token so far; they belong to the exchange. */
  getFeesCollected(tokenId: TokenId): Amount;
  /** Withdrawals under way, by id. */
  listWithdrawals(): readonly ReservedWithdrawal[];
  /** The side's orders in the order in which they would trade. */
  listRestingOrders(marketId: MarketId, side: Side): readonly SpotOrder[];
}
