import { signIn as signInByWallet } from '@openbourse/client';
import type { PrivateKeyAccount } from 'viem/accounts';
import { clientOver, withRetries } from './exchange-client.ts';
import type { HttpConnection } from './http-connection.ts';

/** Signs in with Ethereum and returns the Bearer token. */
export async function signIn(
  connection: HttpConnection,
  account: PrivateKeyAccount,
): Promise<string> {
  const session = await withRetries(() =>
    signInByWallet(clientOver(connection), {
      address: account.address,
      signMessage: (message) => account.signMessage({ message }),
    }),
  );
  return session.token;
}

export interface ApiKeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** Creates an API key with the read and trade permissions for the owner of the token. */
export async function createApiKey(
  connection: HttpConnection,
  token: string,
  label: string,
): Promise<ApiKeyPair> {
  const client = clientOver(connection, { token: () => token });
  const created = await withRetries(() =>
    client.call('POST /api/v1/account/api-keys', { body: { label } }),
  );
  return { apiKey: created.api_key, apiSecret: created.api_secret };
}
