import { Type } from 'typebox';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';

/** Reports that the process answers; /readyz reports whether it can trade. */
export const getHealth = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  tag: 'Operation',
  summary: 'Alive',
  description: 'Answers as long as the process serves requests at all.',
  auth: anyone,
  weight: 0,
  answer: strictObject({ status: Type.String({ description: 'ok', examples: ['ok'] }) }),
  handle: () => done({ status: 'ok' }),
});
