import type { PrivateKeyAccount } from 'viem/accounts';
import { fieldOf, requestJson, textOf } from './api-client.ts';
import type { HttpConnection, HttpRequest } from './http-connection.ts';

/** Signs in with Ethereum and answers the Bearer token. */
export async function signIn(
  connection: HttpConnection,
  account: PrivateKeyAccount,
): Promise<string> {
  const { address } = account;
  const nonce = await post(connection, '/api/v1/auth/nonce', { address });
  const message = textOf(nonce, 'message');
  const signature = await account.signMessage({ message });
  const login = await post(connection, '/api/v1/auth/login', { message, signature });
  return textOf(login, 'token');
}

export interface ApiKeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** Makes an API key that may read and trade for the owner of the token. */
export async function createApiKey(
  connection: HttpConnection,
  token: string,
  label: string,
): Promise<ApiKeyPair> {
  const headers = { authorization: `Bearer ${token}` };
  const created = await post(connection, '/api/v1/account/api-keys', { label }, headers);
  return { apiKey: textOf(created, 'api_key'), apiSecret: textOf(created, 'api_secret') };
}

async function post(
  connection: HttpConnection,
  target: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const request: HttpRequest = { method: 'POST', target, headers, body: JSON.stringify(body) };
  return fieldOf(await requestJson(connection, () => request), 'data');
}
