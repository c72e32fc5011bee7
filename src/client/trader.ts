import type { HttpClient } from '@openbourse/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { requestJson, sendWithRetries } from './api-client.ts';
import { clientOver } from './exchange-client.ts';
import type { HttpConnection, HttpReply, HttpRequest } from './http-connection.ts';
import { type ApiKeyPair, createApiKey, signIn } from './sign-in.ts';
import { signRequest, type UnsignedRequest } from './sign-request.ts';

/** A signed-in user with an API key that signs each request. */
export class Trader {
  readonly address: string;
  readonly #connection: HttpConnection;
  readonly #keys: ApiKeyPair;
  /** Typed calls that the key signs. */
  readonly client: HttpClient;

  private constructor(connection: HttpConnection, address: string, keys: ApiKeyPair) {
    this.#connection = connection;
    this.address = address;
    this.#keys = keys;
    this.client = clientOver(connection, { apiKey: keys });
  }

  /** Registers a new account: a new private key, a sign-in and an API key. */
  static async register(connection: HttpConnection, label: string): Promise<Trader> {
    const account = privateKeyToAccount(generatePrivateKey());
    const token = await signIn(connection, account);
    const keys = await createApiKey(connection, token, label);
    return new Trader(connection, account.address.toLowerCase(), keys);
  }

  /** The same trader with a connection to another server, or to the same one after a restart. */
  over(connection: HttpConnection): Trader {
    return new Trader(connection, this.address, this.#keys);
  }

  /** The response with any status, after retries. */
  send(request: UnsignedRequest): Promise<HttpReply> {
    return sendWithRetries(this.#connection, () => this.sign(request));
  }

  /** The signed request, which any process of the exchange accepts. */
  sign(request: UnsignedRequest): HttpRequest {
    return signRequest(this.#keys, request, Date.now());
  }

  /** The body of a 200 response. @throws ApiError for any other status. */
  requestJson(request: UnsignedRequest): Promise<unknown> {
    return requestJson(this.#connection, () => this.sign(request));
  }
}
