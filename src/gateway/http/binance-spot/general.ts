import type { BinanceSpotPorts } from '../../../application/trading/binance-spot-ports.ts';
import { done } from '../../../domain/outcome.ts';
import type { Endpoint } from '../endpoint.ts';
import { empty, serverTime } from './reference/spot-market-answers.ts';
import { publicSpot } from './spot-endpoint.ts';

/** Connectivity check and server time. */
export function generalEndpoints({ now }: BinanceSpotPorts): readonly Endpoint[] {
  const text = { method: 'GET', weight: 1, fields: {} } as const;
  return [
    publicSpot({
      ...text,
      path: '/api/v3/ping',
      summary: 'Ping',
      answer: empty,
      handle: () => done({}),
    }),
    publicSpot({
      ...text,
      path: '/api/v3/time',
      summary: 'Server time',
      answer: serverTime,
      handle: () => done({ serverTime: now() }),
    }),
  ];
}
