import { type TSchema, Type } from 'typebox';
import {
  base,
  decimal,
  flag,
  list,
  object,
  price,
  symbol,
  text,
  usdt,
  whole,
  word,
} from '../../http/fapi/reference/field-schemas.ts';
import {
  conditionalTypes,
  orderStatuses,
  orderTypes,
  priceMatches,
  selfTradeModes,
  sides,
  timesInForce,
  workingTypes,
} from '../../http/fapi/reference/order-words.ts';
import { transactionTime } from '../market-event-fields.ts';
import type { UserEventName } from './account-events.ts';
import { event } from './event-schemas.ts';

// Binance's user events for the AsyncAPI document. account-events.ts and order-event.ts make them;
// tests check what they send against these schemas.

const orderFields = {
  s: symbol,
  S: word('The side of the order', sides),
  f: word('How long it stays in force', timesInForce),
  q: base('Its quantity'),
  p: price('The limit price; 0 without one, and until priceMatch has set it'),
  ps: word('One-way mode', ['BOTH']),
  wt: word('The price that a trigger watches', workingTypes),
  cp: flag('Closes the whole position when it triggers'),
  pP: flag('The trigger waits until the last and mark prices are close'),
  R: flag('The order can only reduce the position'),
  V: word('The self-trade prevention mode', selfTradeModes),
  pm: word('The priceMatch of the order', priceMatches),
  gtd: whole('When a GTD order expires, milliseconds since 1970; otherwise 0', 0),
};

const marginCallPosition = object(
  {
    s: symbol,
    ps: word('One-way mode', ['BOTH']),
    pa: base('Quantity, negative for a short', '0.25'),
    mt: word('The margin type: cross', ['CROSSED']),
    iw: usdt('Isolated margin: always 0', '0'),
    mp: price('Mark price'),
    up: usdt('Unrealized profit', '-20'),
    mm: usdt('Maintenance margin', '64'),
  },
  'A position',
);

const orderUpdate = object(
  {
    ...orderFields,
    c: text('The client order ID, given or generated', 'bot-1:42'),
    o: word('The current type: a triggered stop is LIMIT or MARKET', orderTypes),
    ap: price('Average fill price; 0 without a fill'),
    sp: price('The trigger price; 0 without one', '0'),
    x: word('The kind of event', [
      'NEW',
      'TRADE',
      'AMENDMENT',
      'CANCELED',
      'EXPIRED',
      'CALCULATED',
    ]),
    X: word('The status of the order', orderStatuses),
    i: whole('The number of the order', 1042),
    M: Type.Optional(
      text('With AMENDMENT and FAPI_DIALECT=binance: the modifyId of the amendment', '7'),
    ),
    l: base('Quantity of this fill; 0 without one'),
    z: base('Filled quantity'),
    L: price('Price of this fill; 0 without one'),
    N: Type.Optional(text('The asset of the fee; with a fill', 'USDT')),
    n: Type.Optional(usdt('Fee of this fill; with a fill', '8.0000625')),
    T: transactionTime,
    t: whole('The trade of this fill; 0 without one', 2042),
    b: usdt('Notional that resting bids in the market can still buy', '897'),
    a: usdt('Notional that resting asks in the market can still sell', '0'),
    m: flag('Whether the order was the maker'),
    ot: word('The original type', orderTypes),
    AP: Type.Optional(price('Trailing stops: the activation price', '65000')),
    cr: Type.Optional(decimal('Trailing stops: the callback in percent', '1')),
    si: whole('Always 0', 0),
    ss: whole('Always 0', 0),
    rp: usdt('The realized profit', '12.5'),
    er: text('Why it expired, as a Binance code; 0 if it did not', '0'),
  },
  'The order',
);

