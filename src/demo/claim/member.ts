import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { requestJson, sendPatiently } from '../../client/api-client.ts';
import type { HttpConnection, HttpReply, HttpRequest } from '../../client/http-connection.ts';
import { signIn } from '../../client/sign-in.ts';

/** Somebody with a wallet of their own who is signed in. */
export class Member {
  readonly name: string;
  readonly wallet: PrivateKeyAccount;
  readonly #connection: HttpConnection;
  readonly #token: string;

  private constructor(name: string, wallet: PrivateKeyAccount, session: Session) {
    this.name = name;
    this.wallet = wallet;
    this.#connection = session.connection;
    this.#token = session.token;
  }

  /** A new wallet that signs in. */
  static async join(connection: HttpConnection, name: string): Promise<Member> {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const token = await signIn(connection, wallet);
    return new Member(name, wallet, { connection, token });
  }

  /** The same one at another server, or at the same one after a restart. */
  over(connection: HttpConnection): Member {
    return new Member(this.name, this.wallet, { connection, token: this.#token });
  }

  /** As the exchange spells it. */
  get address(): string {
    return this.wallet.address.toLowerCase();
  }

  /** The body of a success. @throws ApiError */
  get(path: string): Promise<unknown> {
    return requestJson(this.#connection, () => this.#request('GET', path));
  }

  /** The body of a success. @throws ApiError */
  post(path: string, body: object = {}): Promise<unknown> {
    return requestJson(this.#connection, () => this.#request('POST', path, body));
  }

  /** The body of a success. @throws ApiError */
  delete(path: string): Promise<unknown> {
    return requestJson(this.#connection, () => this.#request('DELETE', path));
  }

  /** The answer, whatever its status. */
  tryPost(path: string, body: object = {}): Promise<HttpReply> {
    return sendPatiently(this.#connection, () => this.#request('POST', path, body));
  }

  #request(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): HttpRequest {
    return {
      method,
      target: `/api/v1${path}`,
      headers: { authorization: `Bearer ${this.#token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  }
}

interface Session {
  readonly connection: HttpConnection;
  readonly token: string;
}
