import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { requestJson } from '../../src/client/api-client.ts';
import { HttpConnection, type HttpRequest } from '../../src/client/http-connection.ts';
import { type ApiKeyPair, createApiKey, signIn } from '../../src/client/sign-in.ts';
import { startTestService, type TestService, testServiceAdminKey } from './test-service.ts';

/** The whole service with its development markets, an index price each, and funded traders. */
export class TradingFloor {
  readonly service: TestService;
  readonly #connection: HttpConnection;

  private constructor(service: TestService) {
    this.service = service;
    this.#connection = new HttpConnection(service.url, 4);
  }

  /** As an operator runs it for clients of Binance: listen keys come with the key alone. */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<TradingFloor> {
    const floor = new TradingFloor(
      await startTestService({
        INDEX_PRICE_SOURCE: 'admin',
        FAPI_LISTEN_KEY_UNSIGNED: 'true',
        ...settings,
      }),
    );
    await floor.setIndex('BTCUSDT', '50000');
    await floor.setIndex('ETHUSDT', '3000');
    return floor;
  }

  get url(): string {
    return this.service.url;
  }

  async close(): Promise<void> {
    this.#connection.close();
    await this.service.close();
  }

  setIndex(symbol: string, price: string): Promise<unknown> {
    const target = `/api/v1/admin/futures/markets/${symbol}/index-price`;
    const headers = { 'x-api-key': testServiceAdminKey };
    return this.#send({ method: 'PUT', target, headers, body: JSON.stringify({ price }) });
  }

  /**
   * A new wallet that has signed in, has 50,000 USDT in its spot and in its perp wallet, further
   * tokens in the former, and an API key.
   */
  async addTrader(tokens: Readonly<Record<string, string>> = {}): Promise<ApiKeyPair> {
    const account = privateKeyToAccount(generatePrivateKey());
    const token = await signIn(this.#connection, account);
    const post = (target: string, body: object): Promise<unknown> =>
      this.#send({
        method: 'POST',
        target,
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${token}` },
      });
    await post('/api/v1/faucet', { token: 'USDT', amount: '100000' });
    for (const [token, amount] of Object.entries(tokens)) {
      await post('/api/v1/faucet', { token, amount });
    }
    const direction = 'spot_to_perp';
    await post('/api/v1/spot/transfer', { direction, token: 'USDT', amount: '50000' });
    return createApiKey(this.#connection, token, 'bot');
  }

  #send(request: HttpRequest): Promise<unknown> {
    return requestJson(this.#connection, () => request);
  }
}
