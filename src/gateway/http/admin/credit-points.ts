import {
  creditPoints,
  type PointsAdminPorts,
  pointsFromDecimal,
  pointsTypes,
} from '../../../application/points/change-points-program.ts';
import { assert } from '../../../domain/assert.ts';
import { parseAddress } from '../../../domain/identifiers.ts';
import { done, refused } from '../../../domain/outcome.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { readPositiveDecimal } from '../read-decimal.ts';
import { addressInput, decimalInput, oneOf, strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';
import { okSchema, plainTextInput } from './admin-schemas.ts';

const referenceLengthMax = 100;
// Far beyond any season, and small enough that no sum of credits overflows a database column.
const pointsMax = 10n ** 30n;

/** Credits points, for staking or as compensation. */
export function creditPointsEndpoint(ports: PointsAdminPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/points/credits',
    tag: 'Administration',
    summary: 'Credit points',
    description:
      'Adds points of one type to the current day and epoch of an account, opening the ' +
      'account if needed. A repeated reference has no further effect.',
    weight: 0,
    auth: administrator,
    body: strictObject({
      reference: plainTextInput(referenceLengthMax, 'Identifies this credit', 'staking-2026-02-1'),
      user_address: addressInput('The recipient'),
      type: oneOf(pointsTypes, { description: 'The type of the points', examples: ['staking'] }),
      points: decimalInput('The number of points, above 0, at most 8 decimals', '250'),
    }),
    answer: okSchema,
    errorRows: engineUnavailableIsDatabaseError,
    handle: async ({ body }) => {
      const decimal = readPositiveDecimal('points', body.points);
      if (decimal.kind === 'refused') return decimal;
      const points = decimal.value > pointsMax ? null : pointsFromDecimal(decimal.value);
      if (points === null) {
        const detail = 'points: at most 1000000000000, with at most 8 decimals';
        return refused({ reason: 'parameter_invalid', detail });
      }
      const account = parseAddress(body.user_address);
      assert(account !== null, 'the schema takes addresses only');
      const { reference, type } = body;
      const credited = await creditPoints(ports, { reference, account, type, points });
      return credited.kind === 'refused' ? credited : done({ ok: true });
    },
  });
}
