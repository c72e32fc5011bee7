import { Type } from 'typebox';
import { decimalText, oneOf, strictObject } from '../schema.ts';
import { symbolText } from './spot-schemas.ts';

/** A spot market in an answer: its terms, its limit on open orders, its status. */
export const marketSchema = strictObject(
  {
    id: symbolText,
    base_token: Type.String({ description: 'The traded token', examples: ['BTC'] }),
    quote_token: Type.String({
      description: 'The token in which it is priced',
      examples: ['USDT'],
    }),
    tick_size: decimalText('Prices are multiples of it', '0.01'),
    lot_size: decimalText('Quantities are multiples of it', '0.00001'),
    min_notional: decimalText('Minimum price x quantity of an order', '5'),
    maker_fee_bps: Type.Integer({
      description: 'The fee of a resting order, 1/10000',
      examples: [5],
    }),
    taker_fee_bps: Type.Integer({ description: 'The fee of an arriving order', examples: [10] }),
    max_open_orders: Type.Integer({
      description: 'The maximum number of open orders of one account in the market',
      examples: [1_000],
    }),
    status: oneOf(['listed', 'halted', 'delisted'], {
      description: 'halted accepts no new orders; delisted is final',
    }),
  },
  { title: 'SpotMarket', description: 'A spot market' },
);
