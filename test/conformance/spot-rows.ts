import { type InterfacePart, row } from './row.ts';

const transferOrder = /transfer: malformed first, then direction, amount, token and balance/;
const chainTroubles = /withdraw: chain troubles in their order/;

export const spotParts: readonly InterfacePart[] = [
  {
    title: 'Spot: endpoints',
    rows: [
      row('POST /spot/orders', /POST \/spot\/orders: a limit order rests/),
      row('DELETE /spot/orders/:id', /DELETE \/spot\/orders\/:id: answers the canceled order/),
      row('DELETE /spot/orders', /DELETE \/spot\/orders: cancels one market or all/),
      row('GET /spot/depth', /GET \/spot\/depth: the best levels first/),
      row('GET /spot/ticker/24hr', /TICKER_NOT_FOUND until the first fill/),
      row('POST /spot/transfer', /transfer: there and back/),
      row('POST /spot/withdraw/request', /withdraw: locks the amount and answers/),
      row(
        'withdrawal lists and states',
        /withdrawals: signed, then completed/,
        /withdrawals: expired only when/,
      ),
    ],
  },
  {
    title: 'Spot: errors',
    rows: [
      row('401 with an empty body', /POST \/spot\/orders: without credentials 401/),
      row('403 transfers not allowed', /transfer: 401 with an empty body without a token, 403/),
      row('403 withdraws not allowed', /withdraw: no token, a foreign one, or a key/),
      row('403 FORBIDDEN', /another user's live order is FORBIDDEN/),
      row('404 MARKET_NOT_FOUND', /'MARKET_NOT_FOUND' for/),
      row('404 TICKER_NOT_FOUND', /TICKER_NOT_FOUND until/),
      row('409 MARKET_HALTED, 410 MARKET_DELISTED', /409 MARKET_HALTED and 410 MARKET_DELISTED/),
      row(
        '400 market.status invalid',
        /market\.status|market_status_unknown|status that nobody knows/,
      ),
      row('400 invalid side', /'invalid side'/),
      row('400 invalid type', /'invalid type'/),
      row('400 invalid tif', /'invalid tif'/),
      row('400 price required for limit', /'price required for limit'/),
      row('400 quantity required for limit', /'quantity required for limit'/),
      row('400 quantity required for market sell', /'quantity required for market sell'/),
      row('400 quote_quantity required for market buy', /'quote_quantity required for market buy'/),
      row('400 INVALID_TICK', /'INVALID_TICK'/),
      row('400 INVALID_LOT', /'INVALID_LOT'/),
      row('400 BELOW_MIN_NOTIONAL', /'BELOW_MIN_NOTIONAL'/),
      row('400 INSUFFICIENT_BALANCE', /'INSUFFICIENT_BALANCE'/),
      row('400 POST_ONLY_REJECT', /'POST_ONLY_REJECT'/),
      row('400 SELF_TRADE', /'SELF_TRADE'/),
      row('400 invalid id', /DELETE \/spot\/orders\/:id: an id that is no UUID/),
      row('404 ORDER_NOT_FOUND', /is ORDER_NOT_FOUND/),
      row('404 not found (withdrawals)', /withdrawals: 400 invalid id, 404 not found/),
      row('503 spot trading disabled', /503 `spot trading disabled`/),
      row(
        '503 ENGINE_BUSY; cancel-all answers an empty list',
        /spot-unavailable.*(ENGINE_BUSY|busy|overflow)/,
      ),
      row('503 ENGINE_RESTARTING', /spot-unavailable.*restart/),
      row(
        '400 invalid direction, amount must be positive, unsupported token, insufficient balance',
        transferOrder,
      ),
      row('400 unsupported token (withdrawal)', /withdraw: unsupported token/),
      row('400 amount below minimum', /withdraw: below the minimum/),
      row('400 insufficient balance (withdrawal)', /withdraw: more than is available/),
      row('409 you have a pending withdrawal', /409 pending/),
      row('409 withdrawal slot conflict', /409 slot con/),
      row(
        '500 chain query failed, signer unavailable, sign failed; 503 not initialized',
        chainTroubles,
      ),
      row('500 DB_ERROR', /spot-unavailable.*DB_ERROR/),
      row(
        '500 internal error on wallet endpoints',
        /withdraw: storage and engine troubles are 500/,
        /transfer: a busy or restarting engine is 500/,
      ),
    ],
  },
];
