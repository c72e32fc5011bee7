import type { Amount } from '../domain/amount.ts';
import type { MarketId, TokenId } from '../domain/identifiers.ts';
import type { Side, SpotOrder } from '../domain/spot-order.ts';
import type { SpotView } from './engine-view.ts';
import type { ReservedWithdrawal } from './wallet/wallet-state.ts';

/** What an audit reads beyond the ordinary view: token totals, and the books order by order. */
export interface EngineAudit extends SpotView {
  /** The highest account number; accounts are numbered from 1. */
  readonly accountCount: number;
  /** One more than the highest token number; tokens are numbered from 0. */
  readonly tokenCount: number;
  /** Everything ever credited of the token, less what was withdrawn. */
  getIssued(tokenId: TokenId): Amount;
  /** The part of the token held in perp wallets and in the accounts that back them. */
  getPerpFunds(tokenId: TokenId): Amount;
  /** Fees collected in the token so far; they belong to the exchange. */
  getFeesCollected(tokenId: TokenId): Amount;
  /** Withdrawals in progress, by id. */
  listWithdrawals(): readonly ReservedWithdrawal[];
  /** The side's resting orders in matching order. */
  listRestingOrders(marketId: MarketId, side: Side): readonly SpotOrder[];
}
