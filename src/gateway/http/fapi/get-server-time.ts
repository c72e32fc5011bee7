import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import { done } from '../../../domain/outcome.ts';
import type { Endpoint } from '../endpoint.ts';
import { publicEndpoint } from './fapi-endpoint.ts';

/** Connectivity check and server time. */
export function serverTimeEndpoints({ now }: FuturesPorts): readonly Endpoint[] {
  return [
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/ping',
      summary: 'Ping',
      weight: 1,
      fields: {},
      answers: 'An empty object',
      handle: () => done({}),
    }),
    publicEndpoint({
      method: 'GET',
      path: '/fapi/v1/time',
      summary: 'Server time',
      weight: 1,
      fields: {},
      answers: '`serverTime` in milliseconds since 1970',
      handle: () => done({ serverTime: now() }),
    }),
  ];
}
