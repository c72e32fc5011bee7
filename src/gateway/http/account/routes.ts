import type { LoginNoncePorts } from '../../../application/account/issue-login-nonce.ts';
import type { ProfilePorts } from '../../../application/account/load-profile.ts';
import type { SignInPorts } from '../../../application/account/sign-in.ts';
import type { ApiKeyStore } from '../../../application/ports/accounts.ts';
import type { AccessTokens } from '../../auth/access-tokens.ts';
import { envelopeSurface } from '../../errors/envelope-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { changeApiKeyEndpoint } from './change-api-key.ts';
import { createApiKeyEndpoint } from './create-api-key.ts';
import { deleteApiKeyEndpoint } from './delete-api-key.ts';
import { getProfileEndpoint } from './get-profile.ts';
import { getApiKeyEndpoint, listApiKeysEndpoint } from './list-api-keys.ts';
import { logInEndpoint } from './log-in.ts';
import { logOutEndpoint } from './log-out.ts';
import { renewTokenEndpoint } from './renew-token.ts';
import { requestNonceEndpoint } from './request-nonce.ts';
import { setProfileEndpoint } from './set-profile.ts';

export interface AccountRouteParts extends LoginNoncePorts, ProfilePorts, SignInPorts {
  readonly apiKeys: ApiKeyStore;
  readonly tokens: AccessTokens;
}

/** Endpoints for signing in and for the account's own keys and profile. */
export function accountRoutes(parts: AccountRouteParts): SurfaceRoutes {
  return {
    surface: envelopeSurface,
    endpoints: [
      requestNonceEndpoint(parts),
      logInEndpoint(parts, parts.tokens),
      renewTokenEndpoint(parts.tokens),
      logOutEndpoint(parts.tokens),
      createApiKeyEndpoint(parts),
      listApiKeysEndpoint(parts.apiKeys),
      getApiKeyEndpoint(parts.apiKeys),
      changeApiKeyEndpoint(parts.apiKeys),
      deleteApiKeyEndpoint(parts.apiKeys),
      getProfileEndpoint(parts),
      setProfileEndpoint(parts),
    ],
  };
}