const algoUpdate = object(
  {
    ...orderFields,
    caid: text('The client order ID, given or generated', 'bot-1:42'),
    aid: whole('The number of the order', 1042),
    at: word('Waits for a price', ['CONDITIONAL']),
    o: word('The type of the order', conditionalTypes),
    X: word('The status of the order', [
      'NEW',
      'TRIGGERING',
      'TRIGGERED',
      'FINISHED',
      'CANCELED',
      'REJECTED',
      'EXPIRED',
    ]),
    ai: Type.String({
      description: 'The number of the order that it placed; empty before',
      examples: [''],
    }),
    ap: price('The average price of its fills', '0'),
    aq: base('Filled', '0'),
    act: Type.String({
      description: 'LIMIT or MARKET once triggered; empty before',
      examples: [''],
    }),
    tp: price('The trigger price; 0 for trailing stops', '63000'),
    tt: whole('When it triggered, milliseconds since 1970; 0 before', 0),
    rm: Type.String({ description: 'Why it was rejected; empty if it was not', examples: [''] }),
  },
  'The order',
);

const accountUpdate = object(
  {
    S: Type.Optional(text('The market of the funding; with FUNDING_FEE', 'BTCUSDT')),
    m: word('Why', ['ORDER', 'FUNDING_FEE', 'DEPOSIT', 'WITHDRAW', 'INSURANCE_CLEAR']),
    B: list(
      object(
        {
          a: text('The asset', 'USDT'),
          wb: usdt('Wallet balance'),
          cw: usdt('The same, since all margin is cross'),
          bc: usdt('The change other than profit and fees', '0'),
        },
        'The balance',
      ),
      'The balance, where it changed',
    ),
    P: list(
      object(
        {
          s: symbol,
          pa: base('Quantity, negative for a short'),
          ep: price('Average entry price; 0 without a position'),
          bep: price('The break-even price'),
          cr: usdt('Profit realized since the position was last zero', '30'),
          up: usdt('Unrealized profit', '-12.5'),
          mt: word('Margin is cross', ['cross']),
          iw: decimal('Always 0: margin is cross', '0'),
          ps: word('One-way mode', ['BOTH']),
        },
        'A position',
      ),
      'The positions that changed',
    ),
  },
  'The changes',
);

interface UserEventDescription {
  readonly summary: string;
  readonly payload: TSchema;
}

/** Every user event, by its name. */
export const userEvents: Readonly<Record<UserEventName, UserEventDescription>> = {
  ORDER_TRADE_UPDATE: {
    summary: 'A change of an order; one event per fill',
    payload: event(
      'ORDER_TRADE_UPDATE',
      { T: transactionTime, o: orderUpdate },
      'The state of an order',
    ),
  },
  TRADE_LITE: {
    summary: 'A short form of a fill, for connections whose URL names it in events=',
    payload: event(
      'TRADE_LITE',
      {
        T: transactionTime,
        s: symbol,
        q: base('Quantity of the order'),
        p: price('The limit price; 0 without one'),
        m: flag('Whether the order was the maker'),
        c: text('The client order ID, given or generated', 'bot-1:42'),
        S: word('The side of the order', sides),
        L: price('Price of the fill'),
        l: base('Quantity of the fill'),
        t: whole('The trade', 2042),
        i: whole('The number of the order', 1042),
      },
      'A fill',
    ),
  },
  ALGO_UPDATE: {
    summary: 'A change of a conditional order',
    payload: event(
      'ALGO_UPDATE',
      { T: transactionTime, o: algoUpdate },
      'The state of a conditional order',
    ),
  },
  ACCOUNT_UPDATE: {
    summary: 'The balance and the positions that one command changed',
    payload: event(
      'ACCOUNT_UPDATE',
      { T: transactionTime, a: accountUpdate },
      'Balance and positions',
    ),
  },
  ACCOUNT_CONFIG_UPDATE: {
    summary: 'A change of leverage in a market',
    payload: event(
      'ACCOUNT_CONFIG_UPDATE',
      {
        T: transactionTime,
        ac: object({ s: symbol, l: whole('The new leverage', 20) }, 'The setting'),
      },
      'A setting of the account',
    ),
  },
  MARGIN_CALL: {
    summary: 'Maintenance margin has reached 80 % of equity',
    payload: event(
      'MARGIN_CALL',
      {
        cw: usdt('The wallet balance', '30'),
        p: list(marginCallPosition, 'All positions of the account'),
      },
      'A warning before liquidation',
    ),
  },
  listenKeyExpired: {
    summary: 'The key is no longer valid, and its events end',
    payload: event(
      'listenKeyExpired',
      { listenKey: text('The key', 'k'.repeat(64)) },
      'The end of the stream',
    ),
  },
};
