import type { Reason } from '../errors/surface.ts';

// Reasons that several endpoints of a surface share, for the reference page.

/** For every endpoint that names a market. */
export const marketRefusals: readonly Reason[] = ['market_not_found'];

/** Placing a spot order, in the order of the checks. */
export const spotOrderRefusals: readonly Reason[] = [
  'market_not_found',
  'spot_trading_disabled',
  'market_halted',
  'market_delisted',
  'market_status_unknown',
  'side_unknown',
  'order_type_unknown',
  'time_in_force_unknown',
  'limit_price_missing',
  'limit_quantity_missing',
  'market_sell_quantity_missing',
  'market_buy_quote_missing',
  'price_off_tick',
  'quantity_off_lot',
  'below_min_notional',
  'insufficient_balance',
  'duplicate_client_order_id',
  'too_many_orders',
  'post_only_would_cross',
  'self_trade',
];

/** Placing an order of a perpetual. */
export const perpetualOrderRefusals: readonly Reason[] = [
  'market_not_found',
  'market_halted',
  'market_delisted',
  'price_off_tick',
  'quantity_off_lot',
  'duplicate_client_order_id',
  'too_many_orders',
  'would_trigger_immediately',
  'nothing_to_reduce',
  'index_price_stale',
  'index_price_missing',
  'market_settling',
  'market_delisting',
  'notional_too_small',
  'notional_too_large',
  'post_only_would_cross',
  'insufficient_margin',
  'slippage_exceeded',
  'no_opposite_price',
  'leverage_out_of_range',
  'account_in_liquidation',
  'self_trade',
  'no_price_to_match',
  'position_too_large',
];
