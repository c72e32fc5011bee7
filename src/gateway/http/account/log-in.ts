import { Type } from 'typebox';
import {
  type SignInPorts,
  type SignInRefusal,
  signIn,
} from '../../../application/account/sign-in.ts';
import { done } from '../../../domain/outcome.ts';
import type { AccessTokens } from '../../auth/access-tokens.ts';
import { accountErrors, envelopeErrors } from '../../errors/envelope-errors.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import { anyone, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { exampleMessage } from './example-message.ts';
import { tokenSchema } from './token-schema.ts';

const messageLengthMax = 4_096;
// A contract wallet's signature can be long: one for each owner.
const signaturePattern = '^0x([0-9a-fA-F]{2}){1,4096}$';

const rows: Readonly<Record<SignInRefusal, ErrorRow>> = {
  message_malformed: envelopeErrors.invalidParameter,
  domain_mismatch: accountErrors.domainMismatch,
  signature_invalid: accountErrors.invalidSignature,
  nonce_expired: accountErrors.nonceExpired,
};

export function logInEndpoint(ports: SignInPorts, tokens: AccessTokens): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/auth/login',
    tag: 'Sign-in',
    summary: 'Sign in',
    description:
      'Returns a token for the address that signed the message; the first sign-in opens its ' +
      'account.',
    auth: anyone,
    weight: 1,
    extraLimit: 'sign_in',
    namedRows: Object.values(rows),
    body: strictObject({
      message: Type.String({
        minLength: 1,
        maxLength: messageLengthMax,
        description: 'The message exactly as issued and signed',
        examples: [exampleMessage],
      }),
      signature: Type.String({
        pattern: signaturePattern,
        description: "The wallet's signature of the message (personal_sign), in hex",
        examples: [`0x${'6f1c'.repeat(32)}1b`],
      }),
    }),
    answer: tokenSchema,
    handle: async ({ body }) => {
      const result = await signIn(ports, {
        message: body.message,
        // The pattern above matches hex text only.
        signature: body.signature as `0x${string}`,
      });
      if (result.kind === 'refused') {
        return namedError(rows[result.reason], detailOf(result.reason));
      }
      const { token, expiresAt } = await tokens.issue(result.address);
      return done({ token, address: result.address, expires_at: expiresAt.toISOString() });
    },
  });
}

function detailOf(reason: SignInRefusal): Readonly<Record<string, string>> {
  return reason === 'message_malformed' ? { detail: 'message: not an EIP-4361 message' } : {};
}
