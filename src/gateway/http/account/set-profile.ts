import type { ProfilePorts } from '../../../application/account/load-profile.ts';
import { setUsername } from '../../../application/account/set-username.ts';
import { done } from '../../../domain/outcome.ts';
import { accountErrors } from '../../errors/envelope-errors.ts';
import { defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { profileSchema, usernameField } from './profile-schema.ts';

export function setProfileEndpoint(ports: ProfilePorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/account/profile',
    tag: 'Account',
    summary: 'Set the username',
    description: 'Sets a username that no other account has, regardless of letter case.',
    auth: tokenOnly,
    weight: 1,
    namedRows: [accountErrors.usernameTaken],
    body: strictObject({ username: usernameField }),
    answer: profileSchema,
    handle: async ({ body, caller }) => {
      const profile = await setUsername(ports, caller.address, body.username);
      return profile === null ? namedError(accountErrors.usernameTaken) : done(profile);
    },
  });
}
