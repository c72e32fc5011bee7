import type { Part } from '../row.ts';

// The rules of POST /fapi/v1/order.

const admission = 'fapi-order-rules > rule 1: lot size, min and max notional are judged before';
const taken = 'fapi-orders > order: the answer has every field, its quantity truncated to the lot';
const filters = 'fapi-orders > order: -1013 names the filter';
const reduceFilters = 'fapi-order-rules > rule 2: LOT_SIZE and MAX_NOTIONAL apply to reduce-only';
const exempt = 'fapi-orders > order: reduce-only is capped to the position, and exempt from MIN';
const flags =
  "fapi-order-rules > rule 2: reduceOnly is accepted as true, false, 'true' and 'false'";
const capped =
  'fapi-order-rules > rule 2: an order that would open a position is -2022, one that would flip it is capped to it';
const kept =
  'fapi-order-rules > rule 5: clientOrderId, timeInForce and avgPrice are returned by query and all-orders';
const timeInForce = (words: string) => `fapi-order-rules > rule 3: ${words}`;
const goodTillDate = timeInForce('GTD is for algo orders; on a regular order it is -1102');
const triggerMet = 'fapi-orders > order: -2021 if the trigger is met already';
const aliases = 'fapi-orders > order: STOP_LIMIT and TAKE_PROFIT_LIMIT are STOP and TAKE_PROFIT';
const closePosition =
  'fapi-orders > order: -1106 for closePosition beside reduceOnly or quantity, or on another type';
const closes =
  'fapi-order-rules > rule 4: closePosition is accepted for STOP_MARKET and TAKE_PROFIT_MARKET, without a quantity';

export const orderRuleParts: readonly Part[] = [
  {
    id: 'order-rule',
    title: 'POST /fapi/v1/order rules',
    rows: [
      ['1-before', 'Lot size, min and max notional are checked before the matching', admission],
      ['1-lot', 'A quantity is rounded down to the lot grid, not rejected', taken],
      ['1-notional', 'A notional out of bounds gives -1013', filters, admission],
      ['2-exempt', 'reduceOnly=true orders are exempt from MIN_NOTIONAL', exempt, reduceFilters],
      ['2-filters', 'LOT_SIZE and MAX_NOTIONAL still apply', reduceFilters],
      ['2-form', "reduceOnly accepts true, false, 'true', 'false'", flags],
      ['2-capped', 'A reduce-only order is capped to the opposite-side position', capped, exempt],
      ['2-rejected', 'One that would open a position is rejected (-2022)', capped],
      ['3-gtc', 'timeInForce accepts GTC', timeInForce('GTC at 90 is accepted and ends NEW')],
      ['3-ioc', 'timeInForce accepts IOC', timeInForce('IOC at 101 is accepted and ends FILLED')],
      [
        '3-fok',
        'timeInForce accepts FOK',
        timeInForce('FOK at 101 is accepted and ends FILLED'),
        timeInForce('FOK at 90 is accepted and ends EXPIRED'),
      ],
      ['3-gtx', 'timeInForce accepts GTX', timeInForce('GTX at 90 is accepted and ends NEW')],
      [
        '3-post-only',
        'GTX (post-only) crossing the book is rejected with -2010',
        'fapi-orders > order: -2010 for a GTX order that would match at once',
      ],
      ['3-gtd', 'GTD only for algo orders; -1102 on a regular order', goodTillDate],
      [
        '4-met',
        'A trigger order whose condition is already met is rejected with -2021',
        triggerMet,
      ],
      ['4-aliases', 'STOP_LIMIT and TAKE_PROFIT_LIMIT are aliases', aliases],
      [
        '4-stopPrice',
        'stopPrice is honored for trigger orders',
        'fapi-order-rules > rule 4: stopPrice is honored: nothing happens before it, the order',
      ],
      [
        '4-closePosition',
        'closePosition only on STOP_MARKET / TAKE_PROFIT_MARKET',
        closes,
        closePosition,
      ],
      ['4-excludes', 'closePosition excludes reduceOnly and quantity', closePosition],
      ['5-kept', 'newClientOrderId, timeInForce and average price are persisted', kept],
      [
        '5-average',
        'Query and all-orders return the same stored average price',
        'fapi-orders > order: query and all-orders show the same stored average price',
        kept,
      ],
      ['5-round-trip', 'clientOrderId round-trips', kept],
      [
        '5-shard',
        "Writes are routed transparently to the process holding the symbol's shard",
        'cluster-exchange > cluster: a write at any process reaches the owner and is answered by',
      ],
    ],
  },
];
