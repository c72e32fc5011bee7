import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { requestJson } from '../../src/client/api-client.ts';
import type { HttpConnection } from '../../src/client/http-connection.ts';
import { type ApiKeyPair, createApiKey, signIn } from '../../src/client/sign-in.ts';
import type { ChildServer } from './child-server.ts';
import { administer, connectWhenReady } from './exchange-service.ts';
import { loadMarket } from './order-load.ts';

/** An open order of the load locks a tenth of a unit at most. */
const spotUnits = '1000000';
const margin = { token: 'USDT', amount: '100000' };

/** Traders with both tokens of the load's own market, which is opened for them. */
export async function prepareSpotTraders(
  server: ChildServer,
  count: number,
): Promise<ApiKeyPair[]> {
  const connection = await connectWhenReady(server);
  await administer(connection, '/api/v1/admin/spot/markets', loadMarket);
  const keys: ApiKeyPair[] = [];
  for (let number = 0; number < count; number += 1) {
    const { address, pair } = await register(connection);
    for (const token of [loadMarket.base_token, loadMarket.quote_token]) {
      await giveFunds(connection, address, { token, amount: spotUnits });
    }
    keys.push(pair);
  }
  connection.close();
  return keys;
}

/** Traders with USDT as margin. */
export async function prepareFuturesTraders(
  server: ChildServer,
  count: number,
): Promise<ApiKeyPair[]> {
  const connection = await connectWhenReady(server);
  const keys: ApiKeyPair[] = [];
  for (let number = 0; number < count; number += 1) {
    const { address, pair, token } = await register(connection);
    await giveFunds(connection, address, margin);
    await requestJson(connection, () => ({
      method: 'POST',
      target: '/api/v1/spot/transfer',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ direction: 'spot_to_perp', ...margin }),
    }));
    keys.push(pair);
  }
  connection.close();
  return keys;
}

async function register(connection: HttpConnection) {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const token = await signIn(connection, wallet);
  const pair = await createApiKey(connection, token, 'load');
  return { address: wallet.address, token, pair };
}

async function giveFunds(
  connection: HttpConnection,
  address: string,
  funds: { readonly token: string; readonly amount: string },
): Promise<void> {
  const credit = { user_address: address, ...funds };
  await administer(connection, '/api/v1/admin/spot/balances/credit', credit);
}
