import type { Amount } from '../domain/amount.ts';
import type { AccountId, Address, MarketId, OrderNumber } from '../domain/identifiers.ts';
import type { Lots, SpotMarketStatus, SpotMarketTerms, Ticks } from '../domain/spot-market.ts';
import type { Side, SpotOrderType, SpotTimeInForce } from '../domain/spot-order.ts';
import type { FuturesCommand } from './futures-commands.ts';
import type { WalletCommand } from './wallet/wallet-commands.ts';

// Everything that can change the exchange. A command carries all that the engine must know; the
// sequencer adds the sequence and the time when it writes the command into the journal.

/** Opens the account of an address; a second one for the same address changes nothing. */
export interface OpenAccount {
  readonly type: 'openAccount';
  readonly address: Address;
}

export interface CreateSpotMarket {
  readonly type: 'createSpotMarket';
  readonly terms: SpotMarketTerms;
}

/**
 * Listed and halted change into each other; delisted is final and cancels resting orders. To be
 * sent again while its outcome has `workDue`.
 */
export interface SetSpotMarketStatus {
  readonly type: 'setSpotMarketStatus';
  readonly symbol: string;
  readonly status: SpotMarketStatus;
}

/** Test money for an account, opened where needed; the same reference counts once. */
export interface CreditBalance {
  readonly type: 'creditBalance';
  readonly address: Address;
  readonly token: string;
  readonly amount: Amount;
  /** Who ordered it, for the audit row: admin_api_key or faucet. */
  readonly actor: string;
  readonly reason: string | null;
  readonly reference: string | null;
}

interface SpotOrderTerms {
  readonly type: 'placeSpotOrder';
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly clientOrderId: string | null;
}

/** A limit order carries price and quantity; a market sell quantity; a market buy money. */
export interface PlaceSpotOrder extends SpotOrderTerms {
  readonly orderType: SpotOrderType;
  readonly timeInForce: SpotTimeInForce;
  readonly price: Ticks | null;
  readonly quantity: Lots | null;
  readonly quoteQuantity: Amount | null;
}

export interface CancelSpotOrder {
  readonly type: 'cancelSpotOrder';
  readonly accountId: AccountId;
  readonly orderNumber: OrderNumber;
}

/** The most orders that one cancel-all ends; an event `workDue` says where more are due. */
export const canceledMax = 256;

/**
 * Cancels the account's resting orders in one market, or in all where marketId is null; to be sent
 * again while its outcome has `workDue`.
 */
export interface CancelAllSpotOrders {
  readonly type: 'cancelAllSpotOrders';
  readonly accountId: AccountId;
  readonly marketId: MarketId | null;
}

export type Command =
  | OpenAccount
  | CreateSpotMarket
  | SetSpotMarketStatus
  | CreditBalance
  | PlaceSpotOrder
  | CancelSpotOrder
  | CancelAllSpotOrders
  | FuturesCommand
  | WalletCommand;

export type CommandType = Command['type'];
