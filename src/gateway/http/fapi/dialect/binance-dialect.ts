import { formatScaled, parseDecimalValue } from '../../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../../domain/futures-market.ts';
import { binanceAccessErrors, binanceAccessRows } from '../../../errors/binance-access-errors.ts';
import { type ErrorCatalog, type ErrorRow, fillValues } from '../../../errors/error-row.ts';
import { exchangeErrors, exchangeSurface } from '../../../errors/exchange-errors.ts';
import type { FapiFields } from '../fapi-fields.ts';
import { openOrdersMax } from '../get-exchange-info.ts';
import { conditionalTypes } from '../reference/order-words.ts';
import { binanceRows } from './binance-rows.ts';
import type { FapiDialect } from './fapi-dialect.ts';

// FAPI_DIALECT=binance: everything in which /fapi then follows Binance instead of the interface.

/** The rows that replace others or are added to them. */
const binanceDialectErrors = {
  precision: {
    status: 400,
    code: -1111,
    text: 'Precision is over the maximum defined for this asset.',
  },
  priceOffTick: { status: 400, code: -4014, text: 'Price not increased by tick size.' },
  quantityTooSmall: { status: 400, code: -4003, text: 'Quantity less than or equal to zero.' },
  positionSide: {
    status: 400,
    code: -4061,
    text: "Order's position side does not match user's setting.",
  },
  duplicateClientOrderId: { status: 400, code: -4116, text: 'ClientOrderId is duplicated.' },
  conditionalElsewhere: {
    status: 400,
    code: -4120,
    text:
      'Order type not supported for this endpoint. ' +
      'Please use the Algo Order API endpoints instead.',
  },
  notionalTooSmall: {
    status: 400,
    code: -4164,
    text: "Order's notional must be no smaller than the minimum (unless you choose reduce only).",
  },
  wouldTake: {
    status: 400,
    code: -5022,
    text:
      'Due to the order could not be executed as maker, the Post Only order will be rejected. ' +
      'The order will not be recorded in the order history',
  },
} as const satisfies ErrorCatalog;

const errors = binanceDialectErrors;
const conditionalNames: ReadonlySet<string> = new Set([
  ...conditionalTypes,
  'STOP_LIMIT',
  'TAKE_PROFIT_LIMIT',
]);
const bpsPerWhole = 10_000n;
const bpsScale = 4;
const hedgeSides: ReadonlySet<string> = new Set(['LONG', 'SHORT']);

export const binanceDialect: FapiDialect = {
  surface: {
    name: 'exchange',
    catalog: { ...exchangeErrors, ...binanceAccessErrors, ...errors },
    rows: {
      ...exchangeSurface.rows,
      ...binanceAccessRows,
      price_off_tick: errors.priceOffTick,
      quantity_off_lot: errors.quantityTooSmall,
      below_min_notional: errors.notionalTooSmall,
      notional_too_small: errors.notionalTooSmall,
      post_only_would_cross: errors.wouldTake,
      duplicate_client_order_id: errors.duplicateClientOrderId,
    },
    errorBody: (row, { values }) => ({ code: row.code, msg: fillValues(row.text, values) }),
  },
  isListenKeyUnsigned: true,
  areConditionalsApart: true,
  areAmendmentsNamed: true,
  rows: binanceRows,
  areTestOrdersDescribed: true,
  filtersOf,
  refuseOrder,
  orderRows: [errors.conditionalElsewhere, errors.positionSide, errors.precision],
};

/** The price limits beyond which no order trades, and the maximum number of conditional orders. */
function filtersOf({ tradeBandBps }: FuturesMarket): readonly object[] {
  const band = BigInt(tradeBandBps);
  return [
    { filterType: 'MAX_NUM_ALGO_ORDERS', limit: openOrdersMax },
    {
      filterType: 'PERCENT_PRICE',
      multiplierUp: formatScaled(bpsPerWhole + band, bpsScale),
      multiplierDown: formatScaled(band > bpsPerWhole ? 0n : bpsPerWhole - band, bpsScale),
      multiplierDecimal: String(bpsScale),
    },
  ];
}

function refuseOrder(fields: FapiFields, market: FuturesMarket, isAlgo: boolean): ErrorRow | null {
  if (!isAlgo && conditionalNames.has(fields.text('type') ?? '')) {
    return errors.conditionalElsewhere;
  }
  if (hedgeSides.has(fields.text('positionSide') ?? '')) return errors.positionSide;
  return isTooFine(fields, market) ? errors.precision : null;
}

/** Binance refuses a quantity finer than the step; the interface truncates it. */
function isTooFine(fields: FapiFields, { lotSize }: FuturesMarket): boolean {
  const quantity = parseDecimalValue(fields.text('quantity'));
  return quantity !== null && quantity > 0n && quantity % lotSize !== 0n;
}
