import type { Amount } from '../domain/amount.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  Sequence,
  TokenId,
} from '../domain/identifiers.ts';
import type { SpotMarket } from '../domain/spot-market.ts';
import type { SpotOrder } from '../domain/spot-order.ts';
import { type BookDepth } from './book-depth.ts';
import type { FuturesView } from './futures-view.ts';
import type { ReservedWithdrawal } from './wallet/wallet-state.ts';

/** An account's spot balance of one token, in units of 10^-8. */
export interface TokenBalance {
  readonly tokenId: TokenId;
  readonly available: Amount;
  readonly locked: Amount;
}

/** The engine's live state, read-only. Every call is served from memory and changes nothing. */
export interface EngineView extends SpotView {
  readonly futures: FuturesView;
}

/** Accounts, their spot wallets and the spot markets. */
export interface SpotView {
  /** The last command that this state includes. */
  readonly sequence: Sequence;
  /** Null for an address that has never had money or orders here. */
  findAccount(address: Address): AccountId | null;
  /** @throws AssertionError if the account does not exist. */
  getAddress(accountId: AccountId): Address;
  /** Null for a symbol that has never been used here. */
  findToken(symbol: string): TokenId | null;
  /** @throws AssertionError if the token does not exist. */
  getTokenSymbol(tokenId: TokenId): string;
  /** All of the token that is held here, including the exchange's own. */
  getIssued(tokenId: TokenId): Amount;
  /** Looks a market up by its exact (upper-case) symbol. */
  findSpotMarket(symbol: string): SpotMarket | null;
  /** @throws AssertionError if the market does not exist. */
  getSpotMarket(marketId: MarketId): SpotMarket;
  /** By market id, delisted ones included. */
  listSpotMarkets(): readonly SpotMarket[];
  /** Balances that have ever been nonzero, by token id. */
  listBalances(accountId: AccountId): readonly TokenBalance[];
  /** A live (resting) order; finished orders are only in the database. */
  findOpenOrder(orderNumber: OrderNumber): SpotOrder | null;
  /** The account's resting orders by order number, in one market or in all (null). */
  listOpenOrders(accountId: AccountId, marketId: MarketId | null): readonly SpotOrder[];
  /** The number of deposits counted for the account, and the number that the next one carries. */
  countDeposits(accountId: AccountId): number;
  /** Null if nothing is set aside under the id. */
  findWithdrawal(withdrawalId: string): ReservedWithdrawal | null;
  /** At most `levelsMax` levels per side. */
  getDepth(marketId: MarketId, levelsMax: number): BookDepth;
}
