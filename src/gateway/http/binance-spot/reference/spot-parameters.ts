import type { TObject } from 'typebox';
import { klineIntervals } from '../../../../domain/kline-interval.ts';
import { exampleTimeMs } from '../../fapi/reference/field-schemas.ts';
import {
  amount,
  clientId,
  describeParameters,
  type Json,
  whole,
  word,
} from '../../fapi/reference/parameter-schemas.ts';

// The values that the parameters of /api/v3 accept, by name; for the interface reference.

const schemas: Readonly<Record<string, Json>> = {
  symbol: { type: 'string', examples: ['BTCUSDT'] },
  symbols: { type: 'string', examples: ['["BTCUSDT","ETHUSDT"]'] },
  type: { type: 'string', examples: ['LIMIT'] },
  limit: whole(100, 1),
  fromId: whole(1000, 0),
  startTime: whole(exampleTimeMs, 0),
  endTime: whole(exampleTimeMs + 3_600_000, 0),
  interval: word(klineIntervals),
  windowSize: { type: 'string', pattern: '^[1-9][0-9]?[mhd]$', examples: ['4h'] },
  timeZone: { type: 'string', examples: ['0'] },
  side: word(['BUY', 'SELL']),
  timeInForce: word(['GTC', 'IOC', 'FOK']),
  quantity: amount('0.25'),
  quoteOrderQty: amount('250'),
  price: amount('64000.5'),
  newClientOrderId: clientId,
  newOrderRespType: word(['ACK', 'RESULT', 'FULL']),
  selfTradePreventionMode: word(['EXPIRE_TAKER']),
  orderId: whole(1042, 1),
  origClientOrderId: clientId,
  cancelOrderId: whole(1042, 1),
  cancelOrigClientOrderId: clientId,
  cancelNewClientOrderId: clientId,
  cancelReplaceMode: word(['STOP_ON_FAILURE', 'ALLOW_FAILURE']),
  cancelRestrictions: word(['ONLY_NEW', 'ONLY_PARTIALLY_FILLED']),
  computeCommissionRates: { type: 'boolean', default: false, examples: [false] },
  omitZeroBalances: { type: 'boolean', default: false, examples: [true] },
  listenKey: { type: 'string', examples: ['k'.repeat(64)] },
};

/** A path's parameters; a text like `500, at most 1000` states the default and the maximum. */
export function describeSpotParameters(
  texts: Readonly<Record<string, string>>,
  required: readonly string[],
): TObject {
  return describeParameters(texts, required, schemas);
}
