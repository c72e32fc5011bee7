import type { ErrorCatalog } from './error-row.ts';

/** Errors of derivatives on the general endpoints; /fapi has its own numbers for them. */
export const futuresErrors = {
  sideMismatch: { status: 400, code: 'SIDE_MISMATCH', text: 'The order has the opposite side' },
  notionalTooSmall: {
    status: 400,
    code: 'BELOW_MIN_NOTIONAL',
    text: 'Price times quantity is below the minimum of the market',
  },
  notionalTooLarge: {
    status: 400,
    code: 'ABOVE_MAX_NOTIONAL',
    text: 'Price times quantity is above the maximum of the market',
  },
  positionTooLarge: {
    status: 400,
    code: 'POSITION_LIMIT_EXCEEDED',
    text: 'The position would be larger than the leverage allows',
  },
  insufficientMargin: {
    status: 400,
    code: 'INSUFFICIENT_MARGIN',
    text: 'The available balance does not cover the margin',
  },
  wouldTriggerImmediately: {
    status: 400,
    code: 'WOULD_TRIGGER_IMMEDIATELY',
    text: 'The trigger price is already reached',
  },
  nothingToReduce: {
    status: 400,
    code: 'REDUCE_ONLY_REJECTED',
    text: 'There is no position on the opposite side to reduce',
  },
  leverageOutOfRange: {
    status: 400,
    code: 'INVALID_LEVERAGE',
    text: 'Leverage is below 1 or above the maximum of the market',
  },
  priceStale: {
    status: 400,
    code: 'INDEX_PRICE_STALE',
    text: 'The index price is older than 60 seconds or not confirmed: only orders that reduce are taken',
  },
  priceMissing: {
    status: 400,
    code: 'INDEX_PRICE_MISSING',
    text: 'The market has no index price yet',
  },
  marketSettling: {
    status: 409,
    code: 'MARKET_SETTLING',
    text: 'The market is settling a price move',
  },
  marketDelisting: {
    status: 409,
    code: 'MARKET_DELISTING',
    text: 'The market is about to be delisted: only orders that reduce are taken',
  },
  settlementPriceRequired: {
    status: 400,
    code: 'SETTLEMENT_PRICE_REQUIRED',
    text: 'The market has too few index prices to settle its positions by: give settlement_price',
  },
  slippageExceeded: {
    status: 400,
    code: 'SLIPPAGE_EXCEEDED',
    text: 'The book would fill the order at a worse price than max_slippage allows',
  },
  noOppositePrice: {
    status: 400,
    code: 'NO_LIQUIDITY',
    text: 'There is no price to trade at',
  },
  noPriceToMatch: {
    status: 400,
    code: 'NO_PRICE_TO_MATCH',
    text: 'The book does not have the level that priceMatch names',
  },
  tooManyOrders: { status: 400, code: 'TOO_MANY_ORDERS', text: 'Too many open orders' },
  orderNotAmendable: {
    status: 400,
    code: 'ORDER_NOT_AMENDABLE',
    text: 'The order cannot be modified',
  },
  accountInLiquidation: {
    status: 409,
    code: 'ACCOUNT_IN_LIQUIDATION',
    text: 'The account is being liquidated',
  },
  marginModeNotSupported: {
    status: 400,
    code: 'MARGIN_MODE_NOT_SUPPORTED',
    text: 'Margin is cross only',
  },
} as const satisfies ErrorCatalog;

/** The rows of those errors, shared by the plain and the envelope family. */
export const futuresRows = {
  side_mismatch: futuresErrors.sideMismatch,
  notional_too_small: futuresErrors.notionalTooSmall,
  notional_too_large: futuresErrors.notionalTooLarge,
  position_too_large: futuresErrors.positionTooLarge,
  insufficient_margin: futuresErrors.insufficientMargin,
  would_trigger_immediately: futuresErrors.wouldTriggerImmediately,
  nothing_to_reduce: futuresErrors.nothingToReduce,
  leverage_out_of_range: futuresErrors.leverageOutOfRange,
  index_price_stale: futuresErrors.priceStale,
  index_price_missing: futuresErrors.priceMissing,
  market_settling: futuresErrors.marketSettling,
  market_delisting: futuresErrors.marketDelisting,
  settlement_price_required: futuresErrors.settlementPriceRequired,
  slippage_exceeded: futuresErrors.slippageExceeded,
  no_opposite_price: futuresErrors.noOppositePrice,
  no_price_to_match: futuresErrors.noPriceToMatch,
  too_many_orders: futuresErrors.tooManyOrders,
  order_not_amendable: futuresErrors.orderNotAmendable,
  account_in_liquidation: futuresErrors.accountInLiquidation,
} as const;
