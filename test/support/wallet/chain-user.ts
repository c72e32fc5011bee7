import { type Hex, maxUint256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { spotVaultAbi } from '../../../src/chain/abi/spot-vault-abi.ts';
import { tokenAbi } from '../../../src/chain/abi/token-abi.ts';
import { minedReceipt } from '../../../src/chain/development/mined-receipt.ts';
import { toHexAddress } from '../../../src/chain/evm-values.ts';
import { HttpConnection } from '../../../src/client/http-connection.ts';
import { signIn } from '../../../src/client/sign-in.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import { newWallet, type TestChain } from '../chain/test-chain.ts';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Release {
  readonly id: string;
  readonly raw_amount: string;
  readonly nonce: number;
  readonly deadline: number;
  readonly signature: string;
  readonly payable_at?: number;
}

/** Someone with a wallet on the chain and a session at the service. */
export class ChainUser {
  readonly address: Address;
  readonly #account: PrivateKeyAccount;
  readonly #chain: TestChain;
  readonly #connection: HttpConnection;
  readonly #token: string;

  private constructor(
    chain: TestChain,
    account: PrivateKeyAccount,
    session: { readonly connection: HttpConnection; readonly token: string },
  ) {
    this.address = account.address.toLowerCase() as Address;
    this.#account = account;
    this.#chain = chain;
    this.#connection = session.connection;
    this.#token = session.token;
  }

  static async register(chain: TestChain, url: string): Promise<ChainUser> {
    const { account } = await newWallet(chain);
    return ChainUser.of(chain, url, account);
  }

  /** The user of a wallet that has gas. */
  static async of(chain: TestChain, url: string, account: PrivateKeyAccount): Promise<ChainUser> {
    const connection = new HttpConnection(url, 2);
    const token = await signIn(connection, account);
    return new ChainUser(chain, account, { connection, token });
  }

  /** The same user at the service after a restart. */
  over(url: string): ChainUser {
    const connection = new HttpConnection(url, 2);
    return new ChainUser(this.#chain, this.#account, { connection, token: this.#token });
  }

  async call(method: 'GET' | 'POST', target: string, body?: object): Promise<Answer> {
    const reply = await this.#connection.send({
      method,
      target: `/api/v1${target}`,
      headers: { authorization: `Bearer ${this.#token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: JSON.parse(reply.text) as Answer['body'] };
  }

  /** `available locked` by token. */
  async balances(): Promise<Readonly<Record<string, string>>> {
    const { body } = await this.call('GET', '/spot/balances');
    const items = body['items'] as { token: string; available: string; locked: string }[];
    return Object.fromEntries(
      items.map(({ token, available, locked }) => [token, `${available} ${locked}`]),
    );
  }

  /** Gets that much of a token on chain and deposits it into the vault. */
  async deposit(token: Address, amount: bigint): Promise<Hex> {
    await this.#write(token, 'mint', [this.#account.address, amount]);
    const vault = toHexAddress(this.#chain.contracts.spotVault);
    await this.#write(token, 'approve', [vault, maxUint256]);
    return this.#chain.client.writeContract({
      account: this.#account,
      chain: null,
      address: vault,
      abi: spotVaultAbi,
      functionName: 'deposit',
      args: [toHexAddress(token), amount],
    });
  }

  /** Takes out what was signed. @throws if the vault refuses it */
  async release(token: Address, release: Release): Promise<Hex> {
    return this.#chain.client.writeContract({
      account: this.#account,
      chain: null,
      address: toHexAddress(this.#chain.contracts.spotVault),
      abi: spotVaultAbi,
      functionName: 'release',
      args: [
        toHexAddress(token),
        BigInt(release.raw_amount),
        BigInt(release.nonce),
        BigInt(release.deadline),
        release.signature as Hex,
      ],
    });
  }

  async #write(token: Address, functionName: 'mint' | 'approve', args: readonly [Hex, bigint]) {
    const hash = await this.#chain.client.writeContract({
      account: this.#account,
      chain: null,
      address: toHexAddress(token),
      abi: tokenAbi,
      functionName,
      args,
    });
    await minedReceipt(this.#chain.client, hash);
  }
}

/** What an address holds of a token on chain. */
export async function holdingOf(chain: TestChain, token: Address, owner: Address): Promise<bigint> {
  return chain.client.readContract({
    address: toHexAddress(token),
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [toHexAddress(owner)],
  });
}
