import { Type } from 'typebox';
import { listEpochs } from '../../../application/points/list-epochs.ts';
import type { PointsReadPorts } from '../../../application/points/points-moment.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { oneOf, strictObject, timeText } from '../schema.ts';
import { epochNumber, pointsTag } from './points-schemas.ts';

const limitDefault = 52;
const limitMax = 500;
const offsetMax = 1_000_000;

/** The epochs with their dates. */
export function listEpochsEndpoint(ports: PointsReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/points/epochs',
    tag: pointsTag,
    summary: 'List epochs',
    description:
      'The active epoch and those before it, newest first. Epochs are weeks from Monday.',
    auth: anyone,
    weight: 1,
    query: strictObject({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limitMax,
          default: limitDefault,
          description: 'Maximum number of epochs in the response',
        }),
      ),
      offset: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: offsetMax,
          default: 0,
          description: 'Number of epochs to skip',
        }),
      ),
    }),
    answer: strictObject({
      items: Type.Array(
        strictObject({
          epoch_number: epochNumber('The epoch'),
          starts_at: timeText('A Monday, 00:00 UTC'),
          ends_at: timeText('When the next one starts'),
          status: oneOf(['upcoming', 'active', 'ended'] as const, {
            description: 'Points count while it is active; the first one may be upcoming',
          }),
        }),
        { description: 'The epochs' },
      ),
      total: Type.Integer({ description: 'Number of epochs', examples: [12] }),
    }),
    handle: async ({ query: { limit = limitDefault, offset = 0 } }) =>
      done(await listEpochs(ports, { limit, offset })),
  });
}
