import type { TObject, TSchema } from 'typebox';
import type { ErrorRow } from '../../../errors/error-row.ts';
import { exchangeErrors } from '../../../errors/exchange-errors.ts';
import type { Reason } from '../../../errors/surface.ts';
import * as account from './account-answers.ts';
import { empty } from './field-schemas.ts';
import * as market from './market-answers.ts';
import * as orders from './order-answers.ts';
import { describeParameters } from './parameter-schemas.ts';
import { statisticsReference } from './statistics-reference.ts';

// Documentation of each path of /fapi beyond what its endpoint itself needs: the form of the
// answer, the required parameters, and the possible refusals.

interface Entry {
  readonly answer: TSchema;
  readonly required?: readonly string[];
  readonly reasons?: readonly Reason[];
  readonly rows?: readonly ErrorRow[];
  /** Example parameters of a call, as a query. */
  readonly example?: string;
}

const symbol = ['symbol'];
const badParameter: readonly Reason[] = ['parameter_missing', 'parameter_malformed'];
const marketReasons: readonly Reason[] = [...badParameter, 'market_not_found'];
const wordReasons: readonly Reason[] = ['parameter_unknown_member'];
const history: readonly Reason[] = [...marketReasons, 'database_failed'];
const gridReasons: readonly Reason[] = [
  ...marketReasons,
  'parameter_unknown_member',
  'parameter_not_required',
  'price_off_tick',
  'quantity_off_lot',
];
const judgeReasons: readonly Reason[] = [
  'market_halted',
  'market_delisted',
  'notional_too_small',
  'notional_too_large',
  'insufficient_margin',
  'index_price_stale',
  'account_in_liquidation',
  'nothing_to_reduce',
  'post_only_would_cross',
  'engine_busy',
  'index_price_missing',
  'market_settling',
  'position_too_large',
  'market_delisting',
];
const placeReasons: readonly Reason[] = [
  ...gridReasons,
  ...judgeReasons,
  'duplicate_client_order_id',
  'would_trigger_immediately',
  'too_many_orders',
  'no_opposite_price',
  'no_price_to_match',
];
const amendReasons: readonly Reason[] = [
  'side_mismatch',
  'no_price_to_match',
  'parameter_combination',
];
const orderOf: Entry = {
  answer: orders.order,
  required: symbol,
  reasons: history,
  rows: [exchangeErrors.noSuchOrder],
};
const place = ['symbol', 'side', 'type'];
const { cancelRejected, noSuchOrder, invalidLeverage } = exchangeErrors;
const one = (answer: TSchema): Entry => ({ answer, required: symbol, reasons: marketReasons });
const all = (answer: TSchema): Entry => ({ answer, reasons: ['market_not_found'] });
const past = (answer: TSchema): Entry => ({ answer, required: symbol, reasons: history });

const marketData: Readonly<Record<string, Entry>> = {
  'GET /fapi/v1/ping': { answer: empty },
  'GET /fapi/v1/time': { answer: market.serverTime },
  'GET /fapi/v1/exchangeInfo': { answer: market.exchangeInfo },
  'GET /fapi/v1/depth': {
    ...one(market.depth),
    reasons: [...marketReasons, ...wordReasons],
  },
  'GET /fapi/v1/trades': past(market.marketTrades),
  'GET /fapi/v1/historicalTrades': past(market.marketTrades),
  'GET /fapi/v1/aggTrades': past(market.aggregateTrades),
  'GET /fapi/v1/klines': {
    example: 'symbol=BTCUSDT&interval=1m&limit=100',
    answer: market.klines,
    required: ['symbol', 'interval'],
    reasons: [...history, 'interval_unknown'],
  },
  'GET /fapi/v1/continuousKlines': {
    answer: market.klines,
    required: ['pair', 'contractType', 'interval'],
    reasons: [...history, 'interval_unknown', 'parameter_unknown_member'],
  },
  'GET /fapi/v1/insuranceBalance': all(market.insuranceFund),
  'GET /fapi/v1/symbolAdlRisk': all(market.adlRisk),
  'GET /fapi/v1/openInterest': one(market.openInterest),
  'GET /fapi/v1/premiumIndex': all(market.premiumIndex),
  'GET /fapi/v1/fundingRate': {
    answer: market.fundingRates,
    reasons: ['parameter_malformed', 'market_not_found', 'database_failed'],
  },
  'GET /fapi/v1/fundingInfo': { answer: market.fundingInfo },
  'GET /fapi/v1/ticker/24hr': {
    answer: market.dayTicker,
    reasons: ['market_not_found', 'database_failed'],
  },
  'GET /fapi/v1/ticker/price': all(market.priceTicker),
  'GET /fapi/v2/ticker/price': all(market.priceTicker),
  'GET /fapi/v1/ticker/bookTicker': all(market.bookTicker),
};

