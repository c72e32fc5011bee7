import { type TSchema, Type } from 'typebox';
import type { Reason } from '../../../errors/surface.ts';
import {
  base,
  decimal,
  inDialect,
  list,
  object,
  price,
  symbol,
  text,
  time,
  usdt,
  whole,
} from './field-schemas.ts';

// Answers of statistics computed and sampled over time.

const fraction = (description: string, example: string) => decimal(description, example);
const unused = text('Unused', '0');
const candleFields: readonly TSchema[] = [
  time('Open time'),
  decimal('First value', '63000'),
  decimal('Highest value', '64500'),
  decimal('Lowest value', '62900'),
  decimal('Last value', '64000'),
  unused,
  time('Close time: the last millisecond'),
  unused,
  whole('The number of samples', 60),
  unused,
  unused,
  unused,
];

const priceKlines = list(
  Type.Unsafe<unknown>({
    type: 'array',
    description: 'Open time, open, high, low, close, unused, close time, unused, count, unused',
    prefixItems: candleFields,
    items: false,
    minItems: candleFields.length,
    examples: [candleFields.map((field) => (field as { examples?: unknown[] }).examples?.[0])],
  }),
  'Candles, oldest first; missing while the price was not computed',
);

const openInterestHist = list(
  object(
    {
      symbol,
      sumOpenInterest: base('The sum of all long positions', '125.5'),
      sumOpenInterestValue: usdt('Its value at the mark price', '8032000'),
      CMCCirculatingSupply: inDialect(decimal('Unknown here: 0', '0')),
      timestamp: time('The time of the sample'),
    },
    'Open interest',
  ),
  'Samples, oldest first; none while no positions are open',
);

const ratios = list(
  object(
    {
      symbol,
      longShortRatio: fraction(
        'The long share divided by the short share; 0 without shorts',
        '1.5',
      ),
      longAccount: fraction('The long share', '0.6'),
      shortAccount: fraction('The short share', '0.4'),
      timestamp: time('The time of the sample'),
    },
    'The shares of long and short',
  ),
  'Samples, oldest first; none while no positions are open',
);

const takerRatio = list(
  object(
    {
      buySellRatio: fraction('Buy volume divided by sell volume; 0 if nothing was sold', '1.0833'),
      buyVol: base('Bought by takers', '6.5'),
      sellVol: base('Sold by takers', '6'),
      timestamp: time('Start of the period'),
    },
    'Taker volumes',
  ),
  'Periods with trades, oldest first',
);

const basis = list(
  object(
    {
      pair: symbol,
      contractType: text('PERPETUAL', 'PERPETUAL'),
      futuresPrice: price('The last price', '64000.5'),
      indexPrice: price('The last index price', '64010'),
      basis: usdt('Their difference', '-9.5'),
      basisRate: fraction('The difference as a fraction of the index price', '-0.0001'),
      annualizedBasisRate: text('Empty: perpetuals are not delivered', ''),
      timestamp: time('Start of the period'),
    },
    'Price and index',
  ),
  'Periods with trades, oldest first',
);

const constituents = object(
  {
    symbol,
    time: time('When the response was created'),
    constituents: list(
      object(
        {
          exchange: text(
            'The source of the price: the operator, or this exchange itself',
            'operator',
          ),
          symbol,
          price: price('Its price', '64010'),
          weight: fraction('Its weight in the index', '1'),
        },
        'A source',
      ),
      'The sources; empty before the first index price',
    ),
  },
  'The sources of the index price',
);

const schedule = object(
  {
    updateTime: time('When the response was created'),
    marketSchedules: object({}, 'Empty: markets are always open'),
  },
  'Trading hours',
);

const none = list(object({}, 'None'), 'An empty list');

const history: readonly Reason[] = [
  'parameter_missing',
  'parameter_malformed',
  'market_not_found',
  'database_failed',
];

interface Entry {
  readonly answer: TSchema;
  readonly required?: readonly string[];
  readonly reasons?: readonly Reason[];
  readonly example?: string;
}

const candles = (marketName: 'symbol' | 'pair'): Entry => ({
  answer: priceKlines,
  example: `${marketName}=BTCUSDT&interval=1m&limit=100`,
  required: [marketName, 'interval'],
  reasons: [...history, 'interval_unknown'],
});

const span = (answer: TSchema, required: readonly string[] = ['symbol', 'period']): Entry => ({
  answer,
  required,
  reasons: [...history, 'parameter_unknown_member'],
});

export const statisticsReference: Readonly<Record<string, Entry>> = {
  'GET /fapi/v1/markPriceKlines': candles('symbol'),
  'GET /fapi/v1/indexPriceKlines': candles('pair'),
  'GET /fapi/v1/premiumIndexKlines': candles('symbol'),
  'GET /futures/data/openInterestHist': span(openInterestHist),
  'GET /futures/data/topLongShortAccountRatio': span(ratios),
  'GET /futures/data/topLongShortPositionRatio': span(ratios),
  'GET /futures/data/globalLongShortAccountRatio': span(ratios),
  'GET /futures/data/takerlongshortRatio': span(takerRatio),
  'GET /futures/data/basis': span(basis, ['pair', 'contractType', 'period']),
  'GET /futures/data/delivery-price': {
    answer: none,
    required: ['pair'],
    reasons: ['parameter_missing', 'market_not_found'],
  },
  'GET /fapi/v1/constituents': {
    answer: constituents,
    required: ['symbol'],
    reasons: ['parameter_missing', 'market_not_found'],
  },
  'GET /fapi/v1/assetIndex': { answer: none, reasons: ['market_not_found'] },
  'GET /fapi/v1/tradingSchedule': { answer: schedule },
};
