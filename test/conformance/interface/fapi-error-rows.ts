import type { Part } from '../row.ts';

// Error codes of /fapi.

const order = (title: string) => `fapi-orders > order: ${title}`;
const missing = order('-1102 for each mandatory field that is missing, empty or undefined');
const malformed = order('-1100 for malformed and non-positive numbers');
const cancelRefused =
  "fapi-order-changes > cancel: -2011 for an unknown, ended or another account's order";
const clientId = order('-1100 for a newClientOrderId of 37 characters or with illegal ones');
const filters = order('-1013 names the filter');
const sets = order('-1130 for an unknown side or type, and for a positionSide other than BOTH');
const closePosition = order('-1106 for closePosition beside reduceOnly or quantity, or on another');
const goodTillDate =
  'fapi-batches > algo: GTD needs a goodTillDate in the future, which the answer shows';
const words = 'fapi-order-rules > settings: -1128, -4046 and -4059 with their messages';
const leverage = 'fapi-account > leverage: -4028 below 1 and above the maximum, -1102 malformed';
const revoked = 'fapi-access > listenKey: a revoked key is invalid';
const storage = 'fapi-account > history: -1000, status 500, while the storage is down';
const busy = order('-1001, status 500, while the engine is busy; nothing is placed');

export const fapiErrorParts: readonly Part[] = [
  {
    id: 'fapi-error',
    title: 'Errors: /fapi endpoints',
    rows: [
      ['body', 'Body {code: <negative int>, msg: <string>}', filters],
      ['400', 'Most are HTTP 400', filters, missing],
      [
        '2013-status',
        '-2013 may be 404',
        "fapi-account > history: -2013 for another account's order",
      ],
      ['500', '-1000 and -1001 are 500', storage, busy],
      ['1000', '-1000 UNKNOWN: internal storage error', storage],
      [
        '1001',
        '-1001 DISCONNECTED: internal error; retry',
        busy,
        'fapi-order-rules > order: -1001, status 500, while the engine restarts',
      ],
      ['1013', '-1013 FILTER_FAILURE: begins Filter failure: <FILTER>.', filters],
      ['1013-LOT_SIZE', '-1013 with LOT_SIZE', filters],
      ['1013-MIN_NOTIONAL', '-1013 with MIN_NOTIONAL', filters],
      [
        '1013-exempt',
        'MIN_NOTIONAL: reduce-only exempt',
        order('reduce-only is capped to the position, and exempt from MIN_NOTIONAL'),
      ],
      ['1013-MAX_NOTIONAL', '-1013 with MAX_NOTIONAL', filters],
      [
        '1013-values',
        'The values are in exchangeInfo filters',
        'fapi-market-data > exchangeInfo: each market with PRICE_FILTER, LOT_SIZE',
      ],
      ['1100-quantity', '-1100: malformed quantity', malformed],
      ['1100-price', '-1100: malformed price', malformed],
      ['1100-stopPrice', '-1100: malformed stopPrice', malformed],
      ['1100-orderId', '-1100: malformed orderId', cancelRefused],
      ['1100-goodTillDate', '-1100: malformed goodTillDate', goodTillDate],
      ['1100-positive', '-1100: non-positive number', malformed],
      ['1100-length', '-1100: newClientOrderId longer than 36 chars', clientId],
      ['1100-characters', '-1100: newClientOrderId with illegal chars', clientId],
      [
        '1100-window',
        '-1100: query window over 7 days',
        'fapi-account > history: -1100 for a query window over 7 days, everywhere',
      ],
      ['1102-quantity', '-1102: missing quantity', missing],
      ['1102-price', '-1102: missing price (LIMIT)', missing],
      ['1102-cancel', '-1102: missing orderId/origClientOrderId (cancel)', cancelRefused],
      [
        '1102-query',
        '-1102: missing orderId/origClientOrderId (query)',
        "fapi-account > history: -2013 for another account's order",
      ],
      ['1102-goodTillDate', '-1102: missing goodTillDate with GTD', goodTillDate],
      ['1102-GTD', '-1102: GTD on a regular order', order('-1102 for GTD on a regular order')],
      ['1106-reduceOnly', '-1106: closePosition with reduceOnly', closePosition],
      ['1106-quantity', '-1106: closePosition with quantity', closePosition],
      ['1106-type', '-1106: closePosition on another type', closePosition],
      [
        '1120',
        '-1120 BAD_INTERVAL: invalid kline interval',
        'fapi-market-data > klines: twelve values per candle; -1120 for an unknown interval',
      ],
      ['1121-unknown', '-1121 BAD_SYMBOL: unknown pair', order('-1121 for an unknown symbol')],
      [
        '1121-invalid',
        '-1121: invalid pair',
        'fapi-order-rules > order: -1121 for the pair BTC/USDT, invalid or unknown',
      ],
      ['1125-expired', '-1125 INVALID_LISTEN_KEY: expired', 'fapi-access > listenKey: lives 3600'],
      ['1125-never', '-1125: never created', revoked],
      [
        '1125-again',
        'Re-issued with POST /fapi/v1/listenKey',
        'fapi-access > listenKey: lives 3600',
      ],
      ['1128', '-1128: marginType other than CROSSED / ISOLATED', words],
      ['1130-side', '-1130: unknown side', sets],
      ['1130-type', '-1130: unknown type', sets],
      [
        '1130-algoType',
        '-1130: unknown algoType',
        'fapi-batches > algo: -1102 without algoType, -1130 for another one and for types',
      ],
      ['1130-positionSide', '-1130: positionSide other than BOTH', sets],
      [
        '2010',
        '-2010: GTX order that would match',
        order('-2010 for a GTX order that would match'),
      ],
      ['2011-unknown', '-2011 CANCEL_REJECTED: unknown order', cancelRefused],
      ['2011-terminal', '-2011: already terminal', cancelRefused],
      [
        '2013-absent',
        '-2013 NO_SUCH_ORDER: order absent',
        'fapi-order-changes > amend: -2013 for an order that is absent, ended, or of another account',
      ],
      [
        '2013-modified',
        '-2013: cannot be modified',
        'fapi-order-changes > amend: a trigger order that waits cannot be modified',
      ],
      ['2014', '-2014 DUPLICATE_CLIENT_ORDER_ID', order('-2014 while another active order uses')],
      ['2019', '-2019 MARGIN_NOT_SUFFICIENT', order('-2019 without the margin')],
      ['2021', '-2021 ORDER_WOULD_IMMEDIATELY_TRIGGER', order('-2021 if the trigger is met')],
      ['2022', '-2022 REDUCE_ONLY_REJECT', order('-2022 for reduce-only without an opposite')],
      ['4028-below', '-4028 INVALID_LEVERAGE: below 1', leverage],
      ['4028-above', '-4028: above the symbol maximum', leverage],
      ['4046', '-4046 MARGIN_TYPE_NOT_SUPPORTED: isolated margin', words],
      ['4059', '-4059 POSITION_MODE_NOT_SUPPORTED: hedge mode', words],
      [
        'SLIPPAGE_EXCEEDED-preview',
        'SLIPPAGE_EXCEEDED of the preview',
        'derivatives-preview > preview: within max_slippage it succeeds, beyond it 400 SLIPPAGE_EXCEEDED',
      ],
      [
        'SLIPPAGE_EXCEEDED-order',
        'SLIPPAGE_EXCEEDED of market orders',
        'derivatives-orders > orders: max_slippage stops a market order before it reaches',
      ],
      [
        'WITHDRAWALS_PAUSED',
        '503 SERVICE_UNAVAILABLE with code WITHDRAWALS_PAUSED',
        'perp-withdrawals > pause: 503 WITHDRAWALS_PAUSED on request only',
      ],
    ],
  },
];
