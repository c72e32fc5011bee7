import { loadProfile, type ProfilePorts } from '../../../application/account/load-profile.ts';
import { done } from '../../../domain/outcome.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { profileSchema } from './profile-schema.ts';

export function getProfileEndpoint(ports: ProfilePorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/account/profile',
    tag: 'Account',
    summary: 'Get the profile',
    description: 'Address, username and age of the account.',
    auth: tokenOnly,
    weight: 1,
    answer: profileSchema,
    handle: async ({ caller }) => done(await loadProfile(ports, caller.address)),
  });
}