const orderPaths: Readonly<Record<string, Entry>> = {
  'POST /fapi/v1/order': {
    example: 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.25&price=64000.5',
    answer: orders.order,
    required: place,
    reasons: placeReasons,
  },
  'POST /fapi/v1/order/test': {
    example: 'symbol=BTCUSDT&side=BUY&type=MARKET&quantity=0.25',
    answer: orders.testedOrder,
    required: place,
    reasons: placeReasons,
  },
  'PUT /fapi/v1/order': {
    example: 'symbol=BTCUSDT&orderId=1042&quantity=0.2&price=63999',
    answer: orders.order,
    required: ['symbol', 'quantity'],
    reasons: [...gridReasons, ...judgeReasons, ...amendReasons],
    rows: [noSuchOrder],
  },
  'DELETE /fapi/v1/order': {
    example: 'symbol=BTCUSDT&orderId=1042',
    answer: orders.order,
    required: symbol,
    reasons: marketReasons,
    rows: [cancelRejected],
  },
  'GET /fapi/v1/order': orderOf,
  'GET /fapi/v1/orderAmendment': { ...orderOf, answer: orders.amendments },
  'GET /fapi/v1/openOrder': { ...orderOf, reasons: marketReasons },
  'GET /fapi/v1/openOrders': all(orders.orders('Live orders, oldest first')),
  'GET /fapi/v1/allOrders': past(orders.pastOrders('Orders, oldest first')),
  'POST /fapi/v1/batchOrders': {
    answer: orders.batchAnswers,
    required: ['batchOrders'],
    reasons: badParameter,
  },
  'PUT /fapi/v1/batchOrders': {
    answer: orders.batchAnswers,
    required: ['batchOrders'],
    reasons: badParameter,
  },
  'DELETE /fapi/v1/batchOrders': {
    example: 'symbol=BTCUSDT&orderIdList=[1042,1043]',
    answer: orders.batchAnswers,
    required: symbol,
    reasons: badParameter,
  },
  'DELETE /fapi/v1/allOpenOrders': one(orders.allCanceled),
  'POST /fapi/v1/countdownCancelAll': {
    example: 'symbol=BTCUSDT&countdownTime=30000',
    answer: orders.countdown,
    required: ['symbol', 'countdownTime'],
    reasons: marketReasons,
  },
  'POST /fapi/v1/algoOrder': {
    example:
      'algoType=CONDITIONAL&symbol=BTCUSDT&side=SELL&type=STOP_MARKET&triggerPrice=63000&closePosition=true',
    answer: orders.algoOrder,
    required: [...place, 'algoType'],
    reasons: placeReasons,
  },
  'DELETE /fapi/v1/algoOrder': {
    example: 'algoId=1042',
    answer: orders.algoCanceled,
    reasons: badParameter,
    rows: [cancelRejected],
  },
  'GET /fapi/v1/algoOrder': {
    answer: orders.algoOrder,
    reasons: [...badParameter, 'database_failed'],
    rows: [noSuchOrder],
  },
  'GET /fapi/v1/openAlgoOrders': {
    answer: orders.algoOrders('Orders that wait, oldest first'),
    reasons: [...wordReasons, 'market_not_found'],
  },
  'GET /fapi/v1/algoOpenOrders': {
    answer: orders.algoOrders('Orders that wait, oldest first'),
    reasons: [...wordReasons, 'market_not_found'],
  },
  'DELETE /fapi/v1/algoOpenOrders': one(orders.allCanceled),
  'GET /fapi/v1/allAlgoOrders': past(orders.algoOrders('Conditional orders, oldest first')),
};

