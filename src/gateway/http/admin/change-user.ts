import { Type } from 'typebox';
import { type ChangeUserPorts, changeUser } from '../../../application/admin/change-user.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { done, refused } from '../../../domain/outcome.ts';
import { referralAdminErrors } from '../../errors/referral-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { addressInput, nullable, strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';
import { okSchema } from './admin-schemas.ts';

const vipTierMax = 5;

/** Changes the account settings that administrators control. */
export function changeUserEndpoint(ports: ChangeUserPorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/users/:address',
    tag: 'Administration',
    summary: 'Change an account',
    description:
      'Sets the given fields and leaves the others unchanged. vip_override takes effect ' +
      "immediately, whatever the account's volume, and is published on the vip_tier channel; " +
      'null returns to the tier of the volume.',
    weight: 0,
    auth: administrator,
    namedRows: [referralAdminErrors.userNotFound],
    params: strictObject({ address: addressInput('The account') }),
    body: strictObject({
      is_market_maker: Type.Optional(
        Type.Boolean({ description: "Takes part in the market makers' pool of seasons" }),
      ),
      vip_override: Type.Optional(
        nullable(
          Type.Integer({
            minimum: 0,
            maximum: vipTierMax,
            description: 'The VIP tier, 0 to 5; null: by volume',
            examples: [3],
          }),
        ),
      ),
    }),
    answer: okSchema,
    errorRows: engineUnavailableIsDatabaseError,
    handle: async ({ params, body }) => {
      const { is_market_maker: isMarketMaker = null, vip_override: vipOverride } = body;
      if (isMarketMaker === null && vipOverride === undefined) {
        const detail = 'is_market_maker: is_market_maker or vip_override is required';
        return refused({ reason: 'parameter_invalid', detail });
      }
      // The schema accepts only addresses.
      const address = params.address.toLowerCase() as Address;
      const changed = await changeUser(ports, address, { isMarketMaker, vipOverride });
      if (changed.kind === 'refused') return namedError(referralAdminErrors.userNotFound);
      return done({ ok: true });
    },
  });
}
