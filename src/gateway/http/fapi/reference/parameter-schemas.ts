import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { klineIntervals } from '../../../../domain/kline-interval.ts';
import { exampleTimeMs } from './field-schemas.ts';
import {
  orderTypes,
  priceMatches,
  selfTradeModes,
  timesInForce,
  workingTypes,
} from './order-words.ts';

// The values that the parameters of /fapi accept, by name: a name means the same on every path.
// They are for the interface reference; fapi-fields.ts checks what is sent.

export type Json = Readonly<Record<string, unknown>>;

/** A decimal above or equal to zero. */
export const amount = (example: string): Json => ({
  type: 'string',
  pattern: '^[0-9]+(\\.[0-9]+)?$',
  examples: [example],
});
export const word = (words: readonly string[], example = words[0]): Json => ({
  type: 'string',
  enum: words,
  examples: [example],
});
export const whole = (example: number, minimum: number, maximum?: number): Json => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
  examples: [example],
});
const flag: Json = { type: 'boolean', examples: [false] };
export const clientId: Json = {
  type: 'string',
  pattern: '^[.A-Z:/a-z0-9_-]{1,36}$',
  examples: ['bot-1:42'],
};
const json = (example: string): Json => ({ type: 'string', examples: [example] });

export const parameterSchemas: Readonly<Record<string, Json>> = {
  symbol: { type: 'string', examples: ['BTCUSDT'] },
  pair: { type: 'string', examples: ['BTCUSDT'] },
  contractType: word(['PERPETUAL']),
  limit: whole(100, 1),
  fromId: whole(1000, 0),
  startTime: whole(exampleTimeMs, 0),
  endTime: whole(exampleTimeMs + 3_600_000, 0),
  interval: word(klineIntervals),
  period: word(['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d']),
  page: whole(1, 1),
  incomeType: { type: 'string', examples: ['FUNDING_FEE'] },
  autoCloseType: word(['LIQUIDATION', 'ADL']),
  side: word(['BUY', 'SELL']),
  type: word(orderTypes),
  positionSide: { ...word(['BOTH']), default: 'BOTH' },
  timeInForce: { ...word(timesInForce), default: 'GTC' },
  quantity: amount('0.25'),
  price: amount('64000.5'),
  priceMatch: { ...word(priceMatches, 'QUEUE'), default: 'NONE' },
  reduceOnly: { ...flag, default: false },
  newClientOrderId: clientId,
  stopPrice: amount('63000'),
  closePosition: { ...flag, default: false },
  activationPrice: amount('65000'),
  callbackRate: amount('1'),
  workingType: { ...word(workingTypes), default: 'CONTRACT_PRICE' },
  priceProtect: { ...flag, default: false },
  newOrderRespType: { ...word(['ACK', 'RESULT']), default: 'ACK' },
  selfTradePreventionMode: {
    ...word(['NONE', ...selfTradeModes], 'EXPIRE_MAKER'),
    default: 'EXPIRE_TAKER',
  },
  modifyId: whole(7, 0),
  orderId: whole(1042, 1),
  origClientOrderId: clientId,
  algoId: whole(1042, 1),
  clientAlgoId: clientId,
  algoType: word(['CONDITIONAL']),
  triggerPrice: amount('63000'),
  goodTillDate: whole(exampleTimeMs + 86_400_000, 1),
  batchOrders: json(
    '[{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":"0.25","price":"64000.5"}]',
  ),
  orderIdList: json('[1042,1043]'),
  origClientOrderIdList: json('["bot-1:42"]'),
  countdownTime: whole(30_000, 0, 604_800_000),
  leverage: whole(20, 1),
  marginType: word(['CROSSED']),
  dualSidePosition: { type: 'boolean', enum: [false], examples: [false] },
  multiAssetsMargin: { type: 'boolean', enum: [false], examples: [false] },
};

/**
 * A path's parameters for the interface reference: `texts` describes each by its name; a text like
 * `500, at most 1000` states the default and the maximum.
 */
export function describeParameters(
  texts: Readonly<Record<string, string>>,
  required: readonly string[],
  schemas: Readonly<Record<string, Json>> = parameterSchemas,
): TObject {
  const fields: TProperties = {};
  for (const [name, description] of Object.entries(texts)) {
    const schema: TSchema = Type.Unsafe<unknown>({
      ...schemas[name],
      ...limitsOf(name, description),
    });
    fields[name] = required.includes(name) ? schema : Type.Optional(schema);
  }
  return Type.Object(fields, { additionalProperties: true });
}

function limitsOf(name: string, description: string): Json {
  const found = /(\d+), at most (\d+)$/.exec(description);
  if (name !== 'limit' || found === null) return { description };
  const [, most, max] = found;
  return {
    description: `Maximum number of items; up to ${max}`,
    default: Number(most),
    maximum: Number(max),
    examples: [Number(most)],
  };
}
