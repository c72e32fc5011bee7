import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { listActivePositions } from '../../../application/futures/load-unified-account.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { positionSchema } from './derivative-schemas.ts';

/** The caller's positions. */
export function listPositions(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/positions/active',
    tag: 'Derivatives account',
    summary: 'List active positions',
    description: 'All open positions, valued at the mark price.',
    weight: 1,
    auth: accountReads,
    answer: Type.Array(positionSchema, { description: 'The positions' }),
    handle: async ({ caller }) => done(await listActivePositions(ports, caller.address)),
  });
}
