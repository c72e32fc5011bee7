import type { Amount } from '../domain/amount.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  Sequence,
  TokenId,
} from '../domain/identifiers.ts';
import type { Lots, SpotMarket, Ticks } from '../domain/spot-market.ts';
import type { SpotOrder } from '../domain/spot-order.ts';
import type { FuturesView } from './futures-view.ts';
import type { ReservedWithdrawal } from './wallet/wallet-state.ts';

export interface TokenBalance {
  readonly tokenId: TokenId;
  readonly available: Amount;
  readonly locked: Amount;
}

export interface BookLevel {
  readonly price: Ticks;
  readonly quantity: Lots;
}

export interface BookDepth {
  readonly lastUpdateId: number;
  /** Best first: highest bid, lowest ask. */
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/** The engine's live state, for reading only. Every call is in memory and changes nothing. */
export interface EngineView extends SpotView {
  readonly futures: FuturesView;
}

/** Accounts, their spot wallets and the spot markets. */
export interface SpotView {
  readonly sequence: Sequence;
  findAccount(address: Address): AccountId | null;
  getAddress(accountId: AccountId): Address;
  findToken(symbol: string): TokenId | null;
  getTokenSymbol(tokenId: TokenId): string;
  /** All of the token that anybody has here, the house included. */
  getIssued(tokenId: TokenId): Amount;
  findSpotMarket(symbol: string): SpotMarket | null;
  getSpotMarket(marketId: MarketId): SpotMarket;
  listSpotMarkets(): readonly SpotMarket[];
  /** Balances that were ever other than zero, by token id. */
  listBalances(accountId: AccountId): readonly TokenBalance[];
  /** A live (resting) order; finished orders stand in the database only. */
  findOpenOrder(orderNumber: OrderNumber): SpotOrder | null;
  /** The account's resting orders by order number, of one market or of all (null). */
  listOpenOrders(accountId: AccountId, marketId: MarketId | null): readonly SpotOrder[];
  /** How many of the account's deposits are counted; the next one carries this number. */
  countDeposits(accountId: AccountId): number;
  /** Null where nothing is set aside under the id. */
  findWithdrawal(withdrawalId: string): ReservedWithdrawal | null;
  getDepth(marketId: MarketId, levelsMax: number): BookDepth;
}
