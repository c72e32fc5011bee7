import { ApiError, type HttpClient } from '@openbourse/client';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { clientOver, withRetries } from '../../client/exchange-client.ts';
import type { HttpConnection } from '../../client/http-connection.ts';
import { signIn } from '../../client/sign-in.ts';

/** A signed-in user with a wallet. */
export class Member {
  readonly name: string;
  readonly wallet: PrivateKeyAccount;
  readonly #client: HttpClient;
  readonly #token: string;

  private constructor(name: string, wallet: PrivateKeyAccount, session: Session) {
    this.name = name;
    this.wallet = wallet;
    this.#client = clientOver(session.connection, { token: () => session.token });
    this.#token = session.token;
  }

  /** Signs in with a new wallet. */
  static async join(connection: HttpConnection, name: string): Promise<Member> {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const token = await signIn(connection, wallet);
    return new Member(name, wallet, { connection, token });
  }

  /** The same member with a connection to another server, or to the same one after a restart. */
  over(connection: HttpConnection): Member {
    return new Member(this.name, this.wallet, { connection, token: this.#token });
  }

  /** The address as the exchange spells it. */
  get address(): string {
    return this.wallet.address.toLowerCase();
  }

  /** The body of a 200 response. @throws ApiError */
  get(path: string): Promise<unknown> {
    return this.#call('GET', path);
  }

  /** The body of a 200 response. @throws ApiError */
  post(path: string, body: object = {}): Promise<unknown> {
    return this.#call('POST', path, body);
  }

  /** The body of a 200 response. @throws ApiError */
  delete(path: string): Promise<unknown> {
    return this.#call('DELETE', path);
  }

  /** The error code of a refusal; null if the request succeeded. */
  async refusalOf(path: string): Promise<string | null> {
    try {
      await this.post(path);
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error.code;
      throw error;
    }
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const input = body === undefined ? {} : { body };
    const reply = await withRetries(() => this.#client.send(`${method} /api/v1${path}`, input));
    return reply.json();
  }
}

interface Session {
  readonly connection: HttpConnection;
  readonly token: string;
}
