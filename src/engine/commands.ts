import type { Amount } from '../domain/amount.ts';
import type { AccountId, Address, MarketId, OrderNumber } from '../domain/identifiers.ts';
import type { Lots, SpotMarketStatus, SpotMarketTerms, Ticks } from '../domain/spot-market.ts';
import type { Side, SpotOrderType, SpotTimeInForce } from '../domain/spot-order.ts';
import type { FuturesCommand } from './futures-commands.ts';
import type { WalletCommand } from './wallet/wallet-commands.ts';

// Everything that can change the exchange. A command carries all the data the engine needs. The
// sequencer adds the sequence and the time when it writes the command to the journal. A rejected
// command changes nothing; `Rejection` lists the reasons.

/**
 * Opens the account of an address. A second one for the same address changes nothing. Never
 * rejected.
 */
export interface OpenAccount {
  readonly type: 'openAccount';
  readonly address: Address;
}

/**
 * Lists a spot market.
 *
 * Rejections: market_terms_invalid, market_units_too_fine, market_exists.
 */
export interface CreateSpotMarket {
  readonly type: 'createSpotMarket';
  readonly terms: SpotMarketTerms;
}

/**
 * Changes a market between listed and halted; delisted is final and cancels the resting orders.
 * Must be sent again while its outcome contains `workDue`.
 *
 * Rejections: market_not_found, market_status_unknown, market_status_final.
 */
export interface SetSpotMarketStatus {
  readonly type: 'setSpotMarketStatus';
  readonly symbol: string;
  readonly status: SpotMarketStatus;
}

/**
 * Credits test money to an account and opens the account if necessary. A reference that has already
 * been used changes nothing.
 *
 * Rejections: amount_not_positive, amount_out_of_range.
 */
export interface CreditBalance {
  readonly type: 'creditBalance';
  readonly address: Address;
  readonly token: string;
  readonly amount: Amount;
  /** Who ordered the credit, for the audit log: admin_api_key or faucet. */
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

/**
 * Places an order. A limit order has a price and a quantity; a market order a quantity or an amount
 * of quote money. If a market order has both, a buy uses the money and a sell the quantity.
 *
 * Rejections: account_not_found, market_not_found, market_halted, market_delisted; missing or
 * invalid terms (limit_price_missing, limit_quantity_missing, market_buy_quote_missing,
 * market_sell_quantity_missing, price_off_tick, quantity_off_lot, amount_not_positive);
 * below_min_notional, duplicate_client_order_id, insufficient_balance, amount_out_of_range,
 * too_many_orders, post_only_would_cross, self_trade.
 */
export interface PlaceSpotOrder extends SpotOrderTerms {
  readonly orderType: SpotOrderType;
  readonly timeInForce: SpotTimeInForce;
  readonly price: Ticks | null;
  readonly quantity: Lots | null;
  readonly quoteQuantity: Amount | null;
}

/**
 * Cancels a resting order of the account, identified by its number.
 *
 * Rejections: order_not_found, order_not_owned.
 */
export interface CancelSpotOrder {
  readonly type: 'cancelSpotOrder';
  readonly accountId: AccountId;
  readonly orderNumber: OrderNumber;
}

/**
 * The maximum number of orders that one cancel-all ends; the event `workDue` reports that more are
 * left.
 */
export const canceledMax = 256;

/**
 * Cancels the account's resting orders in one market, or in all if marketId is null. Must be sent
 * again while its outcome contains `workDue`.
 *
 * Rejections: account_not_found, market_not_found.
 */
export interface CancelAllSpotOrders {
  readonly type: 'cancelAllSpotOrders';
  readonly accountId: AccountId;
  readonly marketId: MarketId | null;
}

/**
 * Applies all further commands by these rules. Rules that are not newer than the state's change
 * nothing. Never rejected; a program that does not have them must not apply it.
 */
export interface UpgradeRules {
  readonly type: 'upgradeRules';
  /** A version of the rules. */
  readonly rules: number;
}

/** All commands of the engine, by `type`. */
export type Command =
  | OpenAccount
  | CreateSpotMarket
  | SetSpotMarketStatus
  | CreditBalance
  | PlaceSpotOrder
  | CancelSpotOrder
  | CancelAllSpotOrders
  | UpgradeRules
  | FuturesCommand
  | WalletCommand;

/** The `type` of a command. */
export type CommandType = Command['type'];
