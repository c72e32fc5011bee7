import { type Static, Type } from 'typebox';
import { type FuturesPorts, peekMarket } from '../../../application/futures/futures-ports.ts';
import { type OrderExtras, placeOrder } from '../../../application/futures/place-order.ts';
import { done, type Outcome, refused } from '../../../domain/outcome.ts';
import { accountTrades, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { FapiFields } from '../fapi/fapi-fields.ts';
import { readOrder } from '../fapi/read-order.ts';
import { readOptional, readPositiveDecimal } from '../read-decimal.ts';
import { perpetualOrderRefusals } from '../refusals.ts';
import { strictObject } from '../schema.ts';
import { placedOrderSchema, symbolInput } from './derivative-schemas.ts';
import { readMaxSlippage } from './read-max-slippage.ts';

const word = (description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] }),
  );
const decimal = (description: string, example: string) =>
  Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      maxLength: 50,
      description,
      examples: [example],
    }),
  );
const flag = (description: string) =>
  Type.Optional(
    Type.Unsafe<boolean | string | null>({
      type: ['boolean', 'string', 'null'],
      description,
      examples: [true],
    }),
  );

const exampleOrder = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.25',
  price: '64000.5',
  leverage: 10,
  newClientOrderId: 'bot-1:42',
  take_profit_price: '70000',
  stop_loss_price: '60000',
};

// Names and enum values are those of /fapi, read by the same code; each error is specific.
const orderBody = strictObject(
  {
    symbol: symbolInput,
    side: word('BUY or SELL', 'BUY'),
    type: word('As on /fapi: LIMIT, MARKET, STOP, STOP_MARKET...', 'LIMIT'),
    timeInForce: word('GTC (default), IOC, FOK, GTX; GTD for trigger orders only', 'GTC'),
    goodTillDate: Type.Optional(
      Type.Unsafe<number | string | null>({
        type: ['integer', 'string', 'null'],
        pattern: '^[0-9]{1,15}$',
        description: 'With GTD: the expiry in milliseconds since 1970, more than 600 s ahead',
        examples: [1_767_571_200_000],
      }),
    ),
    quantity: decimal('In the base asset; rounded down to the lot', '0.25'),
    price: decimal('For types with a limit price; a multiple of tick_size', '64000.5'),
    priceMatch: word(
      'Takes the price from the book instead: OPPONENT, QUEUE, ... as on /fapi',
      'QUEUE',
    ),
    stopPrice: decimal('The trigger price of a trigger order', '63000'),
    workingType: word('CONTRACT_PRICE (default) or MARK_PRICE', 'MARK_PRICE'),
    activationPrice: decimal('For TRAILING_STOP_MARKET', '65000'),
    callbackRate: decimal('For TRAILING_STOP_MARKET, in percent', '1'),
    reduceOnly: flag('Can only reduce the position'),
    closePosition: flag('STOP_MARKET and TAKE_PROFIT_MARKET only: closes the entire position'),
    priceProtect: flag('Triggers only while the mark and last prices are close'),
    selfTradePreventionMode: word(
      'EXPIRE_TAKER (default), EXPIRE_MAKER, EXPIRE_BOTH',
      'EXPIRE_MAKER',
    ),
    newClientOrderId: word('The client order ID, unique among live orders', 'bot-1:42'),
    positionSide: word('BOTH only', 'BOTH'),
    leverage: Type.Optional(
      Type.Unsafe<number | string | null>({
        type: ['integer', 'string', 'null'],
        pattern: '^[1-9][0-9]{0,2}$',
        minimum: 1,
        maximum: 999,
        description: "Sets the caller's leverage in the market first; absent: unchanged",
        examples: [10],
      }),
    ),
    max_slippage: decimal('MARKET only: a fraction of the best price', '0.005'),
    take_profit_price: decimal('Adds a take-profit child order at this price', '70000'),
    stop_loss_price: decimal('Adds a stop-loss child order at this price', '60000'),
  },
  { examples: [exampleOrder] },
);

/** Places an order on the general surface. */
export function placeOrderEndpoint(ports: FuturesPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/orders',
    tag: 'Derivatives trading',
    summary: 'Place an order',
    description:
      'Has the names, values and rules of POST /fapi/v1/order, and returns the order in its ' +
      'state after matching, once it is durable. take_profit_price and stop_loss_price add ' +
      'child orders that are canceled with it. A market order that the book would fill at a ' +
      'worse price than max_slippage allows is refused with SLIPPAGE_EXCEEDED and never ' +
      'reaches the book.',
    weight: 1,
    isOrderEntry: true,
    auth: accountTrades,
    body: orderBody,
    answer: placedOrderSchema,
    reasons: perpetualOrderRefusals,
    handle: async ({ caller, body, digest = null }) => {
      const market = peekMarket(ports, body.symbol);
      if (market === null) return refused({ reason: 'market_not_found' });
      const extras = readExtras(body);
      if (extras.kind === 'refused') return extras;
      const fields = new FapiFields(body);
      const { now, newClientOrderId } = ports;
      const context = {
        market,
        now: now(),
        isAlgo: false,
        takesGtdTriggers: true,
        newClientOrderId,
      };
      const terms = readOrder(fields, context);
      if (fields.failure !== null) return { kind: 'failed', failure: fields.failure };
      if ('reason' in terms) return refused(terms);
      return placeOrder(ports, caller.address, { market, terms, extras: extras.value, digest });
    },
  });
}

function readExtras(body: Static<typeof orderBody>): Outcome<OrderExtras> {
  const read = (field: 'take_profit_price' | 'stop_loss_price') =>
    readOptional(readPositiveDecimal, field, body[field]);
  const takeProfit = read('take_profit_price');
  if (takeProfit.kind === 'refused') return takeProfit;
  const stopLoss = read('stop_loss_price');
  if (stopLoss.kind === 'refused') return stopLoss;
  const maxSlippage = readMaxSlippage(body.max_slippage);
  if (maxSlippage.kind === 'refused') return maxSlippage;
  const { leverage = null } = body;
  return done({
    takeProfitPrice: takeProfit.value,
    stopLossPrice: stopLoss.value,
    maxSlippage: maxSlippage.value,
    leverage: leverage === null ? null : Number(leverage),
  });
}