const accountPaths: Readonly<Record<string, Entry>> = {
  ...everyVersion('balance', {
    v1: { answer: account.balances },
    v2: { answer: account.balances },
    v3: { answer: account.balances },
  }),
  ...everyVersion('account', {
    v1: { answer: account.accountV2 },
    v2: { answer: account.accountV2 },
    v3: { answer: account.accountV3 },
  }),
  ...everyVersion('positionRisk', {
    v1: all(account.positionRiskV2),
    v2: all(account.positionRiskV2),
    v3: all(account.positionRiskV3),
  }),
  'POST /fapi/v1/leverage': {
    example: 'symbol=BTCUSDT&leverage=20',
    answer: account.leverageSet,
    required: ['symbol', 'leverage'],
    reasons: [...marketReasons, 'leverage_out_of_range', 'insufficient_margin', 'engine_busy'],
    rows: [invalidLeverage],
  },
  'GET /fapi/v1/leverageBracket': all(account.leverageBrackets),
  'GET /fapi/v1/commissionRate': one(account.commissionRate),
  'GET /fapi/v1/symbolConfig': all(account.symbolConfig),
  'GET /fapi/v1/accountConfig': { answer: account.accountConfig },
  'GET /fapi/v1/marginType': all(account.marginType),
  'POST /fapi/v1/marginType': {
    answer: orders.operationDone,
    required: ['symbol', 'marginType'],
    reasons: [...marketReasons, 'parameter_combination'],
    rows: [exchangeErrors.isolatedUnsupported],
  },
  'GET /fapi/v1/positionSide/dual': { answer: account.dualSidePosition },
  'POST /fapi/v1/positionSide/dual': {
    answer: orders.operationDone,
    required: ['dualSidePosition'],
    reasons: badParameter,
    rows: [exchangeErrors.hedgeModeUnsupported],
  },
  'GET /fapi/v1/feeBurn': { answer: account.feeBurn },
  'GET /fapi/v1/multiAssetsMargin': { answer: account.multiAssetsMargin },
  'POST /fapi/v1/multiAssetsMargin': {
    answer: orders.operationDone,
    required: ['multiAssetsMargin'],
    reasons: [...badParameter, 'parameter_combination'],
  },
  'GET /fapi/v1/rateLimit/order': { answer: market.rateLimits },
  'GET /fapi/v1/userTrades': {
    answer: account.userTrades,
    required: symbol,
    reasons: [...history, 'parameter_combination'],
  },
  'GET /fapi/v1/income': {
    answer: account.income,
    reasons: ['parameter_malformed', 'parameter_unknown_member', ...history],
  },
  ...Object.fromEntries(
    ['order', 'trade', 'income'].flatMap((kind): [string, Entry][] => [
      [
        `GET /fapi/v1/${kind}/asyn`,
        {
          answer: account.downloadRequested,
          required: ['startTime', 'endTime'],
          reasons: [...badParameter, 'database_failed'],
        },
      ],
      [
        `GET /fapi/v1/${kind}/asyn/id`,
        {
          answer: account.download,
          required: ['downloadId'],
          reasons: [...badParameter, 'database_failed'],
        },
      ],
    ]),
  ),
  'GET /fapi/v1/forceOrders': {
    answer: orders.pastOrders('Orders with which the exchange closed positions, oldest first'),
    reasons: ['parameter_malformed', 'parameter_unknown_member', ...history],
  },
  'GET /fapi/v1/adlQuantile': all(account.adlQuantiles),
  'POST /fapi/v1/listenKey': { answer: account.listenKey },
  'PUT /fapi/v1/listenKey': { answer: account.listenKey },
  'DELETE /fapi/v1/listenKey': { answer: empty },
};

function everyVersion(
  name: string,
  versions: Readonly<Record<string, Entry>>,
): Readonly<Record<string, Entry>> {
  return Object.fromEntries(
    Object.entries(versions).map(([version, entry]) => [`GET /fapi/${version}/${name}`, entry]),
  );
}

/** Every documented path, by method and path. */
export const fapiReference: Readonly<Record<string, Entry>> = {
  ...marketData,
  ...statisticsReference,
  ...orderPaths,
  ...accountPaths,
};

interface Described {
  readonly documented?: { readonly query: TObject; readonly answer: TSchema };
  readonly reasons?: readonly Reason[];
}

/** The documentation of an endpoint of /fapi; `texts` describes its parameters. */
export function describeEndpoint(
  name: string,
  texts: Readonly<Record<string, string>>,
): Described & { readonly rows: readonly ErrorRow[]; readonly note: string } {
  const entry = fapiReference[name];
  if (entry === undefined) return { rows: [], note: '' };
  const query = describeParameters(texts, entry.required ?? []);
  return {
    documented: { query, answer: entry.answer },
    reasons: entry.reasons ?? [],
    rows: entry.rows ?? [],
    note: noteOf(name, entry),
  };
}

function noteOf(name: string, { example }: Entry): string {
  const isRead = name.startsWith('GET ');
  const notes = [
    ...(isRead ? [] : ['Parameters come in the query, in a form or in a JSON body.']),
    ...(example === undefined ? [] : [`For example \`${example}\`.`]),
  ];
  return notes.map((note) => `\n\n${note}`).join('');
}
