import { type TProperties, type TSchema, Type } from 'typebox';
import { decimal, list, symbol, time, whole } from '../http/fapi/reference/field-schemas.ts';

// The parts that Binance's spot and futures streams share, each in the units of its market.

type AmountSchema = (description: string, example?: string) => TSchema;

export interface AmountSchemas {
  readonly price: AmountSchema;
  readonly base: AmountSchema;
  readonly quote: AmountSchema;
}

export const transactionTime = time('When it happened');

export function bookLevels({ price, base }: AmountSchemas, description: string): TSchema {
  const level = Type.Unsafe<unknown>({
    type: 'array',
    description: 'Price and quantity',
    prefixItems: [price('Price'), base('Quantity; 0 removes the level')],
    items: false,
    minItems: 2,
    examples: [['64000.5', '0.25']],
  });
  return list(level, description);
}

export function bestPrices({ price, base }: AmountSchemas): TProperties {
  return {
    b: price('The highest bid; 0 without one', '64000'),
    B: base('The quantity at that price'),
    a: price('The lowest ask; 0 without one', '64001'),
    A: base('The quantity at that price'),
  };
}

export function miniTickerFields({ price, base, quote }: AmountSchemas): TProperties {
  return {
    s: symbol,
    c: price('The last price', '64000'),
    o: price('The first price', '63000'),
    h: price('The highest price', '64500'),
    l: price('The lowest price', '62900'),
    v: base('Traded', '12.5'),
    q: quote('Traded', '800000'),
  };
}

/** What a ticker has besides the fields of a mini ticker. */
export function tickerFields({ price, base }: AmountSchemas): TProperties {
  return {
    p: price('Last price minus first price', '1000'),
    P: decimal('The same in percent of the first price', '1.587'),
    w: price('Average price by quantity', '63800'),
    Q: base('Quantity of the last trade'),
    O: time('Start of the 24 hours'),
    C: time('End of the window'),
    F: whole('The first trade', 1),
    L: whole('The last trade', 1042),
    n: whole('Trades', 1042),
  };
}
