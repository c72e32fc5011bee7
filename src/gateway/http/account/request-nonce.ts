import { Type } from 'typebox';
import {
  issueLoginNonce,
  type LoginNoncePorts,
} from '../../../application/account/issue-login-nonce.ts';
import { assert } from '../../../domain/assert.ts';
import { parseAddress } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { addressInput, strictObject, timeText } from '../schema.ts';
import { exampleMessage } from './example-message.ts';

export function requestNonceEndpoint(ports: LoginNoncePorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/auth/nonce',
    tag: 'Sign-in',
    summary: 'Request a sign-in message',
    description:
      "A message (EIP-4361) for the address's wallet to sign; valid once, for 5 minutes.",
    auth: anyone,
    weight: 1,
    extraLimit: 'sign_in',
    body: strictObject({ address: addressInput('The wallet that will sign') }),
    answer: strictObject({
      nonce: Type.String({
        description: 'The nonce in the message',
        examples: ['4f3c0b9d2a6e8175c3d0a1b2e4f60718'],
      }),
      message: Type.String({
        description: 'The text to sign, unchanged',
        examples: [exampleMessage],
      }),
      expires_at: timeText('When the message is no longer accepted'),
    }),
    handle: async ({ body }) => {
      const address = parseAddress(body.address);
      assert(address !== null, 'the schema admits addresses only');
      return done(await issueLoginNonce(ports, address));
    },
  });
}
