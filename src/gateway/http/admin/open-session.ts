import { Type } from 'typebox';
import { assert } from '../../../domain/assert.ts';
import { done } from '../../../domain/outcome.ts';
import { type AdminTokens, adminRoles } from '../../auth/admin-tokens.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import { administratorKey, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { oneOf, strictObject, timeText } from '../schema.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';

const roleText = oneOf(adminRoles, { description: 'read: read endpoints only' });

/** Exchanges the administrator's key for a token that expires. */
function openSession(tokens: AdminTokens): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/session',
    tag: 'Administration',
    summary: 'Open an administration session',
    description:
      'Returns an administration token, valid for an hour. Accepts only the key, not a ' +
      "token. Changing the service's key ends all of them.",
    auth: administratorKey,
    weight: 0,
    body: strictObject({
      role: Type.Optional(
        oneOf(adminRoles, { description: 'What the token allows', default: 'write' }),
      ),
    }),
    answer: strictObject({
      token: Type.String({
        description: 'Sent as `Authorization: Bearer <token>`',
        examples: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyb2xlIjoicmVhZCJ9.c2lnbmF0dXJl'],
      }),
      role: roleText,
      expires_at: timeText('When the token expires'),
    }),
    handle: async ({ body: { role = 'write' } }) => {
      const issued = await tokens.issue(role);
      assert(issued !== null, 'an operator with the key can have a token');
      return done({ token: issued.token, role, expires_at: issued.expiresAt.toISOString() });
    },
  });
}

export function adminSessionRoutes(tokens: AdminTokens): SurfaceRoutes {
  return { surface: plainSurface, endpoints: [openSession(tokens)] };
}
