/**
 * Why the exchange refuses a command, in domain terms and without HTTP. Each API of the gateway
 * maps every reason to its own status, code and text.
 */
export type Rejection =
  | { readonly reason: 'account_not_found' }
  | { readonly reason: 'market_not_found' }
  | { readonly reason: 'market_halted' }
  | { readonly reason: 'market_delisted' }
  | { readonly reason: 'market_status_unknown' }
  | { readonly reason: 'market_exists' }
  | { readonly reason: 'market_units_too_fine' }
  /**
   * Base and quote are the same, a fee is outside 0 to 10000 bps, or units or a minimum are out of
   * range.
   */
  | { readonly reason: 'market_terms_invalid' }
  | { readonly reason: 'market_status_final' }
  | { readonly reason: 'market_status_not_allowed' }
  | { readonly reason: 'ticker_not_found' }
  | { readonly reason: 'spot_trading_disabled' }
  | { readonly reason: 'side_unknown' }
  | { readonly reason: 'order_type_unknown' }
  | { readonly reason: 'time_in_force_unknown' }
  | { readonly reason: 'limit_price_missing' }
  | { readonly reason: 'limit_quantity_missing' }
  | { readonly reason: 'market_sell_quantity_missing' }
  | { readonly reason: 'market_buy_quote_missing' }
  | { readonly reason: 'price_off_tick' }
  | { readonly reason: 'quantity_off_lot' }
  | { readonly reason: 'below_min_notional' }
  | { readonly reason: 'duplicate_client_order_id' }
  | { readonly reason: 'insufficient_balance' }
  | { readonly reason: 'post_only_would_cross' }
  | { readonly reason: 'self_trade' }
  | { readonly reason: 'order_not_found' }
  | { readonly reason: 'order_not_owned' }
  | { readonly reason: 'amount_not_positive' }
  | { readonly reason: 'amount_out_of_range' }
  | { readonly reason: 'deposit_out_of_turn' }
  | { readonly reason: 'withdrawal_under_way' }
  /** A loss has no payer yet, or never found one: nothing can leave the perp wallets. */
  | { readonly reason: 'withdrawals_gated' }
  | { readonly reason: 'withdrawal_not_under_way' }
  | { readonly reason: 'test_credits_disabled' }
  | { readonly reason: 'too_soon'; readonly retryAfterMs: number }
  | { readonly reason: 'side_mismatch' }
  | { readonly reason: 'notional_too_small' }
  | { readonly reason: 'notional_too_large' }
  /** The position would be larger than its leverage allows. */
  | { readonly reason: 'position_too_large' }
  | { readonly reason: 'insufficient_margin' }
  | { readonly reason: 'would_trigger_immediately' }
  | { readonly reason: 'nothing_to_reduce' }
  | { readonly reason: 'leverage_out_of_range' }
  | { readonly reason: 'index_price_stale' }
  /** The market never had a price. */
  | { readonly reason: 'index_price_missing' }
  /** A price move is being settled: positions are judged and closed before trading resumes. */
  | { readonly reason: 'market_settling' }
  /** A delisting is near: only orders that reduce are accepted. */
  | { readonly reason: 'market_delisting' }
  /** The market has too few index prices to compute a settlement price. */
  | { readonly reason: 'settlement_price_required' }
  | { readonly reason: 'slippage_exceeded' }
  | { readonly reason: 'no_opposite_price' }
  /** The book lacks the level that the order takes its price from. */
  | { readonly reason: 'no_price_to_match' }
  | { readonly reason: 'too_many_orders' }
  | { readonly reason: 'order_not_amendable' }
  | { readonly reason: 'account_in_liquidation' }
  /** A well-formed value that is not valid here; the detail names the field and the limit. */
  | { readonly reason: 'parameter_invalid'; readonly detail: string };

/** The code of a rejection, without its details. */
export type RejectionReason = Rejection['reason'];
