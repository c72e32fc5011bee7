import { Type } from 'typebox';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';

/** Two names for the same endpoint: load balancers and orchestrators use either. */
const paths = ['/healthz', '/livez'];

/** They report that the process answers; /readyz reports whether it can trade. */
export const healthEndpoints: readonly Endpoint[] = paths.map((path) =>
  defineEndpoint({
    method: 'GET',
    path,
    tag: 'Operation',
    summary: 'Alive',
    description: 'Responds as long as the process serves requests at all.',
    auth: anyone,
    weight: 0,
    answer: strictObject({ status: Type.String({ description: 'ok', examples: ['ok'] }) }),
    handle: () => done({ status: 'ok' }),
  }),
);
